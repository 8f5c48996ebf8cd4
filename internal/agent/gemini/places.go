package gemini

import "github.com/hookspan/hookspan/internal/agent"

const trustGate = "folder trust: in an untrusted folder the hooks of all layers but extensions are off, silently in the terminal, exit 55 headless. " +
	"Granted by GEMINI_CLI_TRUST_WORKSPACE=true, trustedFolders.json, security.folderTrust.enabled:false in the user's settings, or the dialog"

func places() []agent.Place {
	return []agent.Place{
		{Scope: agent.ScopeUser, Path: "${GEMINI_CLI_HOME:-~}/.gemini/settings.json", Format: agent.JSONComments, Read: true,
			Gate: trustGate, Note: "key hooks; a trailing comma or broken JSON stops the whole CLI (exit 52)", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.gemini/settings.json", Format: agent.JSONComments, Read: true,
			Gate: trustGate + ". --skip-trust does not load it", Walk: "launch folder only",
			Note: "not read where the launch folder is the home; a new hook is warned of once and runs", Proof: live()},
		{Scope: agent.ScopeManaged, Path: "${GEMINI_CLI_SYSTEM_SETTINGS_PATH:-/etc/gemini-cli/settings.json}", Format: agent.JSONComments, Read: true,
			Gate: trustGate + ". The file and the folders above it must not be writable for group or others", Note: "Linux", Proof: live()},
		{Scope: agent.ScopeManaged, Path: "/Library/Application Support/GeminiCli/settings.json", Format: agent.JSONComments, Read: true,
			Gate: trustGate, Note: "macOS", Proof: src()},
		{Scope: agent.ScopeManaged, Path: `C:\ProgramData\gemini-cli\settings.json`, Format: agent.JSONComments, Read: true,
			Gate: trustGate, Note: "Windows", Proof: src()},
		{Scope: agent.ScopeManaged, Path: "${GEMINI_CLI_SYSTEM_DEFAULTS_PATH:-/etc/gemini-cli/system-defaults.json}", Format: agent.JSONComments, Read: true,
			Gate: trustGate, Note: "lowest layer; beside the system file elsewhere", Proof: live()},
		{Scope: agent.ScopePlugin, Path: "${GEMINI_CLI_HOME:-~}/.gemini/extensions/*/hooks/hooks.json", Format: agent.JSON, Read: true,
			Note: "an object with a key hooks; a bad file is dropped with a line in the debug log only", Proof: live()},
		{Scope: agent.ScopeUser, Path: "${GEMINI_CLI_HOME:-~}/.gemini/hooks.toml", Format: agent.TOML, Note: "never read", Proof: live()},
		{Scope: agent.ScopeUser, Path: "${GEMINI_CLI_HOME:-~}/.gemini/hooks.json", Format: agent.JSON, Note: "never read", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.claude/settings.json", Format: agent.JSON,
			Note: "never read; `gemini hooks migrate --from-claude` copies it, with Claude's seconds as milliseconds", Proof: live()},
	}
}

func switches() []string {
	return []string{
		"hooksConfig.enabled: false",
		"hooksConfig.disabled: [\"NAME or COMMAND\"] (all layers together)",
		"GEMINI_CLI_TRUST_WORKSPACE=false",
		"GEMINI_RESTRICTED_MODE=true",
	}
}

func holes() []string {
	return []string{
		"a shell command that the user types behind ! in the terminal: it is run directly, no event",
		"files that the user names with @ in a prompt: they are read without a tool event",
		"calls of unknown tools or with invalid parameters: no BeforeTool",
		"subagents: their calls fire the same events with the same session and nothing that marks them",
		"-p without --yolo: the shell and edit tools are not offered, so their hooks never fire",
	}
}
