package qwen

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// heard is what Qwen Code 0.24.4 makes of one or more answers to an event.
type heard struct {
	verdict string // "", "allow", "deny" (not run, not sent), "ask"
	reason  string
	again   bool   // Stop: keeps working
	result  string // PostToolUse: in place of the result
	message string // shown to the user
	context string
}

// read is Qwen's own reading, from its source: stdout, else stderr, at exit 2 stderr alone; an
// object counts, text that only begins like one is an error, other text decides by the exit code.
// Of several hooks the fields of hookSpecificOutput are the last one's, continue:false is anyone's.
func read(native string, replies ...agent.Reply) heard {
	var m merged
	for _, r := range replies {
		m.add(native, r)
	}
	effective := m.stopReason
	if effective == "" {
		effective = m.reason
	}
	inner := func(k string) string { s, _ := m.inner[k].(string); return s }
	h := heard{}
	if native == "Stop" {
		h.message = m.message
	}
	switch native {
	case "PreToolUse":
		h.verdict, h.reason = readPreToolUse(&m, inner, effective)
	case "PermissionRequest":
		d, _ := m.inner["decision"].(map[string]any)
		h.verdict, _ = d["behavior"].(string)
		h.reason, _ = d["message"].(string)
	case "UserPromptSubmit", "UserPromptExpansion", "TodoCreated", "TodoCompleted":
		if m.block || m.halt && native == "UserPromptSubmit" {
			h.verdict, h.reason = "deny", effective
		}
	case "Stop", "SubagentStop":
		if m.block || m.halt {
			h.again, h.reason = true, effective
		}
	case "PostToolUse", "PostToolBatch":
		if m.halt || m.block && native == "PostToolBatch" {
			h.result = effective
		}
	}
	if takesContext(native) && h.verdict != "deny" && h.result == "" {
		h.context = inner("additionalContext")
	}
	return h
}

func readPreToolUse(m *merged, inner func(string) string, effective string) (verdict, reason string) {
	verdict = inner("permissionDecision")
	if verdict == "" && m.block {
		verdict = "deny"
	}
	reason = inner("permissionDecisionReason")
	switch {
	case verdict == "deny" || verdict == "ask":
		return verdict, reason
	case m.halt:
		return "deny", effective
	}
	return "", ""
}

func takesContext(native string) bool {
	switch native {
	case "SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostToolUse", "PostToolUseFailure", "PostToolBatch":
		return true
	}
	return false
}

// merged is Qwen's sum of several answers.
type merged struct {
	block, halt                 bool
	reason, stopReason, message string
	inner                       map[string]any
}

func (m *merged) add(native string, r agent.Reply) {
	text := strings.TrimSpace(string(r.Stdout))
	if r.Exit == 2 {
		text = strings.TrimSpace(string(r.Stderr))
	} else if text == "" {
		text = strings.TrimSpace(string(r.Stderr))
	}
	if text == "" {
		return
	}
	var obj map[string]any
	if json.Unmarshal([]byte(text), &obj) != nil {
		m.plain(text, r.Exit)
		return
	}
	str := func(k string) string { s, _ := obj[k].(string); return s }
	m.block = m.block || str("decision") == "block" || str("decision") == "deny"
	if s := str("reason"); s != "" {
		m.reason = strings.TrimPrefix(m.reason+"\n"+s, "\n")
	}
	if obj["continue"] == false {
		m.halt = true
		if s := str("stopReason"); s != "" {
			m.stopReason = s
		}
	}
	if s := str("systemMessage"); s != "" {
		m.message = s
	}
	inner, _ := obj["hookSpecificOutput"].(map[string]any)
	for k, v := range inner {
		if m.inner == nil {
			m.inner = map[string]any{}
		}
		m.inner[k] = v
	}
}

func (m *merged) plain(text string, exit int) {
	switch {
	case exit == 2:
		m.block, m.reason = true, text
	case !strings.HasPrefix(text, "{"):
		m.message = text
	}
}

// rows are all rows, with those that depend on the payload.
func rows(a *agent.Agent) []agent.Row {
	return append(append([]agent.Row(nil), a.Events...), written(*a.Row("TodoCreated")))
}

