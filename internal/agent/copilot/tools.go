package copilot

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// tools are the built-in tools, by their native names; which of them there are depends on the model
// (gpt-5.4 has apply_patch and rg instead of create, edit and grep). Keys that are not named here are
// Claude's already, or have no counterpart there: paths of the searches is one text or several.
func tools() []agent.Tool {
	path := agent.Key{Native: "path", Claude: "file_path"}
	return []agent.Tool{
		{Native: "bash", Name: "Bash", Kind: hook.KindShell},
		{Native: "view", Name: "Read", Kind: hook.KindRead, File: "path", Op: hook.OpRead, Keys: []agent.Key{path}},
		{Native: "create", Name: "Write", Kind: hook.KindWrite, File: "path", Op: hook.OpCreate,
			Keys: []agent.Key{path, {Native: "file_text", Claude: "content"}}},
		{Native: "edit", Name: "Edit", Kind: hook.KindEdit, File: "path", Op: hook.OpUpdate,
			Keys: []agent.Key{path, {Native: "old_str", Claude: "old_string"}, {Native: "new_str", Claude: "new_string"}}},
		{Native: patchTool, Name: "Edit", Kind: hook.KindEdit, Patch: "."},
		{Native: "grep", Name: "Grep", Kind: hook.KindSearch},
		{Native: "rg", Name: "Grep", Kind: hook.KindSearch},
		{Native: "glob", Name: "Glob", Kind: hook.KindSearch},
		{Native: "task", Name: "Agent", Kind: hook.KindSubagent, Keys: []agent.Key{{Native: "agent_type", Claude: "subagent_type"}}},
		{Native: "web_fetch", Name: "WebFetch", Kind: hook.KindFetch}, // not offered offline, so never seen
		{Native: "fetch_copilot_cli_documentation", Kind: hook.KindFetch},
		{Native: "read_bash", Kind: hook.KindOther},
		{Native: "stop_bash", Kind: hook.KindOther},
		{Native: "list_bash", Kind: hook.KindOther},
		{Native: "read_agent", Kind: hook.KindOther},
		{Native: "list_agents", Kind: hook.KindOther},
		{Native: "write_agent", Kind: hook.KindOther},
		{Native: "skill", Kind: hook.KindOther},
		{Native: "sql", Kind: hook.KindOther},
		{Native: "session_store_sql", Kind: hook.KindOther},
		{Native: "ask_user", Kind: hook.KindOther}, // in the terminal
	}
}

// patchTool takes its input as a bare text.
const patchTool = "apply_patch"
