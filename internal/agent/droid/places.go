package droid

import "github.com/hookspan/hookspan/internal/agent"

const (
	folderTrust = "the terminal's question whether the folder is trusted: until it is answered no hook fires, the user's neither. " +
		`droid exec has no such gate. Granted beforehand by "trustedFolders":{"DIR":{"trustedAt":…}} in the user's settings`
	walk     = "the git root's, and the launch folder's in addition"
	ownMap   = "the events themselves at the top: in a wrapper {\"hooks\":…} it counts as empty. It shadows the key hooks of settings.json beside it event by event; one wrong entry drops the whole file without a word, broken JSON leaves settings.json in force"
	settings = "key hooks, only for events that the hooks.json beside it does not have; one wrong entry drops all of them without a word"
	legacy   = "read only where the folder above has no hooks.json; shadows settings.json event by event"
)

func places() []agent.Place {
	return append(readPlaces(), unreadPlaces()...)
}

// readPlaces are all that count. Everything that matches runs, at the same time; nothing overrides
// anything but hooks.json its own settings.json, and equal commands run as often as they stand there.
func readPlaces() []agent.Place {
	const home = "${FACTORY_HOME_OVERRIDE:-~}/.factory/"
	return []agent.Place{
		{Scope: agent.ScopeUser, Path: home + "hooks.json", Format: agent.JSONComments, Read: true, Gate: folderTrust, Note: ownMap, Proof: live()},
		{Scope: agent.ScopeUser, Path: home + "settings.json", Format: agent.JSONComments, Read: true, Gate: folderTrust, Note: settings, Proof: live()},
		{Scope: agent.ScopeUser, Path: home + "hooks/hooks.json", Format: agent.JSONComments, Read: true, Gate: folderTrust, Note: legacy, Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.factory/hooks.json", Format: agent.JSONComments, Read: true, Gate: folderTrust, Walk: walk, Note: ownMap, Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.factory/settings.json", Format: agent.JSONComments, Read: true, Gate: folderTrust, Walk: walk, Note: settings, Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.factory/hooks/hooks.json", Format: agent.JSONComments, Read: true, Gate: folderTrust, Walk: walk, Note: legacy, Proof: live()},
		{Scope: agent.ScopeSession, Path: "--settings FILE", Format: agent.JSONComments, Read: true, Note: "key hooks", Proof: live()},
		{Scope: agent.ScopePlugin, Path: home + "plugins/cache/**/hooks/hooks.json", Format: agent.JSONComments, Read: true, Gate: folderTrust,
			Note: "${CLAUDE_PLUGIN_ROOT} is replaced as text in the command; the variable of that name holds an error", Proof: live()},
		{Scope: agent.ScopeManaged, Path: "/etc/factory/settings.json", Format: agent.JSONComments, Read: true,
			Note: "Linux; allowManagedHooksOnly: true drops all others", Proof: live()},
		{Scope: agent.ScopeManaged, Path: "/Library/Application Support/Factory/settings.json", Format: agent.JSONComments, Read: true, Note: "macOS", Proof: src()},
		{Scope: agent.ScopeManaged, Path: `C:\Program Files\Factory\settings.json`, Format: agent.JSONComments, Read: true, Note: "Windows", Proof: src()},
		{Scope: agent.ScopeManaged, Path: "${FACTORY_ORG_MANAGED_SETTINGS_LOCAL_PATH}", Format: agent.JSONComments, Read: true,
			Note: "the organisation's, also from its server or FACTORY_ORG_MANAGED_SETTINGS_URL", Proof: src()},
	}
}

// unreadPlaces are those in which people put hooks in vain.
func unreadPlaces() []agent.Place {
	never := func(scope agent.Scope, path, note string) agent.Place {
		return agent.Place{Scope: scope, Path: path, Format: agent.JSON, Note: note, Proof: live()}
	}
	return []agent.Place{
		never(agent.ScopeUser, "${FACTORY_HOME_OVERRIDE:-~}/.factory/settings.local.json", "never read for hooks, although the documents say so"),
		never(agent.ScopeProject, "{project}/.factory/settings.local.json", "never read for hooks, although the documents say so"),
		never(agent.ScopeUser, "${FACTORY_HOME_OVERRIDE:-~}/.factory/config.json", "never read for hooks"),
		never(agent.ScopeUser, "~/.claude/settings.json", "never read"),
		never(agent.ScopeProject, "{project}/.claude/settings.json", "never read"),
		never(agent.ScopeProject, "{project}/.agents/", "never read"),
		never(agent.ScopeProject, "{project}/.agent/", "never read"),
		never(agent.ScopeProject, "{project}/.github/hooks/", "never read"),
	}
}

func switches() []string {
	return []string{
		"hooksDisabled: true inside the map of events (the top of hooks.json, hooks.hooksDisabled of settings.json), in a project's file too: turns off all hooks of all levels",
		"hooksDisabled and enableHooks: false at the top of settings.json: no effect",
		"allowManagedHooksOnly: true in the organisation's or the system's settings: drops all other hooks",
		"one wrong entry (another type than command, a timeout as text, an entry without hooks): drops all hooks of that file",
	}
}

func holes() []string {
	return []string{
		"a prompt or a tool's result of more than about 128 kB: Droid hands every member of the payload on as a variable too, the program cannot be started (E2BIG), and no hook runs",
		"a command that ends with another exit code than 0: no PostToolUse, and there is no PostToolUseFailure",
		"in the terminal everything before the folder is trusted",
		"UserPromptSubmit in droid exec; PermissionRequest and SubagentStart everywhere: there are none",
		"a hook that reaches its time limit: the call goes ahead",
	}
}
