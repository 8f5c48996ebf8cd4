package live

import (
	"strings"

	"github.com/hookspan/hookspan/internal/fakemodel"
)

// droid drives `droid exec` with a model of one's own, over OpenAI Chat Completions. Factory's platform
// package is installed itself: it holds the whole program.
func droid() *Driver {
	d := &Driver{Name: "droid", Title: "Factory Droid", Package: platform("@factory/cli-linux-x64"), Version: "0.225.2", Command: "droid",
		Model: "scripted", PatchModel: "gpt-5.4", // provider "openai" gets ApplyPatch instead of Edit and Create
		Executables: []string{platform("@factory/cli-linux-x64/bin/droid")},
		Rewrites:    true,
		// droid exec fires no UserPromptSubmit.
		Events: strings.Fields(`SessionStart UserPromptSubmit PreToolUse PostToolUse SubagentStop PreCompact Notification Stop SessionEnd`)}
	d.Configure = func(s *Sandbox) error {
		provider := "generic-chat-completion-api"
		if s.Model == d.PatchModel {
			provider = "openai"
		}
		return s.writeJSON(".factory/settings.json", object{
			"trustedFolders": object{s.Project: object{"trustedAt": "2026-01-01T00:00:00.000Z"}},
			"customModels": []any{object{"model": s.Model, "id": "custom:scripted-0", "index": 0, "displayName": "scripted",
				"baseUrl": s.URL + "/v1", "apiKey": dummyKey, "provider": provider, "maxOutputTokens": 4000, "noImageSupport": true}}})
	}
	d.Environ = func(s *Sandbox) []string {
		return []string{"FACTORY_AIRGAP_ENABLED=true", "FACTORY_API_KEY=fk-dummy", "FACTORY_API_BASE_URL=" + s.URL + "/factory",
			"FACTORY_APP_BASE_URL=" + s.URL + "/app", "FACTORY_DISABLE_KEYRING=1", "FACTORY_DROID_AUTO_UPDATE_ENABLED=false"}
	}
	d.Args = func(_ *Sandbox, prompt string) []string {
		return []string{"exec", "--skip-permissions-unsafe", "-m", "custom:scripted-0", prompt}
	}
	d.Register = func(s *Sandbox, r Registration) error {
		return s.setJSON(".factory/settings.json", "hooks", d.groups(r, d.handlerInSeconds(r)))
	}
	d.Tool = func(s *Sandbox, a Action) (fakemodel.ToolCall, error) {
		switch a.Verb {
		case fakemodel.VerbShell:
			return toolCall("Execute", object{"command": a.Command, "summary": "one step", "riskLevel": "low", "riskLevelReason": "a test"})
		case fakemodel.VerbPatch:
			return fakemodel.ToolCall{Name: "ApplyPatch", Free: a.Patch}, nil
		case fakemodel.VerbWrite:
			return toolCall("Create", object{"file_path": s.inProject(a.Path), "content": a.Content})
		case fakemodel.VerbEdit:
			return toolCall("Edit", object{"file_path": s.inProject(a.Path), "old_str": a.Old, "new_str": a.New})
		}
		return d.noTool(a)
	}
	d.Answer = strings.TrimSpace
	return d
}
