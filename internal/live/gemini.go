package live

import (
	"strings"

	"github.com/hookspan/hookspan/internal/fakemodel"
)

// gemini drives Gemini CLI with a prompt on its command line.
func gemini() *Driver {
	d := &Driver{Name: "gemini", Title: "Gemini CLI", Package: "@google/gemini-cli", Version: "0.61.0", Command: "gemini", Node: "20.0.0",
		Model:       "gemini-2.5-flash", // a named model needs no routing requests
		Executables: []string{"@google/gemini-cli/bundle/gemini.js"},
		PromptEvent: true, Rewrites: true,
		Events: strings.Fields(`SessionStart BeforeAgent BeforeModel BeforeToolSelection AfterModel BeforeTool AfterTool AfterAgent
			PreCompress Notification SessionEnd`)}
	d.Configure = func(s *Sandbox) error {
		return s.writeJSON(".gemini/settings.json", object{"security": object{"auth": object{"selectedType": "gemini-api-key"}},
			"telemetry": object{"enabled": false}, "privacy": object{"usageStatisticsEnabled": false},
			"general": object{"enableAutoUpdate": false}, "model": object{"skipNextSpeakerCheck": true}})
	}
	d.Environ = func(s *Sandbox) []string {
		return []string{"GEMINI_API_KEY=" + dummyKey, "GOOGLE_GEMINI_BASE_URL=" + s.URL, "GEMINI_CLI_TRUST_WORKSPACE=true",
			"GEMINI_CLI_NO_RELAUNCH=1"}
	}
	d.Args = func(s *Sandbox, prompt string) []string { return []string{"-p", prompt, "--yolo", "-m", s.Model} }
	d.Register = func(s *Sandbox, r Registration) error {
		return s.setJSON(".gemini/settings.json", "hooks", d.groups(r, func(event string) object {
			return object{"type": "command", "command": d.command(r, event), "timeout": r.seconds() * 1000} // milliseconds
		}))
	}
	d.Tool = func(s *Sandbox, a Action) (fakemodel.ToolCall, error) {
		switch a.Verb {
		case fakemodel.VerbShell:
			return toolCall("run_shell_command", object{"command": a.Command, "description": "one step"})
		case fakemodel.VerbWrite:
			return toolCall("write_file", object{"file_path": s.inProject(a.Path), "content": a.Content})
		case fakemodel.VerbEdit:
			return toolCall("replace", object{"file_path": s.inProject(a.Path), "instruction": "one step", "old_string": a.Old, "new_string": a.New})
		}
		return d.noTool(a)
	}
	d.Answer = strings.TrimSpace
	return d
}
