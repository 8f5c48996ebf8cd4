package cursor

import "github.com/hookspan/hookspan/internal/agent"

// Setup is how hookspan registers itself in Cursor. One unknown event name voids the whole file, so only
// names stand here that every known version has, and only of the generic family: the shell, MCP and
// file events would start us a second time for the same call.
func Setup() agent.Setup {
	return agent.Setup{
		Program: "cursor-agent",
		Home:    "${CURSOR_CONFIG_DIR:-~/.cursor}",
		User:    []agent.Carrier{carrier("${CURSOR_CONFIG_DIR:-~/.cursor}/hooks.json")},
		Project: []agent.Carrier{carrier("{project}/.cursor/hooks.json")},
		Layout:  agent.Flat,
		Keys:    agent.Keys{Command: "command", Timeout: "timeout", Strict: "failClosed", StrictJSON: "true"},
		Only: []string{"sessionStart", "beforeSubmitPrompt", "preToolUse", "postToolUse", "postToolUseFailure",
			"subagentStart", "subagentStop", "preCompact", "stop", "sessionEnd"},
		Windows: agent.PowerShell,
		Escape:  []string{"//", "/*"},
		// Project hooks start in the project's root.
		Checkout:    ".",
		ProjectGate: "workspace trust: open the folder in Cursor and trust it; `cursor-agent -p` wants --trust",
		Notes: []string{"`cursor-agent -p` fires no beforeSubmitPrompt and no stop, so prompts and gates are not seen there",
			"Cursor also reads Claude Code's settings: a call that arrives through both files gets the same answer twice",
			"CURSOR_CONFIG_DIR moves the file for the command-line agent only; the editor reads ~/.cursor/hooks.json"},
	}
}

func carrier(path string) agent.Carrier {
	return agent.Carrier{Path: path, Format: agent.JSONComments, At: []string{"hooks"}, Needs: []agent.Need{{Key: "version", JSON: "1"}}}
}
