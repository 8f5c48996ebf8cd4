package copilot

import "github.com/hookspan/hookspan/internal/agent"

const (
	folderTrust = "folder trust: in an untrusted folder -p runs without the repository's hooks and says nothing; the terminal asks first. " +
		`Granted by "trustedFolders" in ~/.copilot/config.json (a parent counts; in settings.json it does not), --trust-folder, COPILOT_ALLOW_ALL=true ` +
		"(the word true alone), GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true; not by --yolo or --allow-all-tools"
	gitRoot   = "the git root only, also when started below it"
	asSetting = "key hooks"
	pascal    = "key hooks in Claude Code's format, run with Pascal payloads: one registration for Claude Code there runs in Copilot too, and a second one of Copilot's own runs beside it"
)

func places() []agent.Place {
	return append(readPlaces(), unreadPlaces()...)
}

// readPlaces stand in the order in which their hooks run. Nothing overrides anything, and equal
// commands run as often as they stand there.
func readPlaces() []agent.Place {
	return []agent.Place{
		{Scope: agent.ScopeManaged, Path: "/etc/github-copilot/policy.d/*.json", Format: agent.JSON, Read: true,
			Note: "the format of hook files; survives every switch and needs no trust; a failing one after a tool takes the result's place", Proof: live()},
		{Scope: agent.ScopeUser, Path: "${COPILOT_HOME:-~/.copilot}/hooks/**/*.json", Format: agent.JSON, Read: true,
			Note: "files in descending order of their names, then sub-folders; a wrong version, an event that is no list or a comment voids the file without a word; one wrong entry is skipped alone", Proof: live()},
		{Scope: agent.ScopeUser, Path: "~/.copilot/settings.json", Format: agent.JSON, Read: true, Note: asSetting, Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.github/hooks/**/*.json", Format: agent.JSON, Read: true, Gate: folderTrust, Walk: gitRoot,
			Note: "sub-folders too, which the documents deny; .jsonc is not read", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.claude/settings.json", Format: agent.JSON, Read: true, Gate: folderTrust, Walk: gitRoot, Note: pascal, Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.claude/settings.local.json", Format: agent.JSON, Read: true, Gate: folderTrust, Walk: gitRoot, Note: pascal, Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.github/copilot/settings.json", Format: agent.JSON, Read: true, Gate: folderTrust, Walk: gitRoot, Note: asSetting, Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.github/copilot/settings.local.json", Format: agent.JSON, Read: true, Gate: folderTrust, Walk: gitRoot, Note: asSetting, Proof: live()},
		{Scope: agent.ScopePlugin, Path: "{plugin}/hooks/hooks.json", Format: agent.JSON, Read: true,
			Note: "needs no trust; also hooks.json, a path or the hooks themselves in the plugin's manifest; --plugin-dir DIR for one session", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.github/agents/*.agent.md", Read: true, Gate: folderTrust, Walk: gitRoot,
			Note: "frontmatter key hooks, while that agent is active (since 1.0.97)", Proof: live()},
	}
}

// unreadPlaces are those in which people put hooks in vain.
func unreadPlaces() []agent.Place {
	never := func(scope agent.Scope, path, note string) agent.Place {
		return agent.Place{Scope: scope, Path: path, Format: agent.JSON, Note: note, Proof: live()}
	}
	return []agent.Place{
		never(agent.ScopeUser, "~/.copilot/config.json", "key hooks: never read, although the changelog of 1.0.8 says so"),
		never(agent.ScopeUser, "~/.copilot/hooks.json", "never read"),
		never(agent.ScopeUser, "~/.copilot/settings.local.json", "never read"),
		never(agent.ScopeUser, "~/.claude/settings.json", "never read: only a repository's"),
		never(agent.ScopeProject, "{project}/.copilot/", "never read"),
		never(agent.ScopeProject, "{project}/.agents/", "never read"),
		never(agent.ScopeProject, "{project}/.vscode/", "never read"),
		never(agent.ScopeProject, "{project}/hooks.json", "never read"),
		never(agent.ScopeProject, "{project}/.github/hooks.json", "never read"),
	}
}

func switches() []string {
	return []string{
		"disableAllHooks: true in a trusted repository's .github/copilot/settings*.json or .claude/settings.json: turns off everything, the user's hooks too",
		"disableAllHooks: true in ~/.copilot/settings.json or a hook file: turns off that file's hooks only",
		"allowManagedHooksOnly: true in /etc/github-copilot/managed-settings.json: only policy.d is left",
		`strictPluginOnlyCustomization: ["hooks"] in /etc/github-copilot/managed-settings.json: only policy.d is left`,
		`matcher "" (both spellings), "*" or another invalid expression (camelCase), an entry of unknown type or without a positive number as timeout: that hook is skipped without a word`,
	}
}

func holes() []string {
	return []string{
		"a hook that reaches its time limit: the call goes ahead, before a tool too",
		"in an untrusted folder the repository's own hooks, without a word in -p",
		"input sent to a running shell and its output afterwards (read_bash, stop_bash): the events name the shell, not what runs in it",
		"a call that preToolUse has allowed: permissionRequest does not fire for it",
	}
}
