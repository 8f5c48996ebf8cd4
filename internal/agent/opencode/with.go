package opencode

import "github.com/hookspan/hookspan/internal/agent"

// With starts OpenCode with hooks for one session: the list of plugins in OPENCODE_CONFIG_CONTENT is added
// to those of all other configuration (1.18.33). A folder named by OPENCODE_CONFIG_DIR would do as well,
// but OpenCode runs npm in it.
func With() agent.With {
	return agent.With{
		Ways: []agent.Way{{
			Hooks: agent.Carrier{Path: "hookspan.js", Format: agent.JavaScript},
			List:  &agent.List{Var: "OPENCODE_CONFIG_CONTENT", At: []string{"plugin"}, Item: "{dir}/hookspan.js"},
		}},
		Notes: []string{"with any plugin OpenCode waits at its start until npm has run in its own configuration folders: about 70 s without a network, unless npm_config_offline=true is set"},
	}
}