func with(s agent.Say, w agent.Word) agent.Say {
	text := "END"
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
		s.Input = []byte(`{"command":"true"}`)
	case agent.Context:
		s.Context = "CONTEXT"
	case agent.Feedback:
		s.Feedback = "FEEDBACK"
	case agent.Output:
		s.Output = []byte(`{"stdout":"OUTPUT"}`)
	case agent.Continue:
		s.Continue, s.ContinueReason = true, "CONTINUE"
	case agent.End:
		s.End = &text
	case agent.Notice:
		s.Notice = "NOTICE"
	case agent.Rest:
		s.Rest = []hook.Member{{Key: "sessionTitle", Value: []byte(`"x"`)}}
	}
	return s
}

func saying(r *agent.Row, words ...agent.Word) agent.Say {
	s := agent.Say{Event: r.Name, Native: r.Native}
	for _, w := range words {
		s = with(s, w)
	}
	return s
}

// TestWordsArrive: each word that a row allows is heard by Qwen as it was meant, and a word that the
// row denies is not printed.
func TestWordsArrive(t *testing.T) {
	a := agent.Full(New())
	for _, r := range rows(a) {
		for w := agent.Allow; w < agent.NumWords; w++ {
			reply, err := agent.Print(a, &r, saying(&r, w))
			if can := r.Can(w, ""); can != (err == nil) {
				t.Errorf("%s %s: the table says %v, Print says %v", r.Native, w, can, err)
			}
			if reply.Exit != 0 || len(reply.Stderr) != 0 {
				t.Errorf("%s %s: exit %d, stderr %q: an answer is on stdout with exit 0", r.Native, w, reply.Exit, reply.Stderr)
			}
			if err != nil {
				if len(reply.Stdout) != 0 {
					t.Errorf("%s %s: a refused word is answered with %s", r.Native, w, reply.Stdout)
				}
				continue
			}
			if !arrived(&r, w, read(r.Native, reply)) {
				t.Errorf("%s %s: Qwen hears %+v in %s", r.Native, w, read(r.Native, reply), reply.Stdout)
			}
		}
	}
}

func arrived(r *agent.Row, w agent.Word, h heard) bool {
	switch w {
	case agent.Allow:
		return h == heard{verdict: "allow"}
	case agent.Ask:
		if r.Native == "PermissionRequest" {
			return h == heard{} // the question is being asked
		}
		return h == heard{verdict: "ask", reason: "ASK"}
	case agent.Deny:
		return h == heard{verdict: "deny", reason: "DENY \"q\" <b>\n2"}
	case agent.Context:
		return h == heard{context: "CONTEXT"}
	case agent.Output:
		return h == heard{result: "OUTPUT"}
	case agent.Continue:
		return h == heard{again: true, reason: "CONTINUE"}
	case agent.End:
		switch r.Native {
		case "Stop":
			return h == heard{message: "END"}
		case "SubagentStop":
			return h == heard{}
		}
		return h == heard{verdict: "deny", reason: "END"}
	case agent.Notice:
		return h == heard{message: "NOTICE"}
	}
	return false
}

// TestPairsArrive: two words in one answer do not silence each other.
func TestPairsArrive(t *testing.T) {
	a := agent.Full(New())
	for _, c := range []struct {
		native string
		words  []agent.Word
		want   heard
	}{
		{"Stop", []agent.Word{agent.Continue, agent.Notice}, heard{again: true, reason: "CONTINUE", message: "NOTICE"}},
		{"Stop", []agent.Word{agent.End, agent.Notice}, heard{message: "END\nNOTICE"}},
		{"PostToolUse", []agent.Word{agent.Output, agent.Context}, heard{result: "OUTPUT\n\nCONTEXT"}},
		{"UserPromptSubmit", []agent.Word{agent.Deny, agent.End}, heard{verdict: "deny", reason: "END"}},
		{"UserPromptSubmit", []agent.Word{agent.Deny, agent.Context}, heard{verdict: "deny", reason: "DENY \"q\" <b>\n2"}},
	} {
		r := a.Row(c.native)
		reply, err := agent.Print(a, r, saying(r, c.words...))
		if err != nil {
			t.Fatal(err)
		}
		if h := read(c.native, reply); h != c.want {
			t.Errorf("%s %v: Qwen hears %+v in %s, want %+v", c.native, c.words, h, reply.Stdout, c.want)
		}
	}
}

