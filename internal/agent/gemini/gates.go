package gemini

import "github.com/hookspan/hookspan/internal/agent"

// gates: the switch counts in every layer of settings.
func gates() ([]agent.Gate, []agent.Variable) {
	return []agent.Gate{{
			Files: []string{"${GEMINI_CLI_HOME:-~}/.gemini/settings.json", "{project}/.gemini/settings.json",
				"${GEMINI_CLI_SYSTEM_SETTINGS_PATH:-/etc/gemini-cli/settings.json}"},
			Key: []string{"hooksConfig", "enabled"}, Is: "false", Stops: agent.Everything, Lift: "take it out",
		}}, []agent.Variable{
			{Name: "GEMINI_CLI_TRUST_WORKSPACE", Is: "false", Stops: agent.Everything},
			{Name: "GEMINI_RESTRICTED_MODE", Is: "true", Stops: agent.Everything},
		}
}
