package all

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// every calls do with each row of each agent.
func every(t *testing.T, do func(t *testing.T, a *agent.Agent, r *agent.Row)) {
	t.Helper()
	for _, a := range Agents() {
		for i := range a.Events {
			t.Run(a.Name+"/"+a.Events[i].Native, func(t *testing.T) { do(t, a, &a.Events[i]) })
		}
	}
}

// saying is a Say that says one word.
func saying(r *agent.Row, w agent.Word) agent.Say {
	s := agent.Say{Event: r.Name, Native: r.Native, Reason: "because"}
	if s.Event == "" {
		s.Event = hook.Name(r.Native)
	}
	end := "enough"
	switch w {
	case agent.Allow:
		s.Verdict = hook.Allow
	case agent.Ask:
		s.Verdict = hook.Ask
	case agent.Defer:
		s.Verdict = hook.Defer
	case agent.Deny:
		s.Verdict = hook.Deny
	case agent.Rewrite:
		s.Input = []byte(`{"command":"ls"}`)
		s.Changes = []agent.Change{{Path: "command", Value: []byte(`"ls"`)}}
	case agent.Context:
		s.Context = "context"
	case agent.Feedback:
		s.Feedback = "feedback"
	case agent.Output:
		s.Output = []byte(`"output"`)
	case agent.Continue:
		s.Continue, s.ContinueReason = true, "go on"
	case agent.End:
		s.End = &end
	case agent.Notice:
		s.Notice = "notice"
	case agent.Rest:
		s.Rest = []hook.Member{{Key: "suppressOutput", Value: []byte("true")}}
	}
	return s
}

// The law: lower and encode say nothing that the table denies.
func TestEncodersAreHandedNoDeniedWord(t *testing.T) {
	every(t, func(t *testing.T, a *agent.Agent, r *agent.Row) {
		silence, err := agent.Print(a, r, agent.Say{Event: r.Name, Native: r.Native})
		if err != nil {
			t.Fatal(err)
		}
		for w := agent.Word(0); w < agent.NumWords; w++ {
			s := saying(r, w)
			s.Surface = r.Cells[w].Only
			reply, err := agent.Print(a, r, s)
			same := fmt.Sprint(reply) == fmt.Sprint(silence)
			switch {
			case r.Can(w, s.Surface) && err != nil:
				t.Errorf("%s is allowed and was refused: %v", w, err)
			case w == agent.Ask && r.Name == hook.PermissionRequest || r.Native == "event.permission.asked":
				// the agent is about to ask anyway: silence is the word
			case r.Can(w, s.Surface) && same && w != agent.Rest && w != agent.Allow:
				t.Errorf("%s is allowed and says nothing", w)
			case !r.Can(w, s.Surface) && (err == nil || !same):
				t.Errorf("%s is denied and was printed: %q", w, reply.Stdout)
			}
		}
	})
}

// The law, from the other side: whatever is decided, lowering it leaves only words of the row, and
// nothing becomes an allow that was none.
func TestLowerSaysOnlyWhatTheTableAllows(t *testing.T) {
	end := "enough"
	text := []hook.Text{{Body: "text"}}
	decisions := map[string]hook.Decision{
		"deny": {Verdict: hook.Deny, Reason: "no"}, "ask": {Verdict: hook.Ask, Reason: "?"}, "defer": {Verdict: hook.Defer},
		"allow": {Verdict: hook.Allow}, "end": {End: &end}, "continue": {Continue: true, Reason: "go on"},
		"context": {Context: text}, "feedback": {Feedback: text}, "output": {Output: []byte(`"x"`)}, "notice": {Notice: []string{"n"}},
		"all": {Verdict: hook.Deny, Reason: "no", End: &end, Continue: true, Context: text, Feedback: text, Notice: []string{"n"},
			Output: []byte(`"x"`), Rest: []hook.Member{{Key: "k", Value: []byte("1")}}},
	}
	every(t, func(t *testing.T, a *agent.Agent, r *agent.Row) {
		name := r.Name
		if name == "" {
			name = hook.Name(r.Native)
		}
		for what, d := range decisions {
			for _, askNone := range []bool{false, true} {
				ev := hook.Event{Name: name, From: hook.Agent{Name: a.Name, Native: r.Native}}
				say, losses := agent.Lower(a, r, ev, d, agent.Options{AskNone: askNone})
				for _, w := range say.Words() {
					if !r.Can(w, "") {
						t.Errorf("%s: said %s", what, w)
					}
				}
				if say.Verdict == hook.Allow && d.Verdict != hook.Allow {
					t.Errorf("%s became an allow", what)
				}
				if !d.Silent() && say.Silent() && len(losses) == 0 {
					t.Errorf("%s vanished without a loss", what)
				}
			}
		}
	})
}

