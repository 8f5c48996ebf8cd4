package droid

import (
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

func with(s agent.Say, w agent.Word) agent.Say {
	end := "END"
	switch w {
	case agent.Allow:
		s.Verdict = hook.Allow
	case agent.Ask:
		s.Verdict = hook.Ask
	case agent.Defer:
		s.Verdict = hook.Defer
	case agent.Deny:
		s.Verdict, s.Reason = hook.Deny, "DENY \"q\" <b>\n2"
	case agent.Rewrite:
		s.Input = []byte(`{"command":"true","riskLevel":"low"}`)
		s.Changes = []agent.Change{{Path: "command", Value: []byte(`"true"`)}}
	case agent.Context:
		s.Context = "CONTEXT"
	case agent.Feedback:
		s.Feedback = "FEEDBACK"
	case agent.Output:
		s.Output = []byte(`"OUTPUT"`)
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
func missed(w agent.Word, h heard) string {
	ok := false
	switch w {
	case agent.Allow:
		ok = h.decided == "allow"
	case agent.Deny:
		ok = h.decided == "deny" && h.reason == "DENY \"q\" <b>\n2"
	case agent.Rewrite:
		ok = h.input["command"] == "true" && len(h.input) == 1
	case agent.Context:
		ok = h.context == "CONTEXT"
	case agent.Continue:
		ok = h.again == "CONTINUE"
	case agent.End:
		ok = h.ends && h.last == "END"
	case agent.Notice:
		ok = h.user == "NOTICE"
	}
	switch {
	case h.fault != "":
		return h.fault
	case !ok:
		return "not heard"
	case w != agent.Allow && h.decided == "allow":
		return "it grants"
	}
	return ""
}

// TestWordsArrive: each word that a row allows is heard by Droid as it was meant, and a word that the
// row denies is not printed.
func TestWordsArrive(t *testing.T) {
	a := agent.Full(New())
	for _, r := range a.Events {
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
			if why := missed(w, read(r.Native, reply)); why != "" {
				t.Errorf("%s %s: %s: %+v", r.Native, w, why, reply)
			}
		}
	}
}

// TestPairsArrive: two words in one answer do not silence each other.
func TestPairsArrive(t *testing.T) {
	a := agent.Full(New())
	for _, r := range a.Events {
		for w := agent.Allow; w < agent.NumWords; w++ {
			for v := w + 1; v < agent.NumWords; v++ {
				switch {
				case !r.Can(w, "") || !r.Can(v, ""), w == agent.Allow && v == agent.Deny,
					w == agent.Deny, w == agent.End, v == agent.End:
					continue // what is refused or ended has no use for more
				}
				reply, err := agent.Print(a, &r, with(with(agent.Say{Event: r.Name, Native: r.Native}, w), v))
				if err != nil {
					t.Fatal(err)
				}
				h := read(r.Native, reply)
				for _, x := range []agent.Word{w, v} {
					why := missed(x, h)
					if why == "it grants" && (w == agent.Allow || v == agent.Allow) {
						continue
					}
					if why != "" {
						t.Errorf("%s %s+%s: %s: %s: %+v", r.Native, w, v, x, why, reply)
					}
				}
			}
		}
	}
}

// TestADenySurvivesAnEarlierAllow: the first hook with a permissionDecision decides, so ours says none.
func TestADenySurvivesAnEarlierAllow(t *testing.T) {
	reply := lowered(t, "PreToolUse-execute", hook.Decision{Verdict: hook.Deny, Reason: "no", Context: text("c"), Notice: []string{"n"}})
	if reply.Exit != 2 || string(reply.Stderr) != "no" || len(reply.Stdout) != 0 {
		t.Errorf("%+v", reply)
	}
}

// TestSilenceIsNothing: no opinion prints nothing and leaves with 0.
func TestSilenceIsNothing(t *testing.T) {
	a := agent.Full(New())
	for _, r := range a.Events {
		reply, err := agent.Print(a, &r, agent.Say{Event: r.Name, Native: r.Native})
		if err != nil || len(reply.Stdout)+len(reply.Stderr) != 0 || reply.Exit != 0 {
			t.Errorf("%s: silence is %+v, %v", r.Native, reply, err)
		}
	}
}

func text(s string) []hook.Text { return []hook.Text{{From: "h", Body: s}} }

func end(s string) *string { return &s }

// TestLowering holds what becomes of decisions in Droid.
func TestLowering(t *testing.T) {
	for _, c := range []struct {
		name, file string
		d          hook.Decision
		want       heard
		silent     bool
	}{
		{name: "ask is deny", file: "PreToolUse-execute", d: hook.Decision{Verdict: hook.Ask, Reason: "sure?"},
			want: heard{decided: "deny", reason: "sure? (this needs a person's approval, which cannot be asked for here)"}},
		{name: "a deny without a reason has one", file: "PreToolUse-execute", d: hook.Decision{Verdict: hook.Deny, ByExit: true},
			want: heard{decided: "deny", reason: "refused by a hook, which gave no reason"}},
		{name: "allow", file: "PreToolUse-execute", d: hook.Decision{Verdict: hook.Allow}, want: heard{decided: "allow"}},
		{name: "context before a tool waits", file: "PreToolUse-execute", d: hook.Decision{Context: text("C"), Notice: []string{"n"}}, silent: true},
		{name: "end before a tool", file: "PreToolUse-execute", d: hook.Decision{Verdict: hook.Deny, Reason: "no", End: end("stop")},
			want: heard{ends: true, last: "stop"}},
		{name: "end without a text has the reason", file: "PreToolUse-execute", d: hook.Decision{Verdict: hook.Deny, Reason: "no", End: end("")},
			want: heard{ends: true, last: "no"}},
		{name: "feedback keeps the result", file: "PostToolUse-execute", d: hook.Decision{Feedback: text("F"), Context: text("C"), Notice: []string{"n"}},
			want: heard{context: "F\nC", user: "n"}},
		{name: "deny after a call is context", file: "PostToolUse-execute", d: hook.Decision{Verdict: hook.Deny, Reason: "no"}, want: heard{context: "no"}},
		{name: "a result cannot be replaced", file: "PostToolUse-execute", d: hook.Decision{Output: []byte(`"NEW"`)}, silent: true},
		{name: "end after a call tells the notice too", file: "PostToolUse-execute", d: hook.Decision{End: end("stop"), Notice: []string{"n"}},
			want: heard{ends: true, last: "stop\nn"}},
		{name: "a prompt is refused", file: "UserPromptSubmit", d: hook.Decision{Verdict: hook.Deny, Reason: "no"}, want: heard{decided: "deny", reason: "no"}},
		{name: "an end at a prompt refuses it", file: "UserPromptSubmit", d: hook.Decision{End: end("stop")}, want: heard{decided: "deny", reason: "stop"}},
		{name: "context at a prompt", file: "UserPromptSubmit", d: hook.Decision{Context: text("C")}, want: heard{context: "C"}},
		{name: "a notice alone says nothing at a prompt", file: "UserPromptSubmit", d: hook.Decision{Notice: []string{"n"}}, silent: true},
		{name: "keep working", file: "Stop", d: hook.Decision{Continue: true, Reason: "tests fail", Notice: []string{"n"}}, want: heard{again: "tests fail", user: "n"}},
		{name: "keep working, said by exit 2", file: "Stop-subagent", d: hook.Decision{Verdict: hook.Deny, Reason: "tests fail", ByExit: true}, want: heard{again: "tests fail"}},
		{name: "end beats keep working", file: "Stop-reentry", d: hook.Decision{Continue: true, Reason: "tests fail", End: end("enough"), Notice: []string{"n"}},
			want: heard{ends: true, last: "enough", user: "n"}},
		{name: "the parent cannot keep a subagent working", file: "SubagentStop", d: hook.Decision{Continue: true, Reason: "tests fail"}, silent: true},
		{name: "context at the start", file: "SessionStart-startup", d: hook.Decision{Context: text("C")}, want: heard{context: "C"}},
		{name: "a no at the start is told later", file: "SessionStart-startup", d: hook.Decision{Verdict: hook.Deny, Reason: "no"}, silent: true},
		{name: "a compaction is stopped", file: "PreCompact", d: hook.Decision{Verdict: hook.Deny, Reason: "no"}, want: heard{decided: "deny", reason: "no"}},
		{name: "the end takes no answer", file: "SessionEnd-tui", d: hook.Decision{Verdict: hook.Deny, Reason: "no", Context: text("C"), Notice: []string{"n"}}, silent: true},
	} {
		reply := lowered(t, c.file, c.d)
		if c.silent != (len(reply.Stdout)+len(reply.Stderr) == 0) {
			t.Errorf("%s: said %+v", c.name, reply)
		}
		got := read(recorded(t, c.file).native, reply)
		if got.decided != c.want.decided || got.reason != c.want.reason || got.ends != c.want.ends || got.last != c.want.last ||
			got.again != c.want.again || got.context != c.want.context || got.user != c.want.user || got.fault != "" {
			t.Errorf("%s: Droid hears %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestDecodeOfPayloadsThatAreOff: a wrong type is as if the member was not there.
func TestDecodeOfPayloadsThatAreOff(t *testing.T) {
	a := agent.Full(New())
	for _, c := range []struct {
		payload, native string
		name            hook.Name
		row, fails      bool
	}{
		{payload: `{"hook_event_name":"PreToolUse","session_id":5,"cwd":[],"tool_name":"Execute","tool_input":"x"}`, name: hook.PreToolUse, row: true},
		{payload: `{"hook_event_name":"PreToolUse","tool_name":7,"tool_input":{}}`, name: hook.PreToolUse, row: true},
		{payload: `{"hook_event_name":"PostToolUse","tool_name":"Execute","tool_response":{"a":1}}`, name: hook.PostToolUse, row: true},
		{payload: `{"hook_event_name":"SessionStart","calling_session_id":{}}`, name: hook.SessionStart, row: true},
		{payload: `{"session_id":"s"}`, native: "Stop", name: hook.Stop, row: true},
		{payload: `{"hook_event_name":"SubagentStart"}`, name: hook.SubagentStart},
		{payload: `{"hook_event_name":{}}`, fails: true},
		{payload: `[1]`, native: "PreToolUse", name: hook.PreToolUse, row: true, fails: true},
		{payload: `"PreToolUse"`, fails: true},
	} {
		v, err := wire.Parse([]byte(c.payload))
		if err != nil {
			t.Fatal(err)
		}
		ev, row, err := a.Decode(agent.Input{Native: c.native, Payload: v})
		if ev.Name != c.name || (row != nil) != c.row || (err != nil) != c.fails {
			t.Errorf("%s: %q, row %v, %v", c.payload, ev.Name, row != nil, err)
		}
	}
}

// TestMCPNamesAreSplitAtTheFirstThreeUnderscores: servers and tools may have single ones.
func TestMCPNamesAreSplitAtTheFirstThreeUnderscores(t *testing.T) {
	for native, want := range map[string]string{"my_server___do_it": "mcp__my_server__do_it", "a___b___c": "mcp__a__b___c", "___x": "___x", "x___": "x___"} {
		v, _ := wire.Parse([]byte(`{"hook_event_name":"PreToolUse","tool_name":"` + native + `","tool_input":{}}`))
		if ev, _, _ := agent.Full(New()).Decode(agent.Input{Payload: v}); ev.Tool.Name != want {
			t.Errorf("%s: %s, want %s", native, ev.Tool.Name, want)
		}
	}
}

// TestCallKey: a prompt and the end of a turn are told by their message, calls by nothing, the end of
// a session by the session.
func TestCallKey(t *testing.T) {
	key := func(file, member, value string) string {
		v := recorded(t, file).payload
		if member != "" {
			v = v.With(member, []byte(value))
		}
		ev, _, err := agent.Full(New()).Decode(agent.Input{Payload: v})
		if err != nil {
			t.Fatal(err)
		}
		return ev.Call
	}
	if key("PreToolUse-execute", "", "") != "" {
		t.Error("nothing identifies a call")
	}
	if k := key("UserPromptSubmit", "", ""); k == "" || k == key("UserPromptSubmit", "message_id", `"other"`) {
		t.Errorf("UserPromptSubmit: %q", k)
	}
	if k := key("Stop", "", ""); k == "" || k == key("Stop", "elapsed_time", "9999") || k == key("UserPromptSubmit", "", "") {
		t.Errorf("Stop: %q", k)
	}
	if k := key("SessionEnd-tui", "", ""); k == "" || k != key("SessionEnd-tui", "session_duration_ms", "1") {
		t.Errorf("SessionEnd: %q", k)
	}
}

// TestASubagentsSessionNamesItsParent, once, at its start.
func TestASubagentsSessionNamesItsParent(t *testing.T) {
	ev, _ := recorded(t, "SessionStart-subagent").decode(t, agent.Full(New()))
	if ev.Sub == nil || ev.Sub.ID != ev.Session || ev.Sub.Parent != "00000000-0000-4000-8000-000000000003" {
		t.Errorf("%+v", ev.Sub)
	}
	if ev, _ := recorded(t, "SessionStart-startup").decode(t, agent.Full(New())); ev.Sub != nil {
		t.Errorf("a session of its own has a parent: %+v", ev.Sub)
	}
}

// TestTablesAreWhole: what installers and people read is filled in.
func TestTablesAreWhole(t *testing.T) {
	a := agent.Full(New())
	for _, r := range a.Events {
		if r.Fires == "" || r.Silence == "" || r.Missing == "" || r.Failing == "" || r.Proof.Date == "" || !r.Timeout.Opens {
			t.Errorf("%s: an empty column: %+v", r.Native, r)
		}
		if s := r.Timeout.Register.Seconds(); s < 60 && r.Native != "SessionStart" {
			t.Errorf("%s: registered with %v s", r.Native, s)
		}
		if r.Can(agent.Ask, "") {
			t.Errorf("%s: ask has no effect", r.Native)
		}
		for w := agent.Allow; w < agent.NumWords; w++ {
			if c := r.Cells[w]; c.Can && (c.As == "" || c.Else != 0) {
				t.Errorf("%s %s: %+v", r.Native, w, c)
			}
		}
	}
	if d := a.Row("SessionStart").Timeout.Deadline().Seconds(); d >= 10 {
		t.Errorf("SessionStart: our deadline is %v s, Droid's 10 s", d)
	}
	for _, p := range a.Places() {
		if p.Path == "" || p.Proof.Version == "" || !p.Read && p.Note == "" {
			t.Errorf("place %+v", p)
		}
	}
}

// FuzzDecodeNeverPanics: any JSON gives an event whose input for handlers is valid JSON again.
func FuzzDecodeNeverPanics(f *testing.F) {
	for _, r := range own(f) {
		f.Add(r.payload.Raw(), "")
	}
	f.Add([]byte(`{"tool_name":"___","tool_input":[],"tool_response":null}`), "PreToolUse")
	a := agent.Full(New())
	f.Fuzz(func(t *testing.T, b []byte, native string) {
		v, err := wire.Parse(b)
		if err != nil {
			return
		}
		ev, row, _ := a.Decode(agent.Input{Native: native, Payload: v, Env: func(string) string { return "" }})
		if _, err := wire.Parse(ev.AppendJSON(nil)); err != nil {
			t.Fatalf("%s\ngives %s\n%v", b, ev.AppendJSON(nil), err)
		}
		say, _ := agent.Lower(a, row, ev, hook.Decision{Verdict: hook.Deny, Reason: "no", Context: text("c")}, agent.Options{})
		if _, err := agent.Print(a, row, say); err != nil {
			t.Fatal(err)
		}
	})
}
