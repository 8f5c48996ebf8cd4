package codex

import "github.com/hookspan/hookspan/internal/agent"

// gates: the feature's switch under its name and its old name, the administrator's, the project's trust.
func gates() ([]agent.Gate, []agent.Variable) {
	const requirements = "/etc/codex/requirements.toml"
	files := []string{userConfig, "/etc/codex/config.toml", requirements}
	return []agent.Gate{
		{Files: files, Key: []string{"features", "hooks"}, Is: "false", Stops: agent.Everything, Lift: "set it to true"},
		{Files: files, Key: []string{"features", "codex_hooks"}, Is: "false", Stops: agent.Everything, Lift: "take it out"},
		{Files: []string{requirements}, Key: []string{"allow_managed_hooks_only"}, Is: "true", Stops: agent.NotManaged, Lift: agent.AskManager},
		{Files: []string{userConfig}, Key: []string{"projects", "{project}", "trust_level"}, Is: `"untrusted"`, Stops: agent.ProjectHooks,
			Lift: "trust the project: codex exec --trust"},
	}, nil
}
