package droid

import "github.com/hookspan/hookspan/internal/agent"

// gates: hooksDisabled counts inside the map of events alone, which is the whole of hooks.json.
func gates() ([]agent.Gate, []agent.Variable) {
	const home = "${FACTORY_HOME_OVERRIDE:-~}/.factory"
	return []agent.Gate{
		{
			Files: []string{home + "/hooks.json", home + "/hooks/hooks.json", "{project}/.factory/hooks.json", "{project}/.factory/hooks/hooks.json"},
			Key:   []string{"hooksDisabled"}, Is: "true", Stops: agent.Everything, Lift: "take it out",
		},
		{
			Files: []string{home + "/settings.json", "{project}/.factory/settings.json"},
			Key:   []string{"hooks", "hooksDisabled"}, Is: "true", Stops: agent.Everything, Lift: "take it out",
		},
		{
			Files: []string{"/etc/factory/settings.json", "/Library/Application Support/Factory/settings.json"},
			Key:   []string{"allowManagedHooksOnly"}, Is: "true", Stops: agent.NotManaged, Lift: agent.AskManager,
		},
	}, nil
}
