package droid

import "github.com/hookspan/hookspan/internal/agent"

// With starts Droid with hooks for one session: --settings names a file that is merged for this process
// only. Droid takes the option once.
func With() agent.With {
	return agent.With{
		Ways: []agent.Way{{
			Args: []string{"--settings", "{dir}/settings.json"}, Clash: []string{"--settings"},
			Hooks: agent.Carrier{Path: "settings.json", Format: agent.JSON, At: []string{"hooks"}},
		}},
		Not:   "Droid takes --settings once, and your own arguments hold it: leave it out, or type: hookspan install --agent droid",
		Notes: []string{"in the terminal no hook runs before the folder is trusted; `droid exec` asks for no trust"},
	}
}