// An ask that cannot be asked refuses the action, wherever it can be refused.
func TestAskBecomesDeny(t *testing.T) {
	every(t, func(t *testing.T, a *agent.Agent, r *agent.Row) {
		if r.Can(agent.Ask, "") || !r.Can(agent.Deny, "") || r.Name.Class() != hook.Gate {
			return
		}
		say, _ := agent.Lower(a, r, hook.Event{Name: r.Name}, hook.Decision{Verdict: hook.Ask, Reason: "?"}, agent.Options{})
		if say.Verdict != hook.Deny {
			t.Errorf("ask became %v", say.Verdict)
		}
	})
}

func TestEveryRowHasEvidence(t *testing.T) {
	every(t, func(t *testing.T, a *agent.Agent, r *agent.Row) {
		if r.Proof.Version == "" || r.Proof.Date == "" || r.Fires == "" || r.Silence == "" {
			t.Errorf("proof %+v, fires %q, silence %q", r.Proof, r.Fires, r.Silence)
		}
		for w := agent.Word(0); w < agent.NumWords; w++ {
			c := r.Cells[w]
			if r.Fact(w).Level > a.Level && a.Level == agent.Doc && r.Fact(w).Level == agent.Live {
				t.Errorf("%s claims to be live in an agent that never ran", w)
			}
			if c.Can && c.As == "" {
				t.Errorf("%s can be said, but nobody says how", w)
			}
		}
	})
}

// calls are what each agent's Sample is asked for.
func calls() []agent.Call {
	object := func(s string) wire.Value {
		v, err := wire.Parse([]byte(s))
		if err != nil {
			panic(err)
		}
		return v
	}
	return []agent.Call{
		{Event: hook.PreToolUse, Tool: "Bash", Input: object(`{"command":"echo hi"}`), Dir: "/shop"},
		{Event: hook.PreToolUse, Tool: "Write", Input: object(`{"file_path":"/shop/a.txt","content":"x"}`), Dir: "/shop"},
		{Event: hook.PreToolUse, Tool: "Edit", Input: object(`{"file_path":"/shop/a.txt","old_string":"x","new_string":"y"}`), Dir: "/shop"},
		{Event: hook.PreToolUse, Tool: "Read", Input: object(`{"file_path":"/shop/a.txt"}`), Dir: "/shop"},
		{Event: hook.PostToolUse, Tool: "Bash", Input: object(`{"command":"echo hi"}`), Dir: "/shop"},
		{Event: hook.UserPromptSubmit, Prompt: "hello", Dir: "/shop"},
		{Event: hook.SessionStart, Dir: "/shop"},
		{Event: hook.Stop, Dir: "/shop"},
	}
}

// samples decodes what each agent would send for each call.
func samples(t *testing.T, do func(t *testing.T, a *agent.Agent, c agent.Call, ev hook.Event, r *agent.Row)) {
	t.Helper()
	for _, a := range Agents() {
		for _, c := range calls() {
			native, payload, ok := a.Sample(c)
			if !ok {
				continue
			}
			t.Run(a.Name+"/"+string(c.Event)+c.Tool, func(t *testing.T) {
				v, err := wire.Parse(payload)
				if err != nil {
					t.Fatal(err)
				}
				who := Detect(a.Name, v, func(string) string { return "" })
				if who.Agent.Name != a.Name {
					t.Fatalf("registered as %s, taken for %s (%s)", a.Name, who.Agent.Name, who.By)
				}
				ev, r, err := a.Decode(agent.Input{Native: native, Payload: v, Env: func(string) string { return "" }})
				if err != nil {
					t.Fatal(err)
				}
				do(t, a, c, ev, r)
			})
		}
	}
}

func TestSamplesArriveAsTheyWereMeant(t *testing.T) {
	samples(t, func(t *testing.T, a *agent.Agent, c agent.Call, ev hook.Event, r *agent.Row) {
		if ev.Name != c.Event || r == nil {
			t.Fatalf("arrives as %q", ev.Name)
		}
		if c.Tool == "Bash" && (ev.Tool == nil || ev.Tool.Name != "Bash" || ev.Tool.Command != "echo hi") {
			t.Fatalf("%+v", ev.Tool)
		}
		if c.Tool == "Write" || c.Tool == "Edit" || c.Tool == "Read" {
			if ev.Tool == nil || len(ev.Tool.Files) != 1 || ev.Tool.Files[0].Path != "/shop/a.txt" {
				t.Fatalf("%+v", ev.Tool)
			}
		}
		if c.Event == hook.UserPromptSubmit && ev.Prompt != "hello" {
			t.Fatalf("%q", ev.Prompt)
		}
	})
}

