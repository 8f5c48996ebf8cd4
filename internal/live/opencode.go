package live

import (
	"path/filepath"
	"strings"

	"github.com/hookspan/hookspan/internal/fakemodel"
)

// opencode drives `opencode run`, over OpenAI Chat Completions. Its hooks are a plugin in its own process.
func opencode() *Driver {
	d := &Driver{Name: "opencode", Title: "OpenCode", Package: "opencode-ai", Version: "1.18.33", Command: "opencode",
		Model: "m1", PatchModel: "gpt-5.1", // ids with gpt-5 get apply_patch instead of edit and write
		Executables: []string{platform("opencode-linux-x64/bin/opencode"), platform("opencode-linux-x64-baseline/bin/opencode"), "opencode-ai/bin/opencode.exe"},
		Plugin:      true, PromptEvent: true, Rewrites: true,
		Events: strings.Fields(`session.created chat.message tool.execute.before tool.execute.after experimental.text.complete
			experimental.session.compacting session.idle session.error dispose`)}
	d.Configure = func(s *Sandbox) error {
		model := object{"name": s.Model, "tool_call": true, "limit": object{"context": 100000, "output": 4096}}
		return s.writeJSON(filepath.Join(s.ConfigHome(), "opencode", "opencode.json"), object{
			"$schema": "https://opencode.ai/config.json", "model": "scripted/" + s.Model, "small_model": "scripted/" + s.Model,
			"autoupdate": false, "share": "disabled",
			"provider": object{"scripted": object{"npm": "@ai-sdk/openai-compatible", "name": "Scripted",
				"options": object{"baseURL": s.URL + "/v1", "apiKey": dummyKey}, "models": object{s.Model: model}}}})
	}
	d.Environ = func(*Sandbox) []string {
		return []string{
			// Any plugin makes the start wait for npm, which tries for more than a minute without a network.
			"npm_config_offline=true", "npm_config_fetch_retries=0",
			"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1"}
	}
	d.Args = func(_ *Sandbox, prompt string) []string { return []string{"run", prompt} }
	d.Register = func(s *Sandbox, r Registration) error {
		return s.WriteFile(filepath.Join(s.ConfigHome(), "opencode", "plugins", "hookspan.js"), string(r.Plugin))
	}
	d.Tool = func(s *Sandbox, a Action) (fakemodel.ToolCall, error) {
		switch a.Verb {
		case fakemodel.VerbShell:
			return toolCall("bash", object{"command": a.Command, "description": "one step"})
		case fakemodel.VerbPatch:
			return toolCall("apply_patch", object{"patchText": a.Patch})
		case fakemodel.VerbWrite:
			return toolCall("write", object{"filePath": s.inProject(a.Path), "content": a.Content})
		case fakemodel.VerbEdit:
			return toolCall("edit", object{"filePath": s.inProject(a.Path), "oldString": a.Old, "newString": a.New})
		}
		return d.noTool(a)
	}
	d.Answer = strings.TrimSpace
	return d
}
