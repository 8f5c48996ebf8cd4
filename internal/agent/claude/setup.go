package claude

import "github.com/hookspan/hookspan/internal/agent"

// howToTrust is what the agent's own trust wants before it runs hooks.
const howToTrust = "in the terminal no hook runs before the folder is trusted: start claude in the project once and answer yes (`claude -p` asks for no trust)"

// Setup is how hookspan registers itself in Claude Code. All settings files count together, so a group
// of our own, without a matcher, is enough. onFailure is obeyed by 2.1.332 and ignored by 2.1.220.
func Setup() agent.Setup {
	return agent.Setup{
		Program: "claude",
		Home:    "${CLAUDE_CONFIG_DIR:-~/.claude}",
		User:    []agent.Carrier{carrier("${CLAUDE_CONFIG_DIR:-~/.claude}/settings.json")},
		Project: []agent.Carrier{carrier("{project}/.claude/settings.json")},
		Layout:  agent.Grouped,
		Keys:    agent.Keys{Type: true, Command: "command", Timeout: "timeout", Strict: "onFailure", StrictJSON: `"block"`},
		Windows: agent.POSIX,
		// The current folder of a session moves with cd and into worktrees; this stays the launch folder,
		// whose .claude the registration came from.
		Checkout:    `"$CLAUDE_PROJECT_DIR"`,
		UserGate:    howToTrust,
		ProjectGate: howToTrust,
	}
}

func carrier(path string) agent.Carrier {
	return agent.Carrier{Path: path, Format: agent.JSON, BOM: true, At: []string{"hooks"}}
}
