package opencode

import "github.com/hookspan/hookspan/internal/agent"

// gates are variables alone; both spellings of yes count.
func gates() ([]agent.Gate, []agent.Variable) {
	return nil, []agent.Variable{
		{Name: "OPENCODE_PURE", Is: "1", Stops: agent.Everything},
		{Name: "OPENCODE_PURE", Is: "true", Stops: agent.Everything},
		{Name: "OPENCODE_DISABLE_PROJECT_CONFIG", Is: "1", Stops: agent.ProjectHooks},
		{Name: "OPENCODE_DISABLE_PROJECT_CONFIG", Is: "true", Stops: agent.ProjectHooks},
	}
}
