package pi

import "github.com/hookspan/hookspan/internal/agent"

// With starts Pi with hooks for one session: -e loads an extension, may be given several times, and asks
// for no trust (1.6.0).
func With() agent.With {
	return agent.With{Ways: []agent.Way{{
		Args:  []string{"-e", "{dir}/hookspan.ts"},
		Hooks: agent.Carrier{Path: "hookspan.ts", Format: agent.TypeScript},
	}}}
}
