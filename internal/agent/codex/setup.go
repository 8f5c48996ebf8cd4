package codex

import "github.com/hookspan/hookspan/internal/agent"

// Setup is how hookspan registers itself in Codex. Trust is a hash over event, matcher, command and
// time limit at a position, so the entry is the same for ever, without a matcher, and stands last.
func Setup() agent.Setup {
	const gate = "hook trust: start codex and choose \"Trust all and continue\", or type: hookspan install --agent codex --trust"
	return agent.Setup{
		Program: "codex",
		Home:    "${CODEX_HOME:-~/.codex}",
		User:    carriers("${CODEX_HOME:-~/.codex}"),
		Project: carriers("{project}/.codex"),
		Choice:  agent.ChooseUsed,
		Layout:  agent.Grouped,
		Keys:    agent.Keys{Type: true, Command: "command", Windows: "commandWindows", Timeout: "timeout"},
		Windows: agent.PowerShell,
		CheckoutNote: "no variable tells the folder that the file came from, and in a linked worktree Codex uses the main checkout's; " +
			"so the project's programs run only after `hookspan trust`, in each worktree",
		HookTrust:   trustInHooks(),
		UserGate:    gate,
		ProjectGate: "project trust (`codex exec --trust`, or the question at start) and " + gate,
	}
}

func carriers(dir string) []agent.Carrier {
	at := []string{"hooks"}
	return []agent.Carrier{
		{Path: dir + "/hooks.json", Format: agent.JSON, At: at},
		{Path: dir + "/config.toml", Format: agent.TOML, At: at},
	}
}
