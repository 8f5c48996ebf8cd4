package cursor

import "github.com/hookspan/hookspan/internal/agent"

const (
	strict = "one unknown event, one bad entry, a missing version (1), a trailing comma or a BOM voids the whole file without a word; " +
		"// and /* are stripped inside strings too, so a URL in a command breaks it"
	trusted   = "workspace trust: asked once, `agent -p` needs --trust"
	borrowed  = "Settings > Features > Third-party skills; `agent` 2026.08.11 ran them without it"
	claudeOwn = "strict JSON; counts only where some group has a matcher key; an entry whose command stands byte for byte under the same event in a hooks.json is dropped; " +
		"the payload is Cursor's, and nested hookSpecificOutput is not understood (sdk-1.0.32)"
	linked = "a symbolic link below the project root is refused"
)

// places are all of the loader's layers, in its order. All of them run, in parallel.
func places() []agent.Place {
	return append(ownPlaces(), foreignPlaces()...)
}

func ownPlaces() []agent.Place {
	return []agent.Place{
		{Scope: agent.ScopeUser, Path: "~/.cursor/hooks.json", Format: agent.JSONComments, Read: true,
			Note: strict + "; sdk-1.0.32 looks in the home folder alone, other programs of Cursor's may go by CURSOR_CONFIG_DIR", Proof: src()},
		{Scope: agent.ScopeProject, Path: "{project}/.cursor/hooks.json", Format: agent.JSONComments, Read: true, Gate: trusted,
			Walk: "project root only", Note: strict + "; " + linked, Proof: src()},
		{Scope: agent.ScopeManaged, Path: "/etc/cursor/hooks.json", Format: agent.JSONComments, Read: true, Note: "Linux; " + strict, Proof: src()},
		{Scope: agent.ScopeManaged, Path: "/Library/Application Support/Cursor/hooks.json", Format: agent.JSONComments, Read: true, Note: "macOS; " + strict, Proof: src()},
		{Scope: agent.ScopeManaged, Path: `C:\ProgramData\Cursor\hooks.json`, Format: agent.JSONComments, Read: true, Note: "Windows; " + strict, Proof: src()},
		{Scope: agent.ScopePlugin, Path: "~/.cursor/plugins/local/*/hooks/hooks.json", Format: agent.JSONComments, Read: true,
			Gate: "the IDE runs them; reports about `agent` contradict each other",
			Note: "or the file that .cursor-plugin/plugin.json names; sets CURSOR_PLUGIN_ROOT and CLAUDE_PLUGIN_ROOT", Proof: doc()},
	}
}

// foreignPlaces are Claude Code's files, which Cursor reads as well.
func foreignPlaces() []agent.Place {
	return []agent.Place{
		{Scope: agent.ScopeProject, Path: "{project}/.claude/settings.local.json", Format: agent.JSON, Read: true, Gate: borrowed,
			Walk: "project root only", Note: claudeOwn, Proof: src()},
		{Scope: agent.ScopeProject, Path: "{project}/.claude/settings.json", Format: agent.JSON, Read: true, Gate: borrowed,
			Walk: "project root only", Note: claudeOwn, Proof: src()},
		{Scope: agent.ScopeUser, Path: "~/.claude/settings.json", Format: agent.JSON, Read: true, Gate: borrowed,
			Note: claudeOwn + "; runs in ~/.claude, not in the project", Proof: src()},
	}
}

func switches() []string {
	return []string{
		"Settings > Features > Third-party skills off: the hooks of Claude Code's settings",
		"the SDK's local.settingSources without \"user\", \"project\" or \"mdm\": the hooks of that layer",
		"an untrusted workspace: the project's hooks",
	}
}

func holes() []string {
	return []string{
		"`agent -p` never fires beforeSubmitPrompt, stop, afterAgentResponse and afterAgentThought: a gate at the end of a turn does not exist there",
		"WriteShellStdin: text typed into a running command is told by its length only",
		"beforeReadFile fires after the file was read: a no keeps the text from the model, no more",
		"`agent`: no subagent event fires, and a child's calls carry a conversation of their own without a link to the parent",
		"cloud agents: only the repository's .cursor/hooks.json and the team's; no session, MCP, Tab and workspace events",
		"which events of the conversation fire is asked for by Cursor's server and may change without an update",
		"one call fires twice, as preToolUse and as beforeShellExecution, beforeMCPExecution or beforeReadFile; nothing in the two payloads joins them",
		"a payload above about 128 KiB is lost, and the call goes on, where a host hands it over inside the command text",
		"a hook that could not start, ended with another code than 0 and 2, or took too long: the action goes on, unless the entry says failClosed",
	}
}
