package opencode

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// tools are the built-in tools (the program's ToolRegistry, and the resource tools of MCP). Keys that
// are not named here are Claude's already, or have no counterpart there.
func tools() []agent.Tool {
	path := agent.Key{Native: "filePath", Claude: "file_path"}
	return []agent.Tool{
		{Native: "bash", Name: "Bash", Kind: hook.KindShell},
		{Native: "read", Name: "Read", Kind: hook.KindRead, File: "filePath", Op: hook.OpRead, Keys: []agent.Key{path}},
		{Native: "write", Name: "Write", Kind: hook.KindWrite, File: "filePath", Op: hook.OpCreate, Keys: []agent.Key{path}},
		{Native: "edit", Name: "Edit", Kind: hook.KindEdit, File: "filePath", Op: hook.OpUpdate,
			Keys: []agent.Key{path, {Native: "oldString", Claude: "old_string"}, {Native: "newString", Claude: "new_string"},
				{Native: "replaceAll", Claude: "replace_all"}}},
		// In place of edit and write where the model's id has gpt- in it (not gpt-4, not oss).
		{Native: "apply_patch", Name: "Edit", Kind: hook.KindEdit, Patch: "patchText"},
		{Native: "glob", Name: "Glob", Kind: hook.KindSearch},
		{Native: "grep", Name: "Grep", Kind: hook.KindSearch, Keys: []agent.Key{{Native: "include", Claude: "glob"}}},
		{Native: "webfetch", Name: "WebFetch", Kind: hook.KindFetch},
		{Native: "websearch", Name: "WebSearch", Kind: hook.KindFetch},
		{Native: "task", Name: "Agent", Kind: hook.KindSubagent},
		{Native: "skill", Kind: hook.KindOther},
		{Native: "todowrite", Kind: hook.KindOther},
		{Native: "question", Kind: hook.KindOther},
		{Native: "plan_exit", Kind: hook.KindOther},
		{Native: "lsp", Kind: hook.KindOther},
		{Native: "execute", Kind: hook.KindOther}, // experimental: a script that calls MCP tools
		{Native: "list_mcp_resources", Kind: hook.KindOther},
		{Native: "list_mcp_resource_templates", Kind: hook.KindOther},
		{Native: "read_mcp_resource", Kind: hook.KindOther},
		{Native: "invalid", Kind: hook.KindOther}, // an unknown tool, or one that is denied
	}
}
