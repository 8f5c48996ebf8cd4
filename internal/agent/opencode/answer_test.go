package opencode

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
	need := map[string][]string{"block": {"reason"}, "allow": {}, "set": {"path", "value"}, "output": {"text"}, "context": {"text"},
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
		agent.Allow:    {agent.Say{Verdict: hook.Allow}, "allow"},
		agent.Ask:      {agent.Say{Verdict: hook.Ask, Reason: "r"}, ""},
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
	for _, vary := range []func(agent.Row) agent.Row{childStart, childStop, lastStep, unnamed} {
		rows = append(rows, vary(*a.Row("event.session.idle")))
	}
	for i := range rows {
		r := &rows[i]
		for w, c := range words {
			say := c.say
			say.Native = r.Native
			reply, err := agent.Print(a, r, say)
			if r.Can(w, "") == (err != nil) {
				t.Errorf("%s %s: can %v, error %v", r.Native, w, r.Can(w, ""), err)
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
		name, file string
		d          hook.Decision
		want       map[string]string
	}{
		{"a deny", "tool.execute.before-bash-subagent", hook.Decision{Verdict: hook.Deny, Reason: "no"}, map[string]string{"block": "no"}},
		{"an ask that cannot be asked", "tool.execute.before-bash-subagent", hook.Decision{Verdict: hook.Ask, Reason: "sure?"},
			map[string]string{"block": "sure? (this needs a person's approval, which cannot be asked for here)"}},
		{"an ask where OpenCode asks", "event.permission.asked", hook.Decision{Verdict: hook.Ask, Reason: "sure?"}, nil},
		{"an allow", "tool.execute.before-bash-subagent", hook.Decision{Verdict: hook.Allow}, map[string]string{"allow": ""}},
		{"a deny with context and a notice", "tool.execute.before-bash-subagent", hook.Decision{Verdict: hook.Deny, Reason: "no", Context: text("c"), Notice: []string{"n"}},
			map[string]string{"block": "no", "context": "c", "notice": "n"}},
		{"feedback stays beside the result", "tool.execute.after-bash", hook.Decision{Feedback: text("f"), Context: text("c")}, map[string]string{"context": "f\nc"}},
		{"a new result", "tool.execute.after-bash", hook.Decision{Output: []byte(`{"stdout":"o","stderr":"e"}`)}, map[string]string{"output": "o\ne"}},
		{"feedback on a failure", "event.message.part.updated-tool-bash-error", hook.Decision{Feedback: text("f")}, map[string]string{"context": "f"}},
		{"a prompt is refused", "chat.message", hook.Decision{Verdict: hook.Deny, Reason: "no"}, map[string]string{"block": "no"}},
		{"the end of a turn that has not begun", "chat.message", hook.Decision{End: &end}, map[string]string{"block": "enough"}},
		{"the end of a turn", "tool.execute.before-bash-subagent", hook.Decision{End: &end}, map[string]string{"end": "enough"}},
		{"back to work", "event.session.idle", hook.Decision{Continue: true, Reason: "tests fail"}, map[string]string{"prompt": "tests fail"}},
		{"the end at the end", "event.session.idle", hook.Decision{End: &end, Continue: true}, map[string]string{"notice": "enough"}},
		{"a no at the start is told", "event.session.created", hook.Decision{Verdict: hook.Deny, Reason: "no"}, map[string]string{"notice": "no"}},
		{"a compaction cannot be stopped", "experimental.session.compacting", hook.Decision{Verdict: hook.Deny, Reason: "no", Context: text("c")},
			map[string]string{"notice": "no", "context": "c"}},
		{"a part that means nothing", "event.message.part.updated-step-finish", hook.Decision{Verdict: hook.Deny, Context: text("c")}, nil},
		{"no opinion", "tool.execute.before-bash-subagent", hook.Decision{}, nil},
	} {
		reply := lowered(t, c.file, c.d)
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
	want := []string{"event.session.created", "event.session.resumed", "chat.message", "tool.execute.before", "tool.execute.after",
		"event.message.part.updated", "event.permission.asked", "event.permission.waiting", "experimental.session.compacting",
		"event.session.compacted", "event.session.idle", "dispose"}
	if got := BridgeEvents(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
