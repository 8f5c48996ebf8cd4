package copilot

import "github.com/hookspan/hookspan/internal/agent"

// howToTrust is what the agent's own trust wants before it runs hooks.
const howToTrust = "folder trust: start copilot in the project once and trust the folder; `copilot -p` in a folder that is not trusted runs without its hooks, " +
	"in silence (--trust-folder trusts it for one session)"

// Setup is how hookspan registers itself in Copilot: in a file of its own, with camelCase events, whose
// names, payloads and matchers are the native ones in every version. An event's list needs no matcher,
// and "*" would be an invalid expression that drops the entry in silence.
func Setup() agent.Setup {
	return agent.Setup{
		Program: "copilot",
		Home:    "${COPILOT_HOME:-~/.copilot}",
		User:    []agent.Carrier{carrier("${COPILOT_HOME:-~/.copilot}/hooks/hookspan.json")},
		Project: []agent.Carrier{carrier("{project}/.github/hooks/hookspan.json")},
		Layout:  agent.Flat,
		Keys:    agent.Keys{Type: true, Command: "bash", PowerShell: "powershell", Timeout: "timeoutSec"},
		Windows: agent.PowerShell,
		Notes:   []string{"Copilot also reads a project's .claude/settings.json: a call that arrives through both files gets the same answer twice"},
		// Repository hooks start in the git root, whose .github was read.
		Checkout:    ".",
		ProjectGate: howToTrust,
	}
}

func carrier(path string) agent.Carrier {
	return agent.Carrier{Path: path, Format: agent.JSON, At: []string{"hooks"}, Own: true, Needs: []agent.Need{{Key: "version", JSON: "1"}}}
}
