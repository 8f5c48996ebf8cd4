package gemini

import "github.com/hookspan/hookspan/internal/agent"

// howToTrust is what the agent's own trust wants before it runs hooks.
const howToTrust = "folder trust: start gemini in the project once and trust the folder, or set GEMINI_CLI_TRUST_WORKSPACE=true"

// Setup is how hookspan registers itself in Gemini CLI. Time limits are milliseconds. A missing program
// leaves with 127, which blocks every call and never ends at AfterAgent, so a project's line must not fail.
func Setup() agent.Setup {
	return agent.Setup{
		Program: "gemini",
		Home:    "${GEMINI_CLI_HOME:-~}/.gemini",
		User:    []agent.Carrier{carrier("${GEMINI_CLI_HOME:-~}/.gemini/settings.json")},
		Project: []agent.Carrier{carrier("{project}/.gemini/settings.json")},
		Layout:  agent.Grouped,
		Keys:    agent.Keys{Type: true, Command: "command", Timeout: "timeout"},
		Windows: agent.PowerShell,
		Literal: "$",
		// Hooks start in the session's folder, and that is the exact folder whose .gemini was read.
		Checkout:    ".",
		UserGate:    howToTrust,
		ProjectGate: howToTrust,
	}
}

func carrier(path string) agent.Carrier {
	return agent.Carrier{Path: path, Format: agent.JSONComments, BOM: true, At: []string{"hooks"}}
}
