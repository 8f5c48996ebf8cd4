package pi

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// read is the bridge's reading of an answer: one object with a list of operations, each with the
// members that it needs and no other.
func read(stdout []byte) (map[string]string, error) {
	v, err := wire.Parse(stdout)
	if err != nil {
		return nil, err
	}
	said := map[string]string{}
	if v.Len() != 1 || v.Get("ops").Kind() != wire.Array {
		return nil, fmt.Errorf("%s: the bridge reads ops alone", stdout)
	}
	need := map[string][]string{"block": {"reason"}, "ask": {"reason"}, "set": {"path", "value"}, "output": {"text"}, "context": {"text"},
		"prompt": {"text"}, "end": {"text"}, "notice": {"text"}}
	for op := range v.Get("ops").Elems() {
		name := op.Get("op").Str()
		keys, known := need[name]
		if !known || op.Len() != len(keys)+1 {
			return nil, fmt.Errorf("the bridge does not know %s", op.Raw())
		}
		for _, k := range keys {
			if !op.Has(k) {
				return nil, fmt.Errorf("%s needs %s", op.Raw(), k)
			}
		}
		text := op.Get("text").Str() + op.Get("reason").Str()
		if name == "set" {
			text = fmt.Sprintf("%s=%s", op.Get("path").Raw(), op.Get("value").Raw())
		}
		if said[name] != "" {
			text = said[name] + "\n" + text
		}
		said[name] = text
	}
	return said, nil
}

func text(s string) []hook.Text { return []hook.Text{{Body: s}} }

// TestEveryWordOfEveryRow: Print refuses what the table denies, and what it prints the bridge reads as
// what was said.
func TestEveryWordOfEveryRow(t *testing.T) {
	a := agent.Full(New())
	end := "enough"
	words := map[agent.Word]struct {
		say agent.Say
		op  string // "" = silence is the word
	}{
		agent.Allow:    {agent.Say{Verdict: hook.Allow}, ""},
		agent.Ask:      {agent.Say{Verdict: hook.Ask, Reason: "r"}, "ask"},
		agent.Defer:    {agent.Say{Verdict: hook.Defer}, ""},
		agent.Deny:     {agent.Say{Verdict: hook.Deny, Reason: "r"}, "block"},
		agent.Rewrite:  {agent.Say{Input: []byte(`{"a":1}`), Changes: []agent.Change{{Path: "a", Value: []byte("1")}}}, "set"},
		agent.Context:  {agent.Say{Context: "c"}, "context"},
		agent.Feedback: {agent.Say{Feedback: "f"}, "context"},
		agent.Output:   {agent.Say{Output: []byte(`"o"`)}, "output"},
		agent.Continue: {agent.Say{Continue: true, ContinueReason: "r"}, "prompt"},
		agent.End:      {agent.Say{End: &end}, "end"},
		agent.Notice:   {agent.Say{Notice: "n"}, "notice"},
		agent.Rest:     {agent.Say{Rest: []hook.Member{{Key: "k", Value: []byte("1")}}}, ""},
	}
	rows := append([]agent.Row(nil), a.Events...)
	rows = append(rows, failedResult(*a.Row("tool_result")))
	for i := range rows {
		r := &rows[i]
		for w, c := range words {
			say := c.say
			say.Native, say.Surface = r.Native, "tui"
			reply, err := agent.Print(a, r, say)
			if r.Can(w, "tui") == (err != nil) {
				t.Errorf("%s %s: can %v, error %v", r.Native, w, r.Can(w, "tui"), err)
			}
			if reply.Exit != 0 || len(reply.Stderr) > 0 || err != nil && len(reply.Stdout) > 0 {
				t.Errorf("%s %s: %+v", r.Native, w, reply)
			}
			if err != nil {
				continue
			}
			if len(reply.Stdout) == 0 {
				if c.op != "" {
					t.Errorf("%s %s: nothing was said", r.Native, w)
				}
				continue
			}
			said, err := read(reply.Stdout)
			if err != nil {
				t.Errorf("%s %s: %v", r.Native, w, err)
			}
			op := c.op
			if w == agent.End && r.Can(agent.Continue, "") {
				op = "notice"
			}
			if _, ok := said[op]; !ok || len(said) != 1 {
				t.Errorf("%s %s: the bridge hears %v, want %s", r.Native, w, said, op)
			}
		}
	}
}

