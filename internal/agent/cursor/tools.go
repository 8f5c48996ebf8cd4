package cursor

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// tools are the names that hooks see. MCP tools are MCP:TOOL, without the server.
func tools() []agent.Tool {
	path := []agent.Key{{Native: "file_path", Claude: "path"}}
	return []agent.Tool{
		{Native: "Shell", Name: "Bash", Kind: hook.KindShell},
		{Native: "Read", Name: "Read", Kind: hook.KindRead, File: "file_path", Op: hook.OpRead},
		// Edits come as Write too: content is the whole new text of the file.
		{Native: "Write", Name: "Write", Kind: hook.KindWrite, File: "file_path", Op: hook.OpCreate},
		{Native: "Delete", Kind: hook.KindEdit, File: "file_path", Op: hook.OpDelete},
		// Seen in transcripts only; were it sent to hooks, guards must see its file.
		{Native: "StrReplace", Name: "Edit", Kind: hook.KindEdit, File: "path", Op: hook.OpUpdate,
			Keys: []agent.Key{{Native: "path", Claude: "file_path"}}},
		{Native: "Grep", Name: "Grep", Kind: hook.KindSearch, Keys: path},
		{Native: "List", Kind: hook.KindSearch, Keys: path},
		{Native: "Fetch", Name: "WebFetch", Kind: hook.KindFetch},
		{Native: "WebSearch", Name: "WebSearch", Kind: hook.KindFetch},
		{Native: "Task", Name: "Agent", Kind: hook.KindSubagent},
		{Native: "ReadLints", Kind: hook.KindOther},
		{Native: "WriteShellStdin", Kind: hook.KindOther},
		{Native: "ListMcpResources", Kind: hook.KindOther},
		{Native: "FetchMcpResource", Kind: hook.KindOther},
		{Native: "ComputerUse", Kind: hook.KindOther},
		{Native: "RecordScreen", Kind: hook.KindOther},
	}
}

// honoured reports whether Cursor takes a changed key of a tool's input (the wrappers of
// sdk-1.0.32). Every other key is ignored without a word. MCP tools take any.
func honoured(tool, key string) bool {
	switch tool {
	case "Shell":
		return key == "command" || key == "cwd" || key == "timeout"
	case "Write", "Read", "Delete", "List", "ReadLints":
		return key == "file_path"
	case "Grep":
		return key == "pattern" || key == "file_path"
	case "Fetch":
		return key == "url"
	}
	return false
}

// The events that are about one file name no tool. These stand for it; the native names are the
// words that Cursor's own matcher knows there.
func readOf(native string) agent.Tool {
	return agent.Tool{Native: native, Name: "Read", Kind: hook.KindRead, File: "file_path", Op: hook.OpRead}
}

func editOf(native string) agent.Tool {
	return agent.Tool{Native: native, Name: "Edit", Kind: hook.KindEdit, File: "file_path", Op: hook.OpUpdate}
}
