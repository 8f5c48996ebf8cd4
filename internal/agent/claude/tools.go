package claude

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// tools are the built-in tools. Names and keys are Claude's own, so nothing is renamed. Grep and
// Glob are not offered by the Linux builds, which search in the shell.
func tools() []agent.Tool {
	return []agent.Tool{
		{Native: "Bash", Name: "Bash", Kind: hook.KindShell},
		{Native: "PowerShell", Kind: hook.KindShell},
		{Native: "Monitor", Kind: hook.KindShell}, // runs a command in the background and reads its lines
		{Native: "Read", Name: "Read", Kind: hook.KindRead, File: "file_path", Op: hook.OpRead},
		{Native: "Write", Name: "Write", Kind: hook.KindWrite, File: "file_path", Op: hook.OpCreate},
		{Native: "Edit", Name: "Edit", Kind: hook.KindEdit, File: "file_path", Op: hook.OpUpdate},
		{Native: "NotebookEdit", Kind: hook.KindEdit, File: "notebook_path", Op: hook.OpUpdate},
		{Native: "Grep", Name: "Grep", Kind: hook.KindSearch},
		{Native: "Glob", Name: "Glob", Kind: hook.KindSearch},
		{Native: "WebFetch", Name: "WebFetch", Kind: hook.KindFetch},
		{Native: "WebSearch", Name: "WebSearch", Kind: hook.KindFetch},
		{Native: "Agent", Name: "Agent", Kind: hook.KindSubagent},
		{Native: "Skill", Kind: hook.KindOther},
		{Native: "ToolSearch", Kind: hook.KindOther, Since: version},
		{Native: "AskUserQuestion", Kind: hook.KindOther},
		{Native: "TaskCreate", Kind: hook.KindOther},
		{Native: "TaskUpdate", Kind: hook.KindOther},
		{Native: "EnterWorktree", Kind: hook.KindOther},
		{Native: "ExitWorktree", Kind: hook.KindOther},
	}
}