// The law: an unchanged rewrite is the identity on the native bytes.
func TestAnUnchangedRewriteIsTheIdentity(t *testing.T) {
	samples(t, func(t *testing.T, a *agent.Agent, c agent.Call, ev hook.Event, r *agent.Row) {
		if ev.Tool == nil || c.Event != hook.PreToolUse {
			return
		}
		d := hook.Decision{Input: ev.Tool.Input}
		say, _ := agent.Lower(a, r, ev, d, agent.Options{})
		if say.Input != nil && !bytes.Equal(say.Input, ev.Tool.Native) || say.Verdict != hook.NoOpinion {
			t.Fatalf("said %v %s, native %s", say.Verdict, say.Input, ev.Tool.Native)
		}
	})
}

// The original must not run when a hook changed it: the change is said, or the call is refused.
func TestAChangedRewriteNeverLosesItsPoint(t *testing.T) {
	samples(t, func(t *testing.T, a *agent.Agent, c agent.Call, ev hook.Event, r *agent.Row) {
		if ev.Tool == nil || c.Event != hook.PreToolUse || c.Tool != "Bash" {
			return
		}
		in, _ := wire.Parse(ev.Tool.Input)
		d := hook.Decision{Input: in.With("command", []byte(`"echo bye"`)).Raw()}
		say, _ := agent.Lower(a, r, ev, d, agent.Options{})
		if say.Verdict == hook.Allow || say.Verdict != hook.Deny && !bytes.Contains(say.Input, []byte("echo bye")) {
			t.Fatalf("said %v %s", say.Verdict, say.Input)
		}
		if say.Verdict == hook.Deny && !bytes.Contains([]byte(say.Reason), []byte("echo bye")) {
			t.Fatalf("the reason does not tell what to run: %s", say.Reason)
		}
	})
}

func TestAMarkIsOneAgentsAlone(t *testing.T) {
	samples(t, func(t *testing.T, a *agent.Agent, c agent.Call, ev hook.Event, _ *agent.Row) {
		v, _ := wire.Parse(ev.Payload)
		for _, e := range entries {
			if why := e.mark(v); why != "" && e.name != a.Name {
				t.Errorf("the mark %q of %s is in it", why, e.name)
			}
		}
	})
}

func TestAnInheritedVariableNeverDecides(t *testing.T) {
	v, _ := wire.Parse([]byte(`{"hook_event_name":"PreToolUse","session_id":"s"}`))
	env := func(name string) string {
		return map[string]string{"HERMES_HOOK_CLI": "codex", "HOOKSPAN_AGENT": "codex", "CLAUDECODE": "1"}[name]
	}
	if who := Detect("gemini", v, env); who.Agent.Name != "gemini" {
		t.Errorf("registered as gemini, taken for %s", who.Agent.Name)
	}
	if who := Detect("", v, env); who.Agent.Name != "codex" || who.By != "HERMES_HOOK_CLI" {
		t.Errorf("the one variable that counts where nothing is registered: %s (%s)", who.Agent.Name, who.By)
	}
}

// The law: decode never panics, whoever sends whatever under whichever name.
func FuzzDecodeNeverPanics(f *testing.F) {
	for _, a := range Agents() {
		for _, c := range calls() {
			if native, payload, ok := a.Sample(c); ok {
				f.Add(a.Name, native, payload)
			}
		}
	}
	f.Fuzz(func(t *testing.T, name, native string, payload []byte) {
		v, err := wire.Parse(payload)
		if err != nil || v.Kind() != wire.Object {
			return
		}
		who := Detect(name, v, func(string) string { return "" })
		ev, r, err := who.Agent.Decode(agent.Input{Native: native, Payload: v, Env: func(string) string { return "" }})
		if err != nil {
			return
		}
		if _, err := wire.Parse(ev.AppendJSON(nil)); err != nil {
			t.Fatalf("the handler's input is no JSON: %v\n%s", err, ev.AppendJSON(nil))
		}
		for _, d := range []hook.Decision{{}, {Verdict: hook.Deny}, {Input: []byte(`{"command":"x"}`)}} {
			say, _ := agent.Lower(who.Agent, r, ev, d, agent.Options{})
			reply, err := agent.Print(who.Agent, r, say)
			if err != nil {
				t.Fatal(err)
			}
			if reply.Exit == 2 && say.Verdict != hook.Deny && !say.Continue && say.Feedback == "" && say.Notice == "" {
				t.Fatalf("exit 2 without a decision: %+v", say)
			}
		}
	})
}
