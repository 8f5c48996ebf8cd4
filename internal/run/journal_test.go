package run

import (
	"context"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/manifest"
	"github.com/hookspan/hookspan/internal/state"
)

// byName answers for each handler by its name.
type byName map[string]handler.Output

func (p byName) Run(_ context.Context, _ *manifest.Plan, h *manifest.Handler, _ hook.Event) handler.Output {
	return p[h.Name]
}

func (p byName) Answer(_ *manifest.Plan, _ *manifest.Handler, ev hook.Event, out handler.Output) (hook.Decision, error) {
	return handler.Command{}.Answer(ev, out)
}

func no(reason string) handler.Output { return handler.Output{Exit: 2, Stderr: []byte(reason)} }

// TestLosersReasonsAreKept: one verdict wins and its reason is told; the journal has every handler's own,
// masked and cut like its other texts.
func TestLosersReasonsAreKept(t *testing.T) {
	programs := byName{
		"asks":   {Stdout: []byte(strings.Replace(asks, `"R"`, `"ASKREASON"`, 1))},
		"first":  no("first no"),
		"second": no("second no"),
		"tells":  no("password=hunter2hunter2"),
		"long":   no(strings.Repeat("word ", 10_000)),
		"fails":  {Exit: 3, Stderr: []byte("broken")},
		"quiet":  {},
	}
	h := newHome(t, `hooks: {PreToolUse: [{hooks: [{name: asks, command: [x]}, {name: first, command: [x]}, {name: second, command: [x]},
  {name: tells, command: [x]}, {name: long, command: [x]}, {name: fails, command: [x], on_failure: block}, {name: quiet, command: [x]}]}]}`+"\n")
	rep := Do(context.Background(), Request{Agent: "claude", Environ: h.environ(), programs: programs,
		Stdin: strings.NewReader(`{"session_id":"s","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`)})
	journal(rep)
	line := openStore(lookup(h.environ()), false).Latest(state.Filter{}, 1)[0]
	if line.Verdict != "deny" || line.Reason != "first no" {
		t.Errorf("%s: %q won", line.Verdict, line.Reason)
	}
	want := map[string]string{"asks": "ASKREASON", "first": "first no", "second": "second no", "fails": "", "quiet": ""}
	for _, o := range line.Handlers {
		if text, ok := want[o.Name]; ok && o.Reason != text {
			t.Errorf("%s: %q, want %q", o.Name, o.Reason, text)
		}
		if strings.Contains(o.Reason, "hunter2") || len(o.Reason) > 5000 || o.Name == "long" && !strings.Contains(o.Reason, "bytes more") {
			t.Errorf("%s: its reason is neither masked nor cut: %.300q", o.Name, o.Reason)
		}
	}
	if len(line.Handlers) != len(programs) || strings.Count(string(line.Line), "broken") != 1 {
		t.Errorf("%s", line.Line)
	}
}
