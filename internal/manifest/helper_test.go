package manifest

import (
	"errors"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
)

// words is a small vocabulary in the shape of the agents' tables.
type vocabulary struct{}

func (vocabulary) ToolHint(name string) (string, bool) {
	tools := map[string]string{"run_shell_command": "Bash", "bash": "Bash", "Shell": "Bash", "view": "Read", "apply_patch": "",
		"NotebookEdit": "NotebookEdit", "Bash": "Bash", "Edit": "Edit", "Write": "Write", "Read": "Read", "Task": "Task"}
	claude, known := tools[name]
	return claude, known
}

func (vocabulary) EventHint(name string) (string, bool) {
	switch name {
	case "BeforeTool":
		return "PreToolUse", false
	case "agentStop":
		return "Stop", false
	case "PreCompress", "AfterModel", "PostToolBatch":
		return "", true
	}
	return "", false
}

func (vocabulary) AgentNames() []string { return []string{"claude", "codex", "gemini", "opencode"} }

func (vocabulary) Guards() []GuardSpec {
	return []GuardSpec{
		{Name: "protect-paths", Keys: []GuardKey{
			{Name: "paths", Shape: Patterns, Required: true},
			{Name: "access", Shape: Word, Words: []string{"read", "write", "any"}},
		}},
		{Name: "package-manager", Keys: []GuardKey{{Name: "use", Shape: Text, Required: true}, {Name: "also", Shape: Texts}}},
		{Name: "prompt-secrets", Events: []hook.Name{hook.UserPromptSubmit}},
	}
}

func (vocabulary) CheckURL(url string) error {
	if strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://127.0.0.1") {
		return nil
	}
	return errors.New(url + " is neither https nor on this machine")
}

func parse(content string) (*Plan, []Problem) {
	return Parse("hookspan.yaml", []byte(content), vocabulary{})
}

func mustParse(t testing.TB, content string) *Plan {
	t.Helper()
	p, problems := parse(content)
	if len(problems) > 0 {
		t.Fatalf("errors in\n%s\n%s", content, lines(problems))
	}
	return p
}

func lines(problems []Problem) string {
	var out []string
	for _, p := range problems {
		out = append(out, p.Error())
	}
	return strings.Join(out, "\n")
}

// handlerOf parses a handler, in flow YAML, on an event.
func handlerOf(t testing.TB, event, handler string) Handler {
	t.Helper()
	p := mustParse(t, "hooks: { "+event+": [{ hooks: [ "+handler+" ] }] }\n")
	if len(p.Groups) != 1 || len(p.Groups[0].Handlers) != 1 {
		t.Fatalf("%s: %d groups", handler, len(p.Groups))
	}
	return p.Groups[0].Handlers[0]
}
