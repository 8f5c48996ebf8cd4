package qwen

import "github.com/hookspan/hookspan/internal/agent"

// With starts Qwen Code with hooks for one session: QWEN_CODE_SYSTEM_SETTINGS_PATH names a settings file
// of the machine. Unlike Gemini CLI, of which it is a fork, 0.24.4 reads it whoever owns it.
func With() agent.With {
	return agent.With{Ways: []agent.Way{{
		Env:   []string{"QWEN_CODE_SYSTEM_SETTINGS_PATH={dir}/settings.json"},
		Hooks: agent.Carrier{Path: "settings.json", Format: agent.JSONComments, BOM: true, At: []string{"hooks"}},
		Layer: &agent.Layer{
			Var:   "QWEN_CODE_SYSTEM_SETTINGS_PATH",
			Linux: "/etc/qwen-code/settings.json", Mac: "/Library/Application Support/QwenCode/settings.json", Windows: `C:\ProgramData\qwen-code\settings.json`,
			Beside: "system-defaults.json", BesideVar: "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
		},
	}}}
}
