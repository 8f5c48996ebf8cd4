package claude

import "github.com/hookspan/hookspan/internal/agent"

// With starts Claude Code with hooks for one session. --settings counts beside all other settings, and an
// entry that stands in the user's settings too runs once (2.1.220, 2.1.332). Claude takes the option once;
// where the person needs it, a plugin folder, which may be named several times, carries the hooks.
func With() agent.With {
	return agent.With{
		Ways: []agent.Way{
			{Args: []string{"--settings", "{dir}/settings.json"}, Clash: []string{"--settings"},
				Hooks: agent.Carrier{Path: "settings.json", Format: agent.JSON, At: []string{"hooks"}}},
			{Args: []string{"--plugin-dir", "{dir}"},
				Hooks: agent.Carrier{Path: "hooks/hooks.json", Format: agent.JSON, At: []string{"hooks"}},
				Files: []agent.SessionFile{{Path: ".claude-plugin/plugin.json",
					Text: `{"name":"hookspan","version":"1.0.0","description":"hookspan, for this session"}` + "\n"}}},
		},
		Notes: []string{"in the terminal no hook runs before the folder is trusted; `claude -p` asks for no trust"},
	}
}
