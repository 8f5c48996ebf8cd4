package live

import (
	"strings"

	"github.com/hookspan/hookspan/internal/fakemodel"
)

// qwen drives Qwen Code with a prompt on its command line, over OpenAI Chat Completions.
func qwen() *Driver {
	d := &Driver{Name: "qwen", Title: "Qwen Code", Package: "@qwen-code/qwen-code", Version: "0.24.4", Command: "qwen", Node: "22.0.0",
		Model:       "scripted",
		Executables: []string{"@qwen-code/qwen-code/cli-entry.js"},
		PromptEvent: true,
		Events: strings.Fields(`SessionStart UserPromptSubmit UserPromptExpansion PreToolUse PermissionRequest PermissionDenied PostToolUse
			PostToolUseFailure PostToolBatch SubagentStart SubagentStop PreCompact PostCompact Notification InstructionsLoaded
			MessageDisplay TodoCreated TodoCompleted Stop StopFailure SessionEnd`)}
	d.Configure = func(s *Sandbox) error {
		return s.writeJSON(".qwen/settings.json", object{"security": object{"auth": object{"selectedType": "openai"}},
			"telemetry": object{"enabled": false}, "privacy": object{"usageStatisticsEnabled": false},
			"general": object{"enableAutoUpdate": false}, "model": object{"name": s.Model, "skipNextSpeakerCheck": true}})
	}
	d.Environ = func(s *Sandbox) []string {
		return []string{"OPENAI_API_KEY=" + dummyKey, "OPENAI_BASE_URL=" + s.URL + "/v1", "OPENAI_MODEL=" + s.Model}
	}
	d.Args = func(_ *Sandbox, prompt string) []string { return []string{"-p", prompt, "--yolo"} }
	d.Register = func(s *Sandbox, r Registration) error {
		return s.setJSON(".qwen/settings.json", "hooks", d.groups(r, d.handlerInSeconds(r)))
	}
	d.Tool = func(s *Sandbox, a Action) (fakemodel.ToolCall, error) {
		switch a.Verb {
		case fakemodel.VerbShell:
			return toolCall("run_shell_command", object{"command": a.Command, "description": "one step", "is_background": false})
		case fakemodel.VerbWrite:
			return toolCall("write_file", object{"file_path": s.inProject(a.Path), "content": a.Content})
		case fakemodel.VerbEdit:
			return toolCall("edit", object{"file_path": s.inProject(a.Path), "old_string": a.Old, "new_string": a.New})
		}
		return d.noTool(a)
	}
	d.Answer = strings.TrimSpace
	return d
}
