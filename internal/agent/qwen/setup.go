package qwen

import "github.com/hookspan/hookspan/internal/agent"

// Setup is how hookspan registers itself in Qwen Code. A limit below 1000 is seconds.
func Setup() agent.Setup {
	return agent.Setup{
		Program: "qwen",
		Home:    "${QWEN_HOME:-~/.qwen}",
		User:    []agent.Carrier{carrier("${QWEN_HOME:-~/.qwen}/settings.json")},
		Project: []agent.Carrier{carrier("{project}/.qwen/settings.json")},
		Layout:  agent.Grouped,
		Keys:    agent.Keys{Type: true, Command: "command", Timeout: "timeout"},
		Windows: agent.Cmd,
		Literal: "$",
		// Hooks start in the exact folder whose .qwen was read.
		Checkout:    ".",
		ProjectGate: "none, unless security.folderTrust.enabled is set: then trust the folder in qwen once",
	}
}

func carrier(path string) agent.Carrier {
	return agent.Carrier{Path: path, Format: agent.JSONComments, BOM: true, At: []string{"hooks"}}
}