// TestAForeignAllowDoesNotUndoOurDeny: Qwen takes permissionDecision from the last hook, so an allow
// behind ours undoes a plain deny, and an exit 2 as well. All three were seen in runs.
func TestAForeignAllowDoesNotUndoOurDeny(t *testing.T) {
	a := agent.Full(New())
	foreign := agent.Reply{Stdout: []byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`)}
	plain := agent.Reply{Stdout: []byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`)}
	exit2 := agent.Reply{Stderr: []byte("no"), Exit: 2}
	ours := lowered(t, "PreToolUse-shell", hook.Decision{Verdict: hook.Deny, Reason: "no"})
	for _, c := range []struct {
		name    string
		replies []agent.Reply
		want    string
	}{
		{"a plain deny", []agent.Reply{plain, foreign}, ""},
		{"exit 2", []agent.Reply{exit2, foreign}, ""},
		{"ours", []agent.Reply{ours, foreign}, "deny"},
		{"ours, behind", []agent.Reply{foreign, ours}, "deny"},
	} {
		if h := read("PreToolUse", c.replies...); h.verdict != c.want {
			t.Errorf("%s beside an allow: %+v, want %q", c.name, h, c.want)
		}
	}
	if r := a.Row("PreToolUse"); !r.Can(agent.Deny, "") {
		t.Error("no deny")
	}
}

// TestSilenceIsNothingAtAll: Qwen would read stderr.
func TestSilenceIsNothingAtAll(t *testing.T) {
	a := agent.Full(New())
	for _, r := range rows(a) {
		reply, err := agent.Print(a, &r, agent.Say{Event: r.Name, Native: r.Native})
		if err != nil || len(reply.Stdout) != 0 || len(reply.Stderr) != 0 || reply.Exit != 0 {
			t.Errorf("%s: silence is %+v, %v", r.Native, reply, err)
		}
	}
}

// TestStopNeverSaysContinueFalse: it would send the agent back to work.
func TestStopNeverSaysContinueFalse(t *testing.T) {
	a := agent.Full(New())
	for _, native := range []string{"Stop", "SubagentStop"} {
		r := a.Row(native)
		for w := agent.Allow; w < agent.NumWords; w++ {
			reply, _ := agent.Print(a, r, saying(r, w))
			if strings.Contains(string(reply.Stdout), `"continue"`) {
				t.Errorf("%s %s: %s", native, w, reply.Stdout)
			}
		}
	}
}

func text(s string) []hook.Text { return []hook.Text{{From: "h", Body: s}} }

func end(s string) *string { return &s }

// TestLowering holds what becomes of the decisions that Qwen has no word for.
func TestLowering(t *testing.T) {
	const stopped = "Stop-stop-hook-active"
	for _, c := range []struct {
		name, file string
		d          hook.Decision
		want       heard
		silent     bool
	}{
		{name: "ask is asked", file: "PreToolUse-shell", d: hook.Decision{Verdict: hook.Ask, Reason: "sure?"}, want: heard{verdict: "ask", reason: "sure?"}},
		{name: "defer is asked", file: "PreToolUse-shell", d: hook.Decision{Verdict: hook.Defer, Reason: "later"}, want: heard{verdict: "ask", reason: "later"}},
		{name: "allow is silence", file: "PreToolUse-shell", d: hook.Decision{Verdict: hook.Allow}, silent: true},
		{name: "allow of a question", file: "PermissionRequest", d: hook.Decision{Verdict: hook.Allow}, want: heard{verdict: "allow"}},
		{name: "ask of a question is silence", file: "PermissionRequest", d: hook.Decision{Verdict: hook.Ask}, silent: true},
		{name: "exit 2 on a question is a deny", file: "PermissionRequest", d: hook.Decision{Verdict: hook.Deny, ByExit: true, Reason: "no"},
			want: heard{verdict: "deny", reason: "no"}},
		{name: "end before a tool is a deny", file: "PreToolUse-shell", d: hook.Decision{End: end("stop")}, want: heard{verdict: "deny", reason: "stop"}},
		{name: "context before a tool waits", file: "PreToolUse-shell", d: hook.Decision{Context: text("C")}, silent: true},
		{name: "feedback is context", file: "PostToolUse-shell", d: hook.Decision{Feedback: text("F"), Context: text("C")}, want: heard{context: "F\nC"}},
		{name: "feedback on a failure", file: "PostToolUseFailure-shell-exit3", d: hook.Decision{Feedback: text("F")}, want: heard{context: "F"}},
		{name: "end after a tool is not said", file: "PostToolUse-shell", d: hook.Decision{End: end("stop")}, silent: true},
		{name: "keep working", file: stopped, d: hook.Decision{Continue: true, Reason: "tests fail"}, want: heard{again: true, reason: "tests fail"}},
		{name: "end beats keep working", file: stopped, d: hook.Decision{Continue: true, Reason: "tests fail", End: end("enough")}, want: heard{message: "enough"}},
		{name: "a child's end beats keep working", file: "SubagentStop", d: hook.Decision{Continue: true, Reason: "more", End: end("enough")}},
		{name: "a no at compaction waits as a notice", file: "PreCompact-manual", d: hook.Decision{Verdict: hook.Deny, Reason: "no"}, silent: true},
		{name: "context at compaction is no instruction", file: "PreCompact-manual", d: hook.Decision{Context: text("C")}, silent: true},
		{name: "a notice waits for Stop", file: "PreToolUse-shell", d: hook.Decision{Notice: []string{"n"}}, silent: true},
		{name: "a repeated prompt gets nothing", file: "UserPromptSubmit-empty-after-tool",
			d: hook.Decision{Verdict: hook.Deny, Reason: "no", Context: text("C"), Notice: []string{"n"}}, silent: true},
	} {
		reply := lowered(t, c.file, c.d)
		if c.silent != (len(reply.Stdout) == 0) {
			t.Errorf("%s: said %s", c.name, reply.Stdout)
		}
		if h := read(strings.SplitN(c.file, "-", 2)[0], reply); h != c.want {
			t.Errorf("%s: Qwen hears %+v, want %+v", c.name, h, c.want)
		}
	}
}

