package gemini

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// tools are the built-in tools (the program's own list, ALL_BUILTIN_TOOL_NAMES). Keys that are not
// named here are Claude's already, or have no counterpart there: start_line and end_line of
// read_file count otherwise than offset and limit.
func tools() []agent.Tool {
	return []agent.Tool{
		{Native: "run_shell_command", Name: "Bash", Kind: hook.KindShell,
			Keys: []agent.Key{{Native: "is_background", Claude: "run_in_background"}}},
		{Native: "read_file", Name: "Read", Kind: hook.KindRead, File: "file_path", Op: hook.OpRead},
		{Native: "read_many_files", Kind: hook.KindRead},
		{Native: "write_file", Name: "Write", Kind: hook.KindWrite, File: "file_path", Op: hook.OpCreate},
		{Native: "replace", Name: "Edit", Kind: hook.KindEdit, File: "file_path", Op: hook.OpUpdate,
			Keys: []agent.Key{{Native: "allow_multiple", Claude: "replace_all"}}},
		{Native: "list_directory", Kind: hook.KindSearch},
		{Native: "glob", Name: "Glob", Kind: hook.KindSearch, Keys: folder()},
		{Native: "grep_search", Name: "Grep", Kind: hook.KindSearch,
			Keys: append(folder(), agent.Key{Native: "include_pattern", Claude: "glob"})},
		{Native: "search_file_content", Name: "Grep", Kind: hook.KindSearch, Keys: folder()}, // grep_search until its renaming
		{Native: "web_fetch", Name: "WebFetch", Kind: hook.KindFetch},
		{Native: "google_web_search", Name: "WebSearch", Kind: hook.KindFetch},
		{Native: "invoke_agent", Name: "Agent", Kind: hook.KindSubagent,
			Keys: []agent.Key{{Native: "agent_name", Claude: "subagent_type"}}},
		{Native: "complete_task", Kind: hook.KindOther}, // a subagent's last call
		{Native: "write_todos", Kind: hook.KindOther},
		{Native: "activate_skill", Kind: hook.KindOther},
		{Native: "ask_user", Kind: hook.KindOther},
		{Native: "enter_plan_mode", Kind: hook.KindOther},
		{Native: "exit_plan_mode", Kind: hook.KindOther},
		{Native: "update_topic", Kind: hook.KindOther},
		{Native: "get_internal_docs", Kind: hook.KindOther},
		{Native: "list_background_processes", Kind: hook.KindOther},
		{Native: "read_background_output", Kind: hook.KindOther},
		{Native: "read_mcp_resource", Kind: hook.KindOther},
		{Native: "list_mcp_resources", Kind: hook.KindOther},
		{Native: "tracker_create_task", Kind: hook.KindOther},
		{Native: "tracker_update_task", Kind: hook.KindOther},
		{Native: "tracker_get_task", Kind: hook.KindOther},
		{Native: "tracker_list_tasks", Kind: hook.KindOther},
		{Native: "tracker_add_dependency", Kind: hook.KindOther},
		{Native: "tracker_visualize", Kind: hook.KindOther},
	}
}

// folder is the key of the folder in which a search begins.
func folder() []agent.Key { return []agent.Key{{Native: "dir_path", Claude: "path"}} }
