package antigravity

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// The shell tool and the key of the folder that its command runs in.
const (
	runCommand = "run_command"
	runFolder  = "Cwd"
)

// tools are the names and keys that reports agree on; the path has another key in each. Keys that
// are not named here have no counterpart in Claude Code, or no report tells them.
func tools() []agent.Tool {
	part := []agent.Key{{Native: "TargetContent", Claude: "old_string"}, {Native: "ReplacementContent", Claude: "new_string"},
		{Native: "AllowMultiple", Claude: "replace_all"}}
	target := agent.Key{Native: "TargetFile", Claude: "file_path"}
	return []agent.Tool{
		{Native: runCommand, Name: "Bash", Kind: hook.KindShell, Keys: []agent.Key{{Native: "CommandLine", Claude: "command"}}},
		{Native: "view_file", Name: "Read", Kind: hook.KindRead, File: "AbsolutePath", Op: hook.OpRead,
			Keys: []agent.Key{{Native: "AbsolutePath", Claude: "file_path"}}},
		{Native: "write_to_file", Name: "Write", Kind: hook.KindWrite, File: "TargetFile", Op: hook.OpCreate,
			Keys: []agent.Key{target, {Native: "CodeContent", Claude: "content"}}},
		{Native: "replace_file_content", Name: "Edit", Kind: hook.KindEdit, File: "TargetFile", Op: hook.OpUpdate,
			Keys: append([]agent.Key{target}, part...)},
		{Native: "multi_replace_file_content", Name: "Edit", Kind: hook.KindEdit, File: "TargetFile", Op: hook.OpUpdate,
			Keys: []agent.Key{target, {Native: "ReplacementChunks", Claude: "edits", Elem: part}}},
		{Native: "list_dir", Kind: hook.KindSearch, Keys: []agent.Key{{Native: "DirectoryPath", Claude: "path"}}},
		{Native: "grep_search", Name: "Grep", Kind: hook.KindSearch},
		{Native: "search_web", Name: "WebSearch", Kind: hook.KindFetch},
		{Native: "read_url_content", Name: "WebFetch", Kind: hook.KindFetch},
		{Native: "invoke_subagent", Name: "Agent", Kind: hook.KindSubagent},
		{Native: "call_mcp_tool", Kind: hook.KindMCP},
		{Native: "ask_question", Kind: hook.KindOther},
		{Native: "ask_permission", Kind: hook.KindOther},
	}
}
