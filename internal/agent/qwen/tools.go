package qwen

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// tools are the built-in tools (the program's own list, ToolNames). Payloads have these names; the
// aliases that Qwen's matchers know (Bash, Shell, WriteFile) never arrive. Keys that are not named
// here are Claude's already.
func tools() []agent.Tool {
	list := []agent.Tool{
		{Native: "run_shell_command", Name: "Bash", Kind: hook.KindShell, Keys: background()},
		{Native: "monitor", Kind: hook.KindShell}, // watches the output of a command that it starts
		{Native: "read_file", Name: "Read", Kind: hook.KindRead, File: "file_path", Op: hook.OpRead},
		{Native: "zoom_image", Kind: hook.KindRead},
		{Native: "write_file", Name: "Write", Kind: hook.KindWrite, File: "file_path", Op: hook.OpCreate},
		{Native: "edit", Name: "Edit", Kind: hook.KindEdit, File: "file_path", Op: hook.OpUpdate},
		{Native: "replace", Name: "Edit", Kind: hook.KindEdit, File: "file_path", Op: hook.OpUpdate}, // edit until its renaming
		{Native: "notebook_edit", Name: "NotebookEdit", Kind: hook.KindEdit, File: "notebook_path", Op: hook.OpUpdate},
		{Native: "list_directory", Kind: hook.KindSearch},
		{Native: "glob", Name: "Glob", Kind: hook.KindSearch},
		{Native: "grep_search", Name: "Grep", Kind: hook.KindSearch},
		{Native: "search_file_content", Name: "Grep", Kind: hook.KindSearch}, // grep_search until its renaming
		{Native: "web_fetch", Name: "WebFetch", Kind: hook.KindFetch},
		{Native: "web_search", Name: "WebSearch", Kind: hook.KindFetch},
		{Native: "agent", Name: "Agent", Kind: hook.KindSubagent},
		{Native: "task", Name: "Agent", Kind: hook.KindSubagent}, // agent until its renaming
	}
	for _, native := range [...]string{
		"todo_write", "save_memory", "skill", "ask_user_question", "enter_plan_mode", "exit_plan_mode", "tool_search",
		"tool_call", "exec", "lsp", "image_gen", "cron_create", "cron_list", "cron_delete", "loop_wakeup",
		"create_sub_session", "list_agents", "task_stop", "task_create", "task_update", "task_list", "team_create",
		"team_delete", "team_plan_approval", "request_shutdown", "send_message", "structured_output",
		"read_mcp_resource", "enter_worktree", "exit_worktree", "workflow", "artifact", "record_artifact",
		"record_source", "report_findings", "get_goal", "update_goal", "propose_goal",
	} {
		list = append(list, agent.Tool{Native: native, Kind: hook.KindOther})
	}
	return list
}

func background() []agent.Key {
	return []agent.Key{{Native: "is_background", Claude: "run_in_background"}}
}
