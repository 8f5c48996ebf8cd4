package claude

import "github.com/hookspan/hookspan/internal/agent"

const (
	trustGate = "the terminal runs no hook, not even the user's, before the folder is trusted (the dialog's default answer is no); `-p` asks for no trust"
	allOrNone = "in `-p` one invalid entry, comment or unrelated bad setting drops the whole file without a word; the terminal skips the entry and shows a dialog"
)

func places() []agent.Place {
	return append(settingsPlaces(), otherPlaces()...)
}

// settingsPlaces are the settings files. All of them count together; nothing overrides anything, and
// equal commands run once.
func settingsPlaces() []agent.Place {
	return []agent.Place{
		{Scope: agent.ScopeUser, Path: "${CLAUDE_CONFIG_DIR:-~/.claude}/settings.json", Format: agent.JSON, Read: true,
			Gate: trustGate, Note: allOrNone + "; --setting-sources can leave it out", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.claude/settings.json", Format: agent.JSON, Read: true,
			Gate: trustGate, Walk: "launch folder only", Note: allOrNone, Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.claude/settings.local.json", Format: agent.JSON, Read: true,
			Gate: trustGate, Walk: "launch folder, and the git root when launched below it", Note: allOrNone, Proof: live()},
		{Scope: agent.ScopeSession, Path: "--settings FILE|JSON", Format: agent.JSON, Read: true,
			Gate: trustGate, Note: "for one session", Proof: live()},
		{Scope: agent.ScopeManaged, Path: "/etc/claude-code/managed-settings.json", Format: agent.JSON, Read: true,
			Gate: trustGate, Note: "Linux; disableAllHooks of the others does not reach it", Proof: live()},
		{Scope: agent.ScopeManaged, Path: "/etc/claude-code/managed-settings.d/", Format: agent.JSON, Read: true,
			Gate: trustGate, Note: "Linux", Proof: src()},
		{Scope: agent.ScopeManaged, Path: "/Library/Application Support/ClaudeCode/managed-settings.json", Format: agent.JSON, Read: true,
			Gate: trustGate, Note: "macOS", Proof: src()},
		{Scope: agent.ScopeManaged, Path: `C:\Program Files\ClaudeCode\managed-settings.json`, Format: agent.JSON, Read: true,
			Gate: trustGate, Note: "Windows; group policy in the registry as well", Proof: src()},
	}
}

func otherPlaces() []agent.Place {
	return []agent.Place{
		{Scope: agent.ScopePlugin, Path: "${CLAUDE_CONFIG_DIR:-~/.claude}/plugins/*/hooks/hooks.json", Format: agent.JSON, Read: true,
			Gate: "the plugin is installed and enabled; also --plugin-dir and --plugin-url", Note: "an object with the key hooks; CLAUDE_PLUGIN_ROOT is set", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{project}/.claude/skills/*/SKILL.md", Read: true,
			Gate: "from the load of the skill on", Note: "hooks: in the front matter, agent files too; only here does once:true work", Proof: live()},
		{Scope: agent.ScopeUser, Path: "~/.claude/settings.json", Format: agent.JSON,
			Note: "never read where CLAUDE_CONFIG_DIR names another folder", Proof: live()},
		{Scope: agent.ScopeProject, Path: "{parent}/.claude/settings.json", Format: agent.JSON,
			Note: "never read from a sub-folder, in a git repository or not: `cd apps/web && claude` has none of the root's hooks", Proof: live()},
	}
}

func switches() []string {
	return []string{
		"disableAllHooks: true in any settings file, a repository's too: no hook but managed ones",
		"allowManagedHooksOnly: true in managed settings: only managed hooks",
		"--bare, --safe-mode: no hook",
		"--setting-sources LIST: only the named ones of user, project, local",
		"--restricted: no user, project and local hooks",
		"strictPluginOnlyCustomization in managed settings: only hooks of plugins",
		"CLAUDE_CODE_RESTRICT_PERSONAL_CONFIG",
	}
}

func holes() []string {
	return []string{
		"`!cmd` that the user types in the terminal: no PreToolUse",
		"calls that fail validation (unknown tool, wrong keys, an Edit whose old text is missing): no PreToolUse, only PostToolBatch",
		"built-in slash commands (/compact, /clear, /model): no UserPromptSubmit",
		"Esc: no Stop and no PostToolUse; \"no\" in the permission dialog: no PostToolUse",
		"PermissionRequest in `-p` before 2.1.332",
		"Grep and Glob on Linux: the model searches with Bash, so a matcher Grep never hits",
		"what a background command does after its call has returned",
		"at the time limit, at a crash and where the program is missing Claude goes on; onFailure:\"block\" (2.1.332) changes that for command hooks",
	}
}
