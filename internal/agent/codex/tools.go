package codex

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// tools are the names that hooks see. exec_command, shell_command and calls of code mode arrive as
// Bash; files are read in the shell, so there is no tool for that.
func tools() []agent.Tool {
	list := []agent.Tool{
		{Native: "Bash", Name: "Bash", Kind: hook.KindShell},
		{Native: "apply_patch", Name: "Edit", Kind: hook.KindEdit, Patch: "command"},
		{Native: "view_image", Name: "Read", Kind: hook.KindRead, File: "path", Op: hook.OpRead,
			Keys: []agent.Key{{Native: "path", Claude: "file_path"}}},
		{Native: "update_plan", Kind: hook.KindOther}, // 0.144.5 only
		{Native: "create_goal", Kind: hook.KindOther},
		{Native: "get_goal", Kind: hook.KindOther},
		{Native: "list_mcp_resources", Kind: hook.KindOther},
		{Native: "read_mcp_resource", Kind: hook.KindOther},
		spawn("spawn_agent"),
	}
	// The namespace of the subagent tools is glued on without a separator: v1 for wait and close,
	// v2 (gpt-5.6 and later) for all.
	for _, space := range [...]string{"multi_agent_v1", "collaboration"} {
		list = append(list, spawn(space+"spawn_agent"),
			agent.Tool{Native: space + "wait_agent", Kind: hook.KindOther},
			agent.Tool{Native: space + "close_agent", Kind: hook.KindOther})
	}
	return list
}

// spawn is the start of a subagent. In v2 the message is encrypted to the model's provider.
func spawn(native string) agent.Tool {
	return agent.Tool{Native: native, Name: "Agent", Kind: hook.KindSubagent,
		Keys: []agent.Key{{Native: "message", Claude: "prompt"}, {Native: "agent_type", Claude: "subagent_type"}}}
}
