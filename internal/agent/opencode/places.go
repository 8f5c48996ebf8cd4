package opencode

import "github.com/hookspan/hookspan/internal/agent"

const noGate = "none: no trust, no question; --pure, OPENCODE_PURE=1"

func places() []agent.Place {
	return []agent.Place{
		{Scope: agent.ScopeUser, Path: "${XDG_CONFIG_HOME:-~/.config}/opencode/plugins/", Format: agent.JavaScript, Read: true, Gate: noGate,
			Note: "*.js and *.ts, also in plugin/; not sub-folders, .mjs, .cjs. A link is loaded once more than its target", Proof: live()},
		{Scope: agent.ScopeUser, Path: "~/.opencode/plugins/", Format: agent.JavaScript, Read: true, Gate: noGate, Note: "also plugin/", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.opencode/plugins/", Format: agent.JavaScript, Read: true,
			Gate: noGate + ", OPENCODE_DISABLE_PROJECT_CONFIG=1", Walk: "every folder up to the git root",
			Note: "a cloned repository's plugin runs at the first start in it", Proof: live()},
		{Scope: agent.ScopeSession, Path: "${OPENCODE_CONFIG_DIR}/plugins/", Format: agent.JavaScript, Read: true, Gate: noGate,
			Note: "in addition to the others, not instead", Proof: live()},
		{Scope: agent.ScopeUser, Path: "${XDG_CONFIG_HOME:-~/.config}/opencode/opencode.json", Format: agent.JSONC, Read: true, Gate: noGate,
			Note: `key plugin: a list of npm packages, paths or [path, options]; also config.json and opencode.jsonc. A key "hooks" is ignored in silence`, Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/opencode.json", Format: agent.JSONC, Read: true,
			Gate: noGate + ", OPENCODE_DISABLE_PROJECT_CONFIG=1", Walk: "every folder up to the git root",
			Note: "key plugin, as above; opencode.jsonc too. Broken JSON stops the program (exit 1)", Proof: live()},
		{Scope: agent.ScopeManaged, Path: "/etc/opencode/opencode.json", Format: agent.JSONC, Read: true, Gate: noGate, Note: "Linux; key plugin", Proof: src()},
		{Scope: agent.ScopeManaged, Path: "/Library/Application Support/opencode/opencode.json", Format: agent.JSONC, Read: true, Gate: noGate, Note: "macOS; key plugin", Proof: src()},
		{Scope: agent.ScopeManaged, Path: "${ProgramData}/opencode/opencode.json", Format: agent.JSONC, Read: true, Gate: noGate, Note: "Windows; key plugin", Proof: src()},
		{Scope: agent.ScopeUser, Path: "~/.claude/settings.json", Format: agent.JSON, Note: "never read; OpenCode runs no other agent's hooks", Proof: src()},
		{Scope: agent.ScopeProject, Path: "{project}/.claude/settings.json", Format: agent.JSON, Note: "never read", Proof: src()},
		{Scope: agent.ScopeProject, Path: "{project}/.opencode/hooks.json", Format: agent.JSON, Note: "never read: there are no command hooks", Proof: src()},
	}
}

func switches() []string {
	return []string{
		"--pure, OPENCODE_PURE=1 (plugins that are not built in)",
		"OPENCODE_DISABLE_PROJECT_CONFIG=1 (the project's plugins and configuration)",
	}
}

func holes() []string {
	return []string{
		"a shell command that the user types behind ! in the terminal, and !`…` in a command's template: no tool hook, only shell.env",
		"files that the user names with @ in a prompt: they are read without a tool hook",
		"MCP tools that a script of the experimental tool execute calls",
		"the failure of a tool call is told by an event that nobody waits for",
		"a turn that ends by structured output (json_schema, SDK only): no Stop",
		"run --attach: the plugin runs in the server, so a Stop gate's continuation is not printed by the client",
		"a process that is killed: no SessionEnd",
	}
}
