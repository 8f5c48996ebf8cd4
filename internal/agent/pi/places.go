package pi

import "github.com/hookspan/hookspan/internal/agent"

const (
	noGate = "none: no trust, no question; --no-extensions"
	trust  = "project trust: --approve, trust.json, defaultProjectTrust or a user extension's project_trust handler; " +
		"-p, --mode json and rpc never ask and skip it in silence; --no-extensions"
	layouts = "*.ts, *.js, DIR/index.ts, DIR/package.json with pi.extensions; one level deep, no .mjs. A link to a file that is listed already counts once"
)

func places() []agent.Place {
	return []agent.Place{
		{Scope: agent.ScopeSession, Path: "{cwd}/", Format: agent.TypeScript, Read: true, Gate: "none, not even --no-extensions",
			Note: "the argument of -e, --extension; may be given several times. Its handlers come first", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.pi/extensions/", Format: agent.TypeScript, Read: true, Gate: trust, Walk: "launch folder only",
			Note: layouts, Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.pi/settings.json", Format: agent.JSON, Read: true, Gate: trust, Walk: "launch folder only",
			Note: "key extensions: a list of paths. Broken JSON draws a warning and counts as empty", Proof: live()},
		{Scope: agent.ScopeUser, Path: "${PI_CODING_AGENT_DIR:-~/.pi/agent}/settings.json", Format: agent.JSON, Read: true, Gate: noGate,
			Note: "key extensions, as above; key packages: npm and git packages", Proof: live()},
		{Scope: agent.ScopeUser, Path: "${PI_CODING_AGENT_DIR:-~/.pi/agent}/extensions/", Format: agent.TypeScript, Read: true, Gate: noGate,
			Note: layouts, Proof: live()},
		{Scope: agent.ScopeUser, Path: "~/.claude/settings.json", Format: agent.JSON, Note: "never read; Pi runs no other agent's hooks", Proof: src()},
		{Scope: agent.ScopeProject, Path: "{project}/.claude/settings.json", Format: agent.JSON, Note: "never read", Proof: src()},
		{Scope: agent.ScopeProject, Path: "{project}/.pi/hooks.json", Format: agent.JSON, Note: "never read: there are no command hooks", Proof: src()},
	}
}

func switches() []string {
	return []string{
		"--no-extensions, -ne (all but those named with -e)",
		"--no-approve, -na, or no trust (the project's extensions)",
	}
}

func holes() []string {
	return []string{
		"a shell command that the user types behind ! or !!: no tool call, only user_bash, which no common event means",
		"files that the user names with @ on the command line or in a prompt: they are read without a tool call",
		"code of other extensions, and of packages: it runs in Pi itself",
		"a call whose arguments are invalid, or of an unknown tool: it does not run, and only tool_execution_end tells of it",
		"a process that is killed: no SessionEnd",
	}
}
