package live

import (
	"strings"

	"github.com/hookspan/hookspan/internal/fakemodel"
)

// pi drives Pi in print mode, over OpenAI Chat Completions. Its hooks are an extension in its own process.
func pi() *Driver {
	d := &Driver{Name: "pi", Title: "Pi", Package: "@earendil-works/pi-coding-agent", Version: "1.6.0", Command: "pi", Node: "22.19.0",
		Model:       "m1",
		Executables: []string{"@earendil-works/pi-coding-agent/dist/bundle/cli.js"},
		Plugin:      true, PromptEvent: true, Rewrites: true,
		Events: strings.Fields(`session_start input before_agent_start tool_call tool_result tool_execution_end session_before_compact
			session_compact agent_before_settle agent_settled session_shutdown`)}
	d.Configure = func(s *Sandbox) error {
		return s.writeJSON(".pi/agent/models.json", object{"providers": object{"scripted": object{"baseUrl": s.URL + "/v1", "apiKey": dummyKey,
			"api": "openai-completions", "models": []any{object{"id": s.Model, "contextWindow": 100000, "maxTokens": 4096}}}}})
	}
	d.Environ = func(*Sandbox) []string { return []string{"PI_OFFLINE=1"} }
	d.Args = func(s *Sandbox, prompt string) []string {
		return []string{"--model", "scripted/" + s.Model, "-p", prompt}
	}
	d.Register = func(s *Sandbox, r Registration) error {
		return s.WriteFile(".pi/agent/extensions/hookspan.js", string(r.Plugin))
	}
	d.Tool = func(s *Sandbox, a Action) (fakemodel.ToolCall, error) {
		switch a.Verb {
		case fakemodel.VerbShell:
			return toolCall("bash", object{"command": a.Command})
		case fakemodel.VerbWrite:
			return toolCall("write", object{"path": s.inProject(a.Path), "content": a.Content})
		case fakemodel.VerbEdit:
			return toolCall("edit", object{"path": s.inProject(a.Path), "edits": []any{object{"oldText": a.Old, "newText": a.New}}})
		}
		return d.noTool(a)
	}
	d.Answer = strings.TrimSpace
	return d
}
