package antigravity

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// heard is what Antigravity makes of an answer, by the documents.
type heard struct {
	denied, asks, goesOn bool
	reason, context      string
}

// reads is its reading: protojson, so that an unknown member rejects the answer; an object without a
// decision refuses a tool.
func reads(event string, r agent.Reply) (heard, error) {
	if r.Exit != 0 || len(r.Stderr) > 0 {
		return heard{}, fmt.Errorf("exit %d, stderr %q", r.Exit, r.Stderr)
	}
	if len(r.Stdout) == 0 {
		if event != "PreToolUse" {
			return heard{}, fmt.Errorf("no object on %s", event)
		}
		return heard{}, nil
	}
	v, err := wire.Parse(r.Stdout)
	if err != nil || v.Kind() != wire.Object {
		return heard{}, fmt.Errorf("no object: %v", err)
	}
	takes := map[string]string{"PreToolUse": "decision reason", "Stop": "decision reason", "PreInvocation": "injectSteps"}[event]
	for key := range v.Members() {
		if !strings.Contains(" "+takes+" ", " "+key+" ") {
			return heard{}, fmt.Errorf("%s is not known on %s", key, event)
		}
	}
	h := heard{reason: v.Get("reason").Str()}
	said := v.Get("decision").Str()
	switch event {
	case "PreToolUse":
		h.asks = said == "force_ask"
		h.denied = !h.asks
		if h.denied && said != "deny" {
			return h, fmt.Errorf("decision %q refuses without a word", said)
		}
	case "Stop":
		h.goesOn = said == "continue"
	case "PreInvocation":
		for step := range v.Get("injectSteps").Elems() {
			h.context += step.Get("ephemeralMessage").Str()
		}
	}
	return h, nil
}

// rows are all rows, with those that depend on the payload.
func rows(a *agent.Agent) []agent.Row {
	return append(append([]agent.Row(nil), a.Events...), failed(*a.Row("PostToolUse")), brokenOff(*a.Row("Stop")))
}

// with says a word.
func with(s agent.Say, w agent.Word) agent.Say {
	end := "END"
	switch w {
	case agent.Allow:
		s.Verdict = hook.Allow
	case agent.Ask:
		s.Verdict, s.Reason = hook.Ask, "REASON"
	case agent.Defer:
		s.Verdict = hook.Defer
	case agent.Deny:
		s.Verdict, s.Reason = hook.Deny, "REASON"
	case agent.Rewrite:
		s.Input = []byte(`{"CommandLine":"true"}`)
	case agent.Context:
		s.Context = "CONTEXT \"q\" <b>\n2"
	case agent.Feedback:
		s.Feedback = "FEEDBACK"
	case agent.Output:
		s.Output = []byte(`"OUTPUT"`)
	case agent.Continue:
		s.Continue, s.ContinueReason = true, "REASON"
	case agent.End:
		s.End = &end
	case agent.Notice:
		s.Notice = "NOTICE"
	case agent.Rest:
		s.Rest = []hook.Member{{Key: "sessionTitle", Value: []byte(`"x"`)}}
	}
	return s
}

// TestWordsArrive: each word that a row allows is heard as it was meant; a word that it denies is not
// printed, and the answer is then the row's silence.
func TestWordsArrive(t *testing.T) {
	a := agent.Full(New())
	for _, r := range rows(a) {
		silence := a.Encode(&r, agent.Say{Native: r.Native})
		for w := agent.Allow; w < agent.NumWords; w++ {
			reply, err := agent.Print(a, &r, with(agent.Say{Event: r.Name, Native: r.Native}, w))
			if can := r.Can(w, ""); can != (err == nil) {
				t.Errorf("%s %s: the table says %v, Print says %v", r.Native, w, can, err)
			}
			h, fault := reads(r.Native, reply)
			if fault != nil {
				t.Errorf("%s %s: %s: %v", r.Native, w, reply.Stdout, fault)
			}
			if err != nil {
				if string(reply.Stdout) != string(silence.Stdout) {
					t.Errorf("%s %s: a refused word is answered with %s", r.Native, w, reply.Stdout)
				}
				continue
			}
			want := map[agent.Word]heard{agent.Deny: {denied: true, reason: "REASON"}, agent.Ask: {asks: true, reason: "REASON"},
				agent.Continue: {goesOn: true, reason: "REASON"}, agent.Context: {context: "CONTEXT \"q\" <b>\n2"}}[w]
			if h != want || want == (heard{}) {
				t.Errorf("%s %s: heard %+v in %s", r.Native, w, h, reply.Stdout)
			}
		}
	}
}

