package antigravity

import "github.com/hookspan/hookspan/internal/agent"

// Setup is how hookspan registers itself in Antigravity: as a named hook of its own in the global file,
// which the IDE and agy share. One bad thing rejects the whole file: tool events take groups, the others
// flat entries, time limits are whole seconds, and an entry has no other keys. The payload names no
// event, so the command does.
func Setup() agent.Setup {
	return agent.Setup{
		Program: "agy",
		Alias:   "agy",
		Home:    "~/.gemini/config",
		User:    []agent.Carrier{carrier("~/.gemini/config/hooks.json")},
		Project: []agent.Carrier{carrier("{project}/.agents/hooks.json")},
		Layout:  agent.ToolsGrouped,
		Keys:    agent.Keys{Type: true, Command: "command", Timeout: "timeout"},
		All:     "*",
		Narrow:  agent.NarrowExact, // an expression by most reports, ignored by one: both start us for all of these tools
		Windows: agent.Cmd,
		// Hooks start in the folder that holds hooks.json: .agents, in the checkout.
		Checkout:    "..",
		ProjectGate: "the folder must be an open and trusted workspace; `agy -p` reads it with --add-dir only, and some versions never do: the user's file is the safe one",
		Notes: []string{"everything about Antigravity here is by its documents, none of it was run",
			"agy keeps hooks in memory: restart it"},
	}
}

func carrier(path string) agent.Carrier {
	return agent.Carrier{Path: path, Format: agent.JSON, At: []string{"hookspan"}}
}
