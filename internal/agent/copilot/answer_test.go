package copilot

import (
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// rows are all rows, with the one that depends on the payload.
func rows(a *agent.Agent) []agent.Row {
	return append(append([]agent.Row(nil), a.Events...), ofSubagent(*a.Row("agentStop")))
}

func with(s agent.Say, w agent.Word) agent.Say {
	end := "END"
	switch w {
	case agent.Allow:
		s.Verdict = hook.Allow
	case agent.Ask:
		s.Verdict, s.Reason = hook.Ask, "ASK"
	case agent.Defer:
		s.Verdict = hook.Defer
	case agent.Deny:
		s.Verdict, s.Reason = hook.Deny, "DENY \"q\" <b>\n2"
	case agent.Rewrite:
		s.Input = []byte(`{"command":"true","shellId":"7"}`)
	case agent.Context:
		s.Context = "CONTEXT"
	case agent.Feedback:
		s.Feedback = "FEEDBACK"
	case agent.Output:
		s.Output = []byte(`{"stdout":"OUTPUT"}`)
	case agent.Continue:
		s.Continue, s.ContinueReason = true, "CONTINUE"
	case agent.End:
		s.End = &end
	case agent.Notice:
		s.Notice = "NOTICE"
	case agent.Rest:
		s.Rest = []hook.Member{{Key: "sessionTitle", Value: []byte(`"x"`)}}
	}
	return s
}

// missed tells why a word was not heard, "" if it was.
func missed(w agent.Word, h heard, finish bool) string {
	ok := false
	switch w {
	case agent.Allow:
		ok = h.decided == "allow"
	case agent.Ask:
		ok = h.decided == "ask" && h.reason == "ASK"
	case agent.Deny:
		ok = (h.decided == "deny" || h.blocked) && h.reason == "DENY \"q\" <b>\n2"
	case agent.Rewrite:
		ok = h.args["command"] == "true" && h.args["shellId"] == "7"
	case agent.Context:
		ok = h.context == "CONTEXT"
	case agent.Output:
		ok = h.result == "OUTPUT"
	case agent.Continue:
		ok = h.again == "CONTINUE"
	case agent.End:
		ok = h.ends && h.reason == "END" || finish && h.again == "" && h.user == "END"
	case agent.Notice:
		ok = h.user == "NOTICE"
	}
	switch {
	case h.fault != "":
		return h.fault
	case !ok:
		return "not heard"
	}
	return ""
}

// TestWordsArrive: each word that a row allows is heard by Copilot as it was meant, under both
// spellings of the event, and a word that the row denies is not printed.
func TestWordsArrive(t *testing.T) {
	a := agent.Full(New())
	for _, r := range rows(a) {
		for w := agent.Allow; w < agent.NumWords; w++ {
			reply, err := agent.Print(a, &r, with(agent.Say{Event: r.Name, Native: r.Native}, w))
			if can := r.Can(w, ""); can != (err == nil) {
				t.Errorf("%s %s: the table says %v, Print says %v", r.Native, w, can, err)
			}
			if err != nil {
				if len(reply.Stdout)+len(reply.Stderr) != 0 || reply.Exit != 0 {
					t.Errorf("%s %s: a refused word is answered with %+v", r.Native, w, reply)
				}
				continue
			}
			for _, pascal := range []bool{false, true} {
				h := read(r.Native, pascal, reply)
				if why := missed(w, h, r.Name.Class() == hook.Finish); why != "" {
					t.Errorf("%s %s: %s: %+v", r.Native, w, why, reply)
				}
				if w != agent.Allow && h.decided == "allow" {
					t.Errorf("%s %s: it grants: %s", r.Native, w, reply.Stdout)
				}
			}
		}
	}
}

// TestPairsArrive: two words in one answer do not silence each other.
func TestPairsArrive(t *testing.T) {
	a := agent.Full(New())
	verdict := func(w agent.Word) bool { return w <= agent.Deny }
	for _, r := range rows(a) {
		finish := r.Name.Class() == hook.Finish
		for w := agent.Allow; w < agent.NumWords; w++ {
			for v := w + 1; v < agent.NumWords; v++ {
				switch {
				case !r.Can(w, "") || !r.Can(v, ""), verdict(w) && verdict(v),
					w == agent.Deny && v == agent.Rewrite, v == agent.End, w == agent.End:
					continue // Lower says at most one verdict, no rewrite of what is denied, nothing beside an end
				}
				reply, err := agent.Print(a, &r, with(with(agent.Say{Event: r.Name, Native: r.Native}, w), v))
				if err != nil {
					t.Fatal(err)
				}
				h := read(r.Native, false, reply)
				for _, x := range []agent.Word{w, v} {
					if why := missed(x, h, finish); why != "" {
						t.Errorf("%s %s+%s: %s: %s: %+v", r.Native, w, v, x, why, reply)
					}
				}
			}
		}
	}
}

// TestSilenceIsNothing: no opinion prints nothing and leaves with 0.
func TestSilenceIsNothing(t *testing.T) {
	a := agent.Full(New())
	for _, r := range rows(a) {
		reply, err := agent.Print(a, &r, agent.Say{Event: r.Name, Native: r.Native})
		if err != nil || len(reply.Stdout)+len(reply.Stderr) != 0 || reply.Exit != 0 {
			t.Errorf("%s: silence is %+v, %v", r.Native, reply, err)
		}
	}
}

func text(s string) []hook.Text { return []hook.Text{{From: "h", Body: s}} }

func end(s string) *string { return &s }

// TestLowering holds what becomes of decisions in Copilot.
func TestLowering(t *testing.T) {
	for _, c := range []struct {
		name, file string
		d          hook.Decision
		want       heard
		silent     bool
	}{
		{name: "deny", file: "preToolUse-bash", d: hook.Decision{Verdict: hook.Deny, Reason: "no", ByExit: true},
			want: heard{decided: "deny", reason: "no"}},
		{name: "deny to a borrowed registration", file: "PreToolUse-pascal-bash", d: hook.Decision{Verdict: hook.Deny, Reason: "no"},
			want: heard{decided: "deny", reason: "no"}},
		{name: "ask is asked", file: "preToolUse-bash", d: hook.Decision{Verdict: hook.Ask, Reason: "sure?"},
			want: heard{decided: "ask", reason: "sure?"}},
		{name: "context before a tool", file: "preToolUse-bash", d: hook.Decision{Context: text("C")}, want: heard{context: "C"}},
		{name: "a notice before a tool waits", file: "preToolUse-bash", d: hook.Decision{Notice: []string{"n"}}, silent: true},
		{name: "end before a tool is a deny", file: "preToolUse-bash", d: hook.Decision{End: end("stop")}, want: heard{decided: "deny", reason: "stop"}},
		{name: "end at the permission question", file: "permissionRequest-bash", d: hook.Decision{End: end("stop")},
			want: heard{decided: "deny", reason: "stop", ends: true}},
		{name: "deny and end at the permission question", file: "permissionRequest-bash", d: hook.Decision{Verdict: hook.Deny, Reason: "no", End: end("")},
			want: heard{decided: "deny", reason: "no", ends: true}},
		{name: "ask at the permission question is a deny", file: "PermissionRequest-pascal-create", d: hook.Decision{Verdict: hook.Ask, Reason: "sure?"},
			want: heard{decided: "deny", reason: "sure? (this needs a person's approval, which cannot be asked for here)"}},
		{name: "a notice at the permission question waits", file: "permissionRequest-bash", d: hook.Decision{Notice: []string{"n"}, Context: text("c")}, silent: true},
		{name: "a rewrite at the permission question is a deny", file: "permissionRequest-bash", d: hook.Decision{Input: []byte(`{"command":"true"}`)},
			want: heard{decided: "deny", reason: "run this instead: true"}},
		{name: "feedback keeps the result", file: "postToolUse-bash", d: hook.Decision{Feedback: text("F"), Context: text("C"), Notice: []string{"n"}},
			want: heard{context: "F\nC", user: "n"}},
		{name: "deny after a call keeps the result", file: "PostToolUse-pascal-bash", d: hook.Decision{Verdict: hook.Deny, Reason: "no"},
			want: heard{context: "no"}},
		{name: "a new result", file: "postToolUse-bash", d: hook.Decision{Output: []byte(`"NEW"`), Context: text("C")}, want: heard{result: "NEW", context: "C"}},
		{name: "an end after a call is told to the user", file: "postToolUse-bash", d: hook.Decision{End: end("stop")}, want: heard{user: "stop"}},
		{name: "feedback on a failed call", file: "postToolUseFailure-mcp", d: hook.Decision{Feedback: text("F"), Notice: []string{"n"}}, want: heard{context: "F"}},
		{name: "a prompt is refused", file: "userPromptSubmitted", d: hook.Decision{Verdict: hook.Deny, Reason: "no", Notice: []string{"n"}},
			want: heard{blocked: true, reason: "no", user: "n"}},
		{name: "an end at a prompt", file: "UserPromptSubmit-pascal", d: hook.Decision{End: end("stop")}, want: heard{blocked: true, reason: "stop"}},
		{name: "keep working", file: "agentStop", d: hook.Decision{Continue: true, Reason: "tests fail"}, want: heard{again: "tests fail"}},
		{name: "keep working, said by exit 2", file: "Stop-pascal", d: hook.Decision{Verdict: hook.Deny, Reason: "tests fail", ByExit: true}, want: heard{again: "tests fail"}},
		{name: "a subagent keeps working", file: "agentStop-subagent", d: hook.Decision{Continue: true, Reason: "tests fail"}, want: heard{again: "tests fail"}},
		{name: "end beats keep working", file: "agentStop", d: hook.Decision{Continue: true, Reason: "tests fail", End: end("enough")}, want: heard{user: "enough"}},
		{name: "a no at the start is told to the user", file: "sessionStart-new", d: hook.Decision{Verdict: hook.Deny, Reason: "no", Context: text("C")},
			want: heard{user: "no", context: "C"}},
		{name: "a compaction cannot be stopped", file: "preCompact-manual", d: hook.Decision{Verdict: hook.Deny, Reason: "no"}, want: heard{user: "no"}},
		{name: "before an MCP call nothing is said", file: "preMcpToolCall", d: hook.Decision{Verdict: hook.Deny, Reason: "no", Context: text("C")}, silent: true},
	} {
		reply := lowered(t, c.file, c.d)
		if c.silent != (len(reply.Stdout)+len(reply.Stderr) == 0) {
			t.Errorf("%s: said %+v", c.name, reply)
		}
		r := recorded(t, c.file)
		got := read(eventOf(agent.Full(New()), r.payload, r.native), r.payload.Has("hook_event_name"), reply)
		got.args = nil
		if got.decided != c.want.decided || got.reason != c.want.reason || got.ends != c.want.ends || got.blocked != c.want.blocked ||
			got.again != c.want.again || got.context != c.want.context || got.result != c.want.result || got.user != c.want.user || got.fault != "" {
			t.Errorf("%s: Copilot hears %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestGuidanceIsCutUnderTheLimit: Copilot cuts at 10,240 characters; ours stays under it with a note.
func TestGuidanceIsCutUnderTheLimit(t *testing.T) {
	long := make([]byte, 30000)
	for i := range long {
		long[i] = 'x'
	}
	reply := lowered(t, "postToolUse-bash", hook.Decision{Context: text(string(long))})
	v, err := wire.Parse(reply.Stdout)
	if n := len([]rune(v.Get("additionalContext").Str())); err != nil || n > 10240 || n < 10000 {
		t.Errorf("%d characters, %v", n, err)
	}
}
