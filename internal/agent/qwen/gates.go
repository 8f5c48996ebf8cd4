package qwen

import "github.com/hookspan/hookspan/internal/agent"

// gates: the switch counts in every layer of settings.
func gates() ([]agent.Gate, []agent.Variable) {
	return []agent.Gate{{
		Files: []string{"${QWEN_HOME:-~/.qwen}/settings.json", "{project}/.qwen/settings.json",
			"${QWEN_CODE_SYSTEM_SETTINGS_PATH:-/etc/qwen-code/settings.json}"},
		Key: []string{"disableAllHooks"}, Is: "true", Stops: agent.Everything, Lift: "take it out",
	}}, nil
}
