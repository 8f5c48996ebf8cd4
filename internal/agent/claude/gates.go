package claude

import "github.com/hookspan/hookspan/internal/agent"

// gates: a repository's settings may switch off the hooks of all.
func gates() ([]agent.Gate, []agent.Variable) {
	return []agent.Gate{
		{
			Files: []string{"${CLAUDE_CONFIG_DIR:-~/.claude}/settings.json", "{project}/.claude/settings.json", "{project}/.claude/settings.local.json",
				"{cwd}/.claude/settings.json", "{cwd}/.claude/settings.local.json"},
			Key: []string{"disableAllHooks"}, Is: "true", Stops: agent.Everything, Lift: "take it out",
		},
		{
			Files: []string{"/etc/claude-code/managed-settings.json", "/Library/Application Support/ClaudeCode/managed-settings.json",
				`C:\Program Files\ClaudeCode\managed-settings.json`},
			Key: []string{"allowManagedHooksOnly"}, Is: "true", Stops: agent.NotManaged, Lift: agent.AskManager,
		},
	}, nil
}