// TestSilenceRefusesNothing: before a tool it is nothing at all, elsewhere {}; an event that nobody
// could name may be a tool's, so it gets nothing.
func TestSilenceRefusesNothing(t *testing.T) {
	a := agent.Full(New())
	for _, r := range rows(a) {
		reply, err := agent.Print(a, &r, agent.Say{Event: r.Name, Native: r.Native})
		want := "{}"
		if r.Native == "PreToolUse" {
			want = ""
		}
		if h, fault := reads(r.Native, reply); string(reply.Stdout) != want || err != nil || fault != nil || h != (heard{}) {
			t.Errorf("%s: silence is %q: %+v, %v, %v", r.Native, reply.Stdout, h, fault, err)
		}
	}
	for _, native := range []string{"", "SessionEnd"} {
		if reply, err := agent.Print(a, nil, agent.Say{Native: native}); len(reply.Stdout) != 0 || err != nil || reply.Exit != 0 {
			t.Errorf("%q: %s, %v", native, reply.Stdout, err)
		}
	}
}

func text(s string) []hook.Text { return []hook.Text{{From: "h", Body: s}} }

// TestLowering holds what becomes of the decisions that Antigravity has no word for.
func TestLowering(t *testing.T) {
	const (
		shell = `{"toolCall":{"name":"run_command","args":{"CommandLine":"ls","Cwd":"/w"}},"stepIdx":1}`
		after = `{"toolCall":{"name":"run_command","args":{"CommandLine":"ls","Cwd":"/w"}},"stepIdx":1,"error":""}`
		done  = `{"executionNum":0,"terminationReason":"NO_TOOL_CALL","error":"","fullyIdle":true}`
		model = `{"executionNum":0,"terminationReason":"MODEL_STOP","error":""}`
		wrong = `{"executionNum":0,"terminationReason":"ERROR","error":"model request failed"}`
		user  = `{"executionNum":0,"terminationReason":"USER_CANCELED","error":""}`
		again = `{"decision":"continue","reason":"tests fail"}`
	)
	end := "enough"
	for _, c := range []struct {
		name, native, payload string
		d                     hook.Decision
		want                  string
	}{
		{"deny", "PreToolUse", shell, hook.Decision{Verdict: hook.Deny, Reason: "no"}, `{"decision":"deny","reason":"no"}`},
		{"a deny without a reason has one", "PreToolUse", shell, hook.Decision{Verdict: hook.Deny}, `{"decision":"deny","reason":"refused by a hook, which gave no reason"}`},
		{"ask always asks", "PreToolUse", shell, hook.Decision{Verdict: hook.Ask, Reason: "sure?"}, `{"decision":"force_ask","reason":"sure?"}`},
		{"defer asks", "PreToolUse", shell, hook.Decision{Verdict: hook.Defer, Reason: "later"}, `{"decision":"force_ask","reason":"later"}`},
		{"allow promises nothing", "PreToolUse", shell, hook.Decision{Verdict: hook.Allow}, ""},
		{"context waits", "PreToolUse", shell, hook.Decision{Context: text("C")}, ""},
		{"a rewrite is a deny", "PreToolUse", shell, hook.Decision{Input: []byte(`{"command":"true"}`)}, `{"decision":"deny","reason":"run this instead: true"}`},
		{"end is a deny", "PreToolUse", shell, hook.Decision{End: &end}, `{"decision":"deny","reason":"enough"}`},
		{"feedback waits", "PostToolUse", after, hook.Decision{Feedback: text("F")}, "{}"},
		{"a deny after waits", "PostToolUse", after, hook.Decision{Verdict: hook.Deny, Reason: "no"}, "{}"},
		{"keep working", "Stop", done, hook.Decision{Continue: true, Reason: "tests fail"}, again},
		{"another word for a normal end", "Stop", model, hook.Decision{Continue: true, Reason: "tests fail"}, again},
		{"a deny of a stop is keep working", "Stop", done, hook.Decision{Verdict: hook.Deny, Reason: "tests fail"}, again},
		{"no loop over an error", "Stop", wrong, hook.Decision{Continue: true, Reason: "tests fail"}, "{}"},
		{"what the user broke off stays broken off", "Stop", user, hook.Decision{Continue: true, Reason: "tests fail"}, "{}"},
		{"context at a start waits", "SessionStart", `{}`, hook.Decision{Context: text("C")}, "{}"},
		{"what waited is said before a request", "PreInvocation", `{"invocationNum":0}`, hook.Decision{Context: text("C"), Feedback: text("F")},
			`{"injectSteps":[{"ephemeralMessage":"F\nC"}]}`},
	} {
		v, err := wire.Parse([]byte(c.payload))
		if err != nil {
			t.Fatal(err)
		}
		a := agent.Full(New())
		ev, row, err := a.Decode(agent.Input{Native: c.native, Payload: v})
		if err != nil {
			t.Fatal(err)
		}
		say, losses := agent.Lower(a, row, ev, c.d, agent.Options{})
		reply, err := agent.Print(a, row, say)
		if err != nil || string(reply.Stdout) != c.want {
			t.Errorf("%s: %s, want %s (%v)", c.name, reply.Stdout, c.want, err)
		}
		if strings.Contains(c.name, "waits") && (len(losses) == 0 || losses[len(losses)-1].To != agent.Later) {
			t.Errorf("%s: it does not wait: %v", c.name, losses)
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
		{payload: `{"toolCall":{"name":5,"args":[]},"workspacePaths":{},"conversationId":[]}`, native: "PreToolUse", name: hook.PreToolUse, row: true},
		{payload: `{"toolCall":[],"stepIdx":"x"}`, native: "PreToolUse", name: hook.PreToolUse, row: true},
		{payload: `{"toolCall":{"name":"run_command"}}`, name: hook.PreToolUse, row: true},
		{payload: `{"toolCall":{"name":"run_command","args":"ls"},"error":"x"}`, name: hook.PostToolUseFailure, row: true},
		{payload: `{"toolCall":{"name":"run_command"},"error":7}`, native: "PostToolUse", name: hook.PostToolUse, row: true},
		{payload: `{"terminationReason":[],"error":{}}`, name: hook.Stop, row: true},
		{payload: `{}`, native: "TurnCompletion", name: "TurnCompletion"},
		{payload: `{"conversationId":"c","invocationNum":0}`, fails: true},
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

// TestManyReplacementsAreEdits: the parts of a call that changes several places arrive as Claude's.
func TestManyReplacementsAreEdits(t *testing.T) {
	v, _ := wire.Parse([]byte(`{"toolCall":{"name":"multi_replace_file_content","args":{"TargetFile":"/w/a","ReplacementChunks":[
		{"TargetContent":"a","ReplacementContent":"b","AllowMultiple":true},{"TargetContent":"c","ReplacementContent":"d"}]}}}`))
	ev, _, err := agent.Full(New()).Decode(agent.Input{Payload: v})
	if err != nil || len(ev.Tool.Files) != 1 {
		t.Fatalf("%+v, %v", ev.Tool, err)
	}
	want := []hook.Edit{{Old: "a", New: "b", All: true}, {Old: "c", New: "d"}}
	if got := ev.Tool.Files[0].Edits; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestTablesAreWhole: what installers and people read is filled in, and claims no run.
func TestTablesAreWhole(t *testing.T) {
	a := agent.Full(New())
	for _, r := range rows(a) {
		if r.Fires == "" || r.Silence == "" || r.Missing == "" || r.Failing == "" || r.Proof.Version == "" || r.Timeout.Register == 0 {
			t.Errorf("%s: an empty column: %+v", r.Native, r)
		}
		for w := agent.Allow; w < agent.NumWords; w++ {
			if c := r.Cells[w]; c.Can && (c.As == "" || c.Else != 0) || r.Fact(w).Level != agent.Doc {
				t.Errorf("%s %s: %+v", r.Native, w, c)
			}
		}
		if ms := r.Timeout.Register.Milliseconds(); ms%1000 != 0 {
			t.Errorf("%s: %d ms; a fraction of a second rejects the file", r.Native, ms)
		}
	}
	for _, p := range a.Places() {
		if p.Path == "" || p.Proof.Version == "" || p.Proof.Level != agent.Doc || !p.Read && p.Note == "" {
			t.Errorf("place %+v", p)
		}
	}
}

// FuzzDecodeNeverPanics: any JSON gives an event whose input for handlers is valid JSON again, and an
// answer that Antigravity takes.
func FuzzDecodeNeverPanics(f *testing.F) {
	for _, r := range own(f) {
		f.Add(r.payload.Raw(), r.native)
	}
	f.Add([]byte(`{"toolCall":{"name":"run_command","args":{"Cwd":"x","CommandLine":5}},"error":{},"prompt":1,"workspacePaths":[""]}`), "")
	a := agent.Full(New())
	f.Fuzz(func(t *testing.T, b []byte, native string) {
		v, err := wire.Parse(b)
		if err != nil {
			return
		}
		ev, row, _ := a.Decode(agent.Input{Native: native, Payload: v})
		if _, err := wire.Parse(ev.AppendJSON(nil)); err != nil {
			t.Fatalf("%s\ngives %s\n%v", b, ev.AppendJSON(nil), err)
		}
		say, _ := agent.Lower(a, row, ev, hook.Decision{Verdict: hook.Deny, Reason: "no", Context: text("c"), Continue: true}, agent.Options{})
		reply, err := agent.Print(a, row, say)
		if err != nil || reply.Exit != 0 {
			t.Fatalf("%+v %v", reply, err)
		}
		if row == nil {
			return
		}
		if _, err := reads(row.Native, reply); err != nil {
			t.Fatalf("%s is answered with %s: %v", b, reply.Stdout, err)
		}
	})
}