// TestRepeatedPromptIsNoEvent: only the one that nobody has typed.
func TestRepeatedPromptIsNoEvent(t *testing.T) {
	a := agent.Full(New())
	for payload, want := range map[string]hook.Name{
		`{"hook_event_name":"UserPromptSubmit","prompt":""}`:                                 "",
		`{"hook_event_name":"UserPromptSubmit","prompt":"","submitted_prompt":"@image.png"}`: hook.UserPromptSubmit,
		`{"hook_event_name":"UserPromptSubmit","prompt":"do it"}`:                            hook.UserPromptSubmit,
		`{"hook_event_name":"UserPromptSubmit"}`:                                             hook.UserPromptSubmit,
		`{"hook_event_name":"Stop","prompt":""}`:                                             hook.Stop,
	} {
		v, _ := wire.Parse([]byte(payload))
		ev, row, err := a.Decode(agent.Input{Payload: v})
		if err != nil || ev.Name != want || (row == nil) != (want == "") {
			t.Errorf("%s: %q, row %v, %v", payload, ev.Name, row != nil, err)
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
		{payload: `{"hook_event_name":"PreToolUse","session_id":5,"cwd":[],"timestamp":{},"tool_name":"run_shell_command","tool_input":"x","tool_use_id":7}`, name: hook.PreToolUse, row: true},
		{payload: `{"hook_event_name":"PostToolUseFailure","tool_name":"edit","error":{}}`, name: hook.PostToolUseFailure, row: true},
		{payload: `{"hook_event_name":"StopFailure","error":"rate_limit"}`, name: "StopFailure", row: true},
		{payload: `{"session_id":"s"}`, native: "Stop", name: hook.Stop, row: true},
		{payload: `{"hook_event_name":"BeforeTool"}`, name: "BeforeTool"},
		{payload: `{"hook_event_name":{}}`, fails: true},
		{payload: `[1]`, native: "PreToolUse", name: hook.PreToolUse, row: true, fails: true},
	} {
		v, err := wire.Parse([]byte(c.payload))
		if err != nil {
			t.Fatal(err)
		}
		ev, row, err := a.Decode(agent.Input{Native: c.native, Payload: v})
		if ev.Name != c.name || (row != nil) != c.row || (err != nil) != c.fails {
			t.Errorf("%s: %q, row %v, %v", c.payload, ev.Name, row != nil, err)
		}
		if ev.Name == "StopFailure" && !strings.Contains(string(ev.AppendJSON(nil)), `"error":"rate_limit"`) {
			t.Error("StopFailure loses its error")
		}
	}
}

// TestModesAreClaudesWhereEqual: tool events spell one mode otherwise.
func TestModesAreClaudesWhereEqual(t *testing.T) {
	for in, want := range map[string]string{"default": "default", "plan": "plan", "auto": "auto", "yolo": "bypassPermissions",
		"auto_edit": "acceptEdits", "auto-edit": "acceptEdits", "whim": "", "": ""} {
		if got := mode(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// TestChildrenAreTold: a tool call of a child carries the child's id.
func TestChildrenAreTold(t *testing.T) {
	v, _ := wire.Parse([]byte(`{"hook_event_name":"PreToolUse","agent_id":"Explore-call_1_0","tool_name":"run_shell_command","tool_input":{"command":"ls"},"tool_use_id":"toolu_1"}`))
	ev, _, _ := agent.Full(New()).Decode(agent.Input{Payload: v, Env: func(k string) string {
		return map[string]string{"QWEN_CODE_STARTUP_VERSION": "0.24.4"}[k]
	}})
	if ev.Sub == nil || ev.Sub.ID != "Explore-call_1_0" || ev.Call != "PreToolUse/toolu_1" {
		t.Errorf("sub %+v, call %q", ev.Sub, ev.Call)
	}
	if ev.From.Version != "0.24.4" || ev.From.VersionFrom != "environment" {
		t.Errorf("from %+v", ev.From)
	}
}

// TestCallKey: the id where there is one, else the bytes, which hold a time.
func TestCallKey(t *testing.T) {
	a := agent.Full(New())
	seen := map[string]string{}
	for _, r := range own(t) {
		ev, _ := r.decode(t, a)
		if ev.Call == "" {
			t.Errorf("%s has no key", r.file)
		}
		if other, twice := seen[ev.Call]; twice {
			t.Errorf("%s and %s have one key", r.file, other)
		}
		seen[ev.Call] = r.file
	}
	v, _ := wire.Parse([]byte(`{"hook_event_name":"Stop","session_id":"s"}`))
	if ev, _, _ := a.Decode(agent.Input{Payload: v}); ev.Call != "" {
		t.Errorf("nothing identifies this one, got %q", ev.Call)
	}
}

// TestWrittenTodosCannotBeRefused: the phase tells.
func TestWrittenTodosCannotBeRefused(t *testing.T) {
	a := agent.Full(New())
	for phase, can := range map[string]bool{"validation": true, "postWrite": false} {
		v, _ := wire.Parse([]byte(`{"hook_event_name":"TodoCreated","phase":"` + phase + `"}`))
		_, row, _ := a.Decode(agent.Input{Payload: v})
		if row.Can(agent.Deny, "") != can {
			t.Errorf("%s: deny is %v", phase, !can)
		}
	}
}

// TestTablesAreWhole: what installers and people read is filled in.
func TestTablesAreWhole(t *testing.T) {
	a := agent.Full(New())
	if len(a.Events) != 22 {
		t.Errorf("%d events, 0.24.4 has 22", len(a.Events))
	}
	for _, r := range a.Events {
		if r.Fires == "" || r.Silence == "" || r.Missing == "" || r.Failing == "" || r.Proof.Date == "" {
			t.Errorf("%s: an empty column: %+v", r.Native, r)
		}
		if s := r.Timeout.Register.Seconds(); s < 1 || s >= 1000 {
			t.Errorf("%s: registered with %v, Qwen reads numbers from 1000 on as milliseconds", r.Native, s)
		}
		if r.Name != "" && string(r.Name) != r.Native {
			t.Errorf("%s is named %s", r.Native, r.Name)
		}
		for w := agent.Allow; w < agent.NumWords; w++ {
			if c := r.Cells[w]; c.Can && (c.As == "" || c.Else != 0) {
				t.Errorf("%s %s: %+v", r.Native, w, c)
			}
		}
		if r.Can(agent.Notice, "") != (r.Native == "Stop") {
			t.Errorf("%s: a notice is shown on Stop only", r.Native)
		}
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
	f.Add([]byte(`{"tool_name":"mcp____","error":1}`), "PreToolUse")
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
		say, _ := agent.Lower(a, row, ev, hook.Decision{Verdict: hook.Deny, Reason: "no", Context: text("c")}, agent.Options{})
		if reply, err := agent.Print(a, row, say); err != nil || reply.Exit != 0 {
			t.Fatalf("%+v %v", reply, err)
		}
	})
}
