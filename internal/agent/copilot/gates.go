package copilot

import "github.com/hookspan/hookspan/internal/agent"

// gates: disableAllHooks in a repository's settings stops all hooks, in a hook file those of that file.
func gates() ([]agent.Gate, []agent.Variable) {
	off := []string{"disableAllHooks"}
	managed := []string{"/etc/github-copilot/managed-settings.json"}
	return []agent.Gate{
		{
			Files: []string{"{project}/.github/copilot/settings.json", "{project}/.github/copilot/settings.local.json", "{project}/.claude/settings.json",
				"{project}/.claude/settings.local.json"},
			Key: off, Is: "true", Stops: agent.Everything, Lift: "take it out",
		},
		{Files: []string{"${COPILOT_HOME:-~/.copilot}/hooks/hookspan.json"}, Key: off, Is: "true", Stops: agent.UserHooks, Lift: "take it out"},
		{Files: []string{"{project}/.github/hooks/hookspan.json"}, Key: off, Is: "true", Stops: agent.ProjectHooks, Lift: "take it out"},
		{Files: managed, Key: []string{"allowManagedHooksOnly"}, Is: "true", Stops: agent.NotManaged, Lift: agent.AskManager},
		{Files: managed, Key: []string{"strictPluginOnlyCustomization"}, Is: `["hooks"]`, Stops: agent.NotManaged, Lift: agent.AskManager},
	}, nil
}
