package antigravity

import "github.com/hookspan/hookspan/internal/agent"

const strict = "each top-level key is a named hook with enabled and events; tool events take groups, the others flat handlers; whole seconds. " +
	"One bad thing rejects the whole file: the sign is \"failed to parse hooks.json\" or \"loaded 0 named hooks\" in ~/.gemini/antigravity-cli/cli.log"

func places() []agent.Place {
	return append(readPlaces(), unreadPlaces()...)
}

func readPlaces() []agent.Place {
	return []agent.Place{
		{Scope: agent.ScopeUser, Path: "~/.gemini/config/hooks.json", Format: agent.JSON, Read: true,
			Note: strict + "; kept in memory by a background process: restart after a change", Proof: doc("1.2.7")},
		{Scope: agent.ScopeProject, Path: "{project}/.agents/hooks.json", Format: agent.JSON, Read: true,
			Gate: "an open and trusted workspace, in `agy -p` only with --add-dir; reports about 1.1.8 to 1.2.4 say that it is not read at all",
			Walk: "workspace root only", Note: strict, Proof: doc("1.2.7")},
		{Scope: agent.ScopePlugin, Path: "~/.gemini/config/plugins/*/hooks.json", Format: agent.JSON, Read: true,
			Gate: "counted and never loaded in 1.1.26 and 1.1.27", Note: strict + "; runs in the plugin's folder", Proof: doc("1.5.0")},
	}
}

// unreadPlaces are those in which people put hooks in vain.
func unreadPlaces() []agent.Place {
	return []agent.Place{
		{Scope: agent.ScopePlugin, Path: "~/.gemini/config/plugins/*/hooks/hooks.json", Format: agent.JSON, Note: "read by 1.0.6 only", Proof: doc("1.4.12")},
		{Scope: agent.ScopeUser, Path: "~/.gemini/antigravity-cli/hooks.json", Format: agent.JSON, Note: "ignored when hooks run in later versions", Proof: doc("1.1.8")},
		{Scope: agent.ScopeUser, Path: "~/.gemini/antigravity-cli/settings.json", Format: agent.JSON, Note: "hooks in it are never read", Proof: doc("1.1.17")},
		{Scope: agent.ScopeUser, Path: "~/.gemini/settings.json", Format: agent.JSON, Note: "Gemini CLI's, never read by Antigravity", Proof: doc("1.1.17")},
		{Scope: agent.ScopeUser, Path: "~/.gemini/hooks.toml", Format: agent.TOML, Note: "never read: no source knows it", Proof: doc("1.1.8")},
		{Scope: agent.ScopeUser, Path: "~/.claude/hooks/", Format: agent.JSON, Note: "never read", Proof: doc("1.1.8")},
		{Scope: agent.ScopeUser, Path: "~/.claude/settings.json", Format: agent.JSON, Note: "never read", Proof: doc("1.1.8")},
		{Scope: agent.ScopeProject, Path: "{project}/.claude/settings.json", Format: agent.JSON, Note: "never read", Proof: doc("1.1.8")},
		{Scope: agent.ScopeProject, Path: "{project}/.agent/hooks.json", Format: agent.JSON, Note: "does not load", Proof: doc("1.2.7")},
	}
}

func switches() []string {
	return []string{
		"\"enabled\": false in a named hook of hooks.json",
		"one bad entry of anybody in hooks.json: the whole file",
		"GEMINI_API_KEY: hooks were loaded and not run under an API key in 1.1.22",
	}
}

func holes() []string {
	return []string{
		"no event for a prompt, a permission question, the end of a session, a compaction or a subagent",
		"no event carries the prompt, the answer or a tool's output; they stand in the file at transcriptPath",
		"context can be said at PreInvocation alone, which fires before each request to the model and is not registered by itself: until it is, context and feedback wait",
		"call_mcp_tool does not name server and tool where a report tells it, so matchers of mcp__… never hit; @mcp and call_mcp_tool do",
		"in `agy -p` without --add-dir no folder is told: only the user's manifest counts",
		"an allow does not skip Antigravity's own question",
		"the text of a command that is already running: no event",
	}
}
