package pi

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// tools are the built-in tools. Keys that are not named here are Claude's already, or have no
// counterpart there.
func tools() []agent.Tool {
	path := agent.Key{Native: "path", Claude: "file_path"}
	return []agent.Tool{
		{Native: "bash", Name: "Bash", Kind: hook.KindShell},
		{Native: "powershell", Name: "PowerShell", Kind: hook.KindShell}, // Windows
		{Native: "read", Name: "Read", Kind: hook.KindRead, File: "path", Op: hook.OpRead, Keys: []agent.Key{path}},
		{Native: "write", Name: "Write", Kind: hook.KindWrite, File: "path", Op: hook.OpCreate, Keys: []agent.Key{path}},
		{Native: "edit", Name: "Edit", Kind: hook.KindEdit, File: "path", Op: hook.OpUpdate,
			Keys: []agent.Key{path, {Native: "edits", Claude: "edits",
				Elem: []agent.Key{{Native: "oldText", Claude: "old_string"}, {Native: "newText", Claude: "new_string"}}}}},
		// The next three are off unless --tools asks for them.
		{Native: "grep", Name: "Grep", Kind: hook.KindSearch},
		{Native: "find", Name: "Glob", Kind: hook.KindSearch},
		{Native: "ls", Kind: hook.KindSearch},
		// A script of the model's that calls tools; each of its calls is a tool call of its own.
		{Native: "codemode", Kind: hook.KindOther},
	}
}
