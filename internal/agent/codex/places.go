package codex

import "github.com/hookspan/hookspan/internal/agent"

const (
	hookTrust = "hook trust: an untrusted or changed hook is skipped without a word in `codex exec`. Trust is a hash over event, matcher, command and timeout, " +
		"kept in config.toml under [hooks.state.\"FILE:EVENT:GROUP:HANDLER\"]; every edit, and every group inserted in front, un-trusts. " +
		"Granted by the question at start, by /hooks, by `codex app-server` config/batchWrite; --dangerously-bypass-hook-trust for one run"
	projectTrust = "project trust and " + hookTrust + ". Project trust: [projects.\"DIR\"] trust_level in config.toml, or `codex exec --trust` (0.171.0); " +
		"0.144.5 trusts by itself in exec with workspace-write"
	gitWalk = "every folder from the git root down to the cwd, all of them; without git the cwd only; in a linked worktree the main checkout's"
)

func places() []agent.Place {
	return append(readPlaces(), unreadPlaces()...)
}

// readPlaces are all that count. Everything that matches runs, nothing overrides anything, and equal
// commands run as often as they stand there.
func readPlaces() []agent.Place {
	return []agent.Place{
		{Scope: agent.ScopeUser, Path: "${CODEX_HOME:-~/.codex}/hooks.json", Format: agent.JSON, Read: true, Gate: hookTrust,
			Note: "only description and hooks at the top; a comment, a BOM, another key, a float timeout or an unknown handler type voids the file; unknown events are ignored", Proof: live()},
		{Scope: agent.ScopeUser, Path: "${CODEX_HOME:-~/.codex}/config.toml", Format: agent.TOML, Read: true, Gate: hookTrust,
			Note: "[[hooks.EVENT]]; beside a hooks.json of the same folder both run, with a warning", Proof: live()},
		{Scope: agent.ScopeUser, Path: "${CODEX_HOME:-~/.codex}/{profile}.config.toml", Format: agent.TOML, Read: true, Gate: hookTrust,
			Note: "with -p PROFILE, in addition", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.codex/hooks.json", Format: agent.JSON, Read: true, Gate: projectTrust, Walk: gitWalk, Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.codex/config.toml", Format: agent.TOML, Read: true, Gate: projectTrust, Walk: gitWalk,
			Note: "[hooks.state] in it is ignored", Proof: live()},
		{Scope: agent.ScopeSession, Path: "-c hooks.EVENT=[…]", Format: agent.TOML, Read: true, Gate: hookTrust, Proof: live()},
		{Scope: agent.ScopeManaged, Path: "/etc/codex/requirements.toml", Format: agent.TOML, Read: true,
			Note: "[hooks]; allow_managed_hooks_only = true drops all others; needs no trust", Proof: live()},
		{Scope: agent.ScopeManaged, Path: "/etc/codex/config.toml", Format: agent.TOML, Read: true, Note: "needs no trust", Proof: live()},
		{Scope: agent.ScopeManaged, Path: "/etc/codex/hooks.json", Format: agent.JSON, Read: true, Note: "needs no trust", Proof: live()},
		{Scope: agent.ScopeManaged, Path: "/etc/codex/managed_config.toml", Format: agent.TOML, Read: true, Note: "needs no trust", Proof: live()},
		{Scope: agent.ScopePlugin, Path: "${CODEX_HOME:-~/.codex}/plugins/cache/*/*/*/hooks/hooks.json", Format: agent.JSON, Read: true,
			Gate: hookTrust + "; in 0.171.0 the plugin's content is hashed as well", Note: "sets PLUGIN_ROOT and CLAUDE_PLUGIN_ROOT", Proof: live()},
	}
}

// unreadPlaces are those in which people put hooks in vain.
func unreadPlaces() []agent.Place {
	return []agent.Place{
		{Scope: agent.ScopeProject, Path: "{worktree}/.codex/hooks.json", Format: agent.JSON,
			Note: "of a linked git worktree: never read, the main checkout's counts", Proof: live()},
		{Scope: agent.ScopeUser, Path: "${CODEX_HOME:-~/.codex}/codex_hooks.json", Format: agent.JSON, Note: "never read", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.codex/codex_hooks.json", Format: agent.JSON, Note: "never read", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/codex_hooks.json", Format: agent.JSON, Note: "never read", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/hooks.json", Format: agent.JSON, Note: "never read", Proof: live()},
		{Scope: agent.ScopeUser, Path: "~/.agents/hooks.json", Format: agent.JSON, Note: "never read", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.claude/settings.json", Format: agent.JSON,
			Note: "never read; 0.171.0 can copy it (\"external agent config\")", Proof: live()},
		{Scope: agent.ScopeUser, Path: "~/.claude/settings.json", Format: agent.JSON,
			Note: "never read; 0.171.0 can copy it (\"external agent config\")", Proof: live()},
		{Scope: agent.ScopeUser, Path: "${CODEX_HOME:-~/.codex}/stop-hook-dispatch.sh", Note: "never run: not a feature of Codex", Proof: live()},
	}
}

func switches() []string {
	return []string{
		"[features] hooks = false in config.toml or /etc/codex/requirements.toml (codex_hooks is an old name of it)",
		"--disable hooks",
		"allow_managed_hooks_only = true in /etc/codex/requirements.toml: only managed hooks, without a word",
		"enabled = false under [hooks.state.…]: one hook, also under --dangerously-bypass-hook-trust",
		"trust_level = \"untrusted\" for a project: none of its hooks",
	}
}

func holes() []string {
	return []string{
		"write_stdin: text typed into a running command (`bash` with a terminal, then `rm …`) fires nothing",
		"a patch inside a shell command (apply_patch <<EOF): PreToolUse as Bash, no PostToolUse, so no formatter runs",
		"a failed patch or an MCP error: no PostToolUse; a command's exit code is not told",
		"a command that still runs: PostToolUse comes when a later write_stdin sees its end, with the last output only; else never",
		"the folder of a command (workdir) is not told: relative paths are read against the session's folder",
		"web_search, tool_search and code mode's wait: no event",
		"unknown tools and wrong arguments: no event",
		"files are read in the shell: a matcher Read sees images only",
		"PermissionRequest never fires in plain `codex exec`",
		"untrusted hooks: skipped without a word in `codex exec`",
		"the terminal of 0.171.0 runs hooks in a daemon with the environment of the terminal that started it first, and /quit fires no SessionEnd; --no-daemon does both right",
		"the task of a subagent of gpt-5.6 and later is encrypted, and no UserPromptSubmit fires for it",
		"notify = [\"program\"] in config.toml is no hook: it gets its text as the last argument, and stdin is empty",
	}
}