// TestAnswers holds what the bridge hears for decisions on recorded events.
func TestAnswers(t *testing.T) {
	end := "enough"
	for _, c := range []struct {
		name, file, surface string
		d                   hook.Decision
		want                map[string]string
	}{
		{"a deny", "tool_call-bash-nested", "", hook.Decision{Verdict: hook.Deny, Reason: "no"}, map[string]string{"block": "no"}},
		{"an ask that nobody hears", "tool_call-bash-nested", "", hook.Decision{Verdict: hook.Ask, Reason: "sure?"},
			map[string]string{"block": "sure? (this needs a person's approval, which cannot be asked for here)"}},
		{"an ask in the terminal", "tool_call-bash-nested", "tui", hook.Decision{Verdict: hook.Ask, Reason: "sure?"}, map[string]string{"ask": "sure?"}},
		{"an ask about a rewrite", "tool_call-bash-nested", "tui", hook.Decision{Verdict: hook.Ask, Input: []byte(`{"command":"ls"}`)},
			map[string]string{"ask": "", "set": `["input","command"]="ls"`}},
		{"an allow", "tool_call-bash-nested", "", hook.Decision{Verdict: hook.Allow}, nil},
		{"a deny with context and a notice", "tool_call-bash-nested", "", hook.Decision{Verdict: hook.Deny, Reason: "no", Context: text("c"), Notice: []string{"n"}},
			map[string]string{"block": "no", "context": "c", "notice": "n"}},
		{"feedback stays beside the result", "tool_result-bash-nested", "", hook.Decision{Feedback: text("f"), Context: text("c")}, map[string]string{"context": "f\nc"}},
		{"a new result", "tool_result-bash-nested", "", hook.Decision{Output: []byte(`{"stdout":"o","stderr":"e"}`)}, map[string]string{"output": "o\ne"}},
		{"a no to a result", "tool_result-edit", "", hook.Decision{Verdict: hook.Deny, Reason: "no"}, map[string]string{"context": "no"}},
		{"feedback on a failure", "tool_result-bash-error", "", hook.Decision{Feedback: text("f")}, map[string]string{"context": "f"}},
		{"a prompt is refused", "input", "", hook.Decision{Verdict: hook.Deny, Reason: "no"}, map[string]string{"block": "no"}},
		{"context of a prompt", "input-tui", "", hook.Decision{Context: text("c")}, map[string]string{"context": "c"}},
		{"the end of a turn that has not begun", "input", "", hook.Decision{End: &end}, map[string]string{"block": "enough"}},
		{"the end of a turn", "tool_call-bash-nested", "", hook.Decision{End: &end}, map[string]string{"end": "enough"}},
		{"back to work", "agent_before_settle", "", hook.Decision{Continue: true, Reason: "tests fail"}, map[string]string{"prompt": "tests fail"}},
		{"the end at the end", "agent_before_settle", "", hook.Decision{End: &end, Continue: true}, map[string]string{"notice": "enough"}},
		{"a no at the start is told", "session_start", "", hook.Decision{Verdict: hook.Deny, Reason: "no"}, map[string]string{"notice": "no"}},
		{"a compaction is stopped", "session_before_compact-threshold", "", hook.Decision{Verdict: hook.Deny, Reason: "no", Context: text("c")},
			map[string]string{"block": "no", "context": "c"}},
		{"what the user types behind !", "user_bash", "", hook.Decision{Verdict: hook.Deny, Context: text("c")}, nil},
		{"no opinion", "tool_call-bash-nested", "", hook.Decision{}, nil},
	} {
		reply := lowered(t, c.file, c.surface, c.d)
		if c.want == nil {
			if len(reply.Stdout) > 0 {
				t.Errorf("%s: said %s", c.name, reply.Stdout)
			}
			continue
		}
		got, err := read(reply.Stdout)
		if err != nil || !equal(got, c.want) {
			t.Errorf("%s: the bridge hears %v (%v), want %v", c.name, got, err, c.want)
		}
	}
}

func equal(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range b {
		if got, ok := a[k]; !ok || got != v {
			return false
		}
	}
	return true
}

// TestBridgeEventsAreTheCommonOnes: what is installed where nothing else is said.
func TestBridgeEventsAreTheCommonOnes(t *testing.T) {
	want := []string{"session_start", "input", "tool_call", "tool_result", "session_before_compact", "session_compact", "agent_before_settle",
		"session_shutdown", "ui_prompt_start"}
	if got := BridgeEvents(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
