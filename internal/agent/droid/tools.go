package droid

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// tools are the built-in tools; which of them there are depends on the model's provider (OpenAI's have
// ApplyPatch instead of Edit and Create). Keys that are not named here are Claude's already, or have no
// counterpart there: patterns of Glob is one text or several. timeout of Execute is in seconds, where
// Claude's is in milliseconds.
func tools() []agent.Tool {
	return []agent.Tool{
		{Native: "Execute", Name: "Bash", Kind: hook.KindShell, Keys: shellKeys()},
		{Native: "Read", Name: "Read", Kind: hook.KindRead, File: "file_path", Op: hook.OpRead},
		{Native: "Create", Name: "Write", Kind: hook.KindWrite, File: "file_path", Op: hook.OpCreate},
		{Native: "Edit", Name: "Edit", Kind: hook.KindEdit, File: "file_path", Op: hook.OpUpdate, Keys: editKeys()},
		{Native: "ApplyPatch", Name: "Edit", Kind: hook.KindEdit, Patch: "input"},
		{Native: "LS", Kind: hook.KindSearch},
		{Native: "Grep", Name: "Grep", Kind: hook.KindSearch, Keys: []agent.Key{{Native: "glob_pattern", Claude: "glob"}}},
		{Native: "Glob", Name: "Glob", Kind: hook.KindSearch, Keys: []agent.Key{{Native: "folder", Claude: "path"}}},
		{Native: "Task", Name: "Agent", Kind: hook.KindSubagent},
		{Native: "TaskOutput", Kind: hook.KindOther},
		{Native: "TaskStop", Kind: hook.KindOther},
		{Native: "ToolSearch", Kind: hook.KindOther},
		{Native: "Skill", Kind: hook.KindOther},
		// Named in the program, never seen in a payload.
		{Native: "FetchUrl", Name: "WebFetch", Kind: hook.KindFetch},
		{Native: "WebSearch", Name: "WebSearch", Kind: hook.KindFetch},
		{Native: "TodoWrite", Kind: hook.KindOther},
		{Native: "AskUser", Kind: hook.KindOther},
		{Native: "ExitSpecMode", Kind: hook.KindOther},
		{Native: "Script", Kind: hook.KindOther},
	}
}

func shellKeys() []agent.Key {
	return []agent.Key{
		{Native: "summary", Claude: "description"},
		{Native: "fireAndForget", Claude: "run_in_background"},
	}
}

func editKeys() []agent.Key {
	return []agent.Key{
		{Native: "old_str", Claude: "old_string"},
		{Native: "new_str", Claude: "new_string"},
		{Native: "change_all", Claude: "replace_all"},
	}
}
