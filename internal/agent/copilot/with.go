package copilot

import "github.com/hookspan/hookspan/internal/agent"

// With starts Copilot with hooks for one session: a plugin folder, which may be named several times and
// fires in folders that are not trusted as well (1.0.102).
func With() agent.With {
	return agent.With{Ways: []agent.Way{{
		Args:  []string{"--plugin-dir", "{dir}"},
		Hooks: agent.Carrier{Path: "hooks/hooks.json", Format: agent.JSON, At: []string{"hooks"}, Needs: []agent.Need{{Key: "version", JSON: "1"}}},
		Files: []agent.SessionFile{{Path: "plugin.json",
			Text: `{"name":"hookspan","version":"1.0.0","description":"hookspan, for this session"}` + "\n"}},
	}}}
}
