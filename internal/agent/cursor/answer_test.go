package cursor

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// heard is what Cursor makes of an answer.
type heard struct {
	denied, asks bool
	forModel     string // of a refusal, or the context
	forUser      string
	input        string
	output       string
	followUp     string
}

// fieldsOf are the members that Cursor checks on an event, with their types (sdk-1.0.32). A wrong
// one refuses on gates. Members that it does not know are ignored, so we print none.
func fieldsOf(event string) string {
	switch event {
	case "preToolUse":
		return "permission user_message agent_message updated_input additional_context"
	case "beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "beforeTabFileRead", "subagentStart":
		return "permission user_message agent_message"
	case "beforeSubmitPrompt":
		return "continue user_message additional_context"
	case "sessionStart":
		return "env additional_context continue user_message"
	case "postToolUse":
		return "additional_context updated_mcp_tool_output"
	case "postToolUseFailure":
		return "additional_context"
	case "stop", "subagentStop":
		return "followup_message"
	case "preCompact":
		return "user_message"
	}
	return ""
}

// reads is Cursor's reading of an answer. An error is an answer that is refused, ignored, or in
// doubt where a profile prints something in front of it.
func reads(event string, r agent.Reply) (heard, error) {
	if r.Exit != 0 || len(r.Stderr) > 0 {
		return heard{}, fmt.Errorf("exit %d, stderr %q", r.Exit, r.Stderr)
	}
	if len(r.Stdout) == 0 {
		if permits(event) || event == beforeSubmitPrompt {
			return heard{}, fmt.Errorf("silence, which profile text turns into a refusal")
		}
		return heard{}, nil
	}
	v, err := wire.Parse(r.Stdout)
	if err != nil || v.Kind() != wire.Object {
		return heard{}, fmt.Errorf("no object: %v", err)
	}
	for key, m := range v.Members() {
		if !strings.Contains(" "+fieldsOf(event)+" ", " "+key+" ") {
			return heard{}, fmt.Errorf("%s is not read on %s", key, event)
		}
		if err := typed(event, key, m); err != nil {
			return heard{}, err
		}
	}
	return meaning(event, v)
}

func typed(event, key string, m wire.Value) error {
	kind := wire.String
	switch key {
	case "continue":
		kind = wire.Bool
	case "updated_input", "env":
		kind = wire.Object
	case "updated_mcp_tool_output":
		return nil
	case "permission":
		s := m.Str()
		if s != "allow" && s != "deny" && (s != "ask" || strings.Contains(event, "Read")) {
			return fmt.Errorf("permission %s on %s denies", m.Raw(), event)
		}
	}
	if m.Kind() != kind {
		return fmt.Errorf("%s is %s", key, m.Raw())
	}
	return nil
}

func meaning(event string, v wire.Value) (heard, error) {
	h := heard{forUser: v.Get("user_message").Str(), forModel: v.Get("additional_context").Str(), input: string(v.Get("updated_input").Raw()),
		output: string(v.Get("updated_mcp_tool_output").Raw()), followUp: v.Get("followup_message").Str()}
	if n := len(utf16.Encode([]rune(h.forModel))); n > 10000 {
		return h, fmt.Errorf("a context of %d characters is dropped", n)
	}
	switch {
	case permits(event):
		switch v.Get("permission").Str() {
		case "":
			return h, fmt.Errorf("no permission")
		case "deny":
			h.denied, h.forModel = true, h.forUser
		case "ask":
			if event != "beforeShellExecution" {
				return h, fmt.Errorf("ask has no effect on %s", event)
			}
			h.asks = true
		}
	case event == beforeSubmitPrompt:
		on, ok := v.Get("continue").Bool()
		if !ok {
			return h, fmt.Errorf("no continue")
		}
		h.denied = !on
	}
	return h, nil
}

// rows are all rows, with those that depend on the payload.
func rows(a *agent.Agent) []agent.Row {
	list := append([]agent.Row(nil), a.Events...)
	return append(list, afterMCP(*a.Row("postToolUse")), denied(*a.Row("postToolUseFailure")),
		brokenOff(*a.Row("stop")), brokenOff(*a.Row("subagentStop")))
}

// with says a word.
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
		s.Input = []byte(`{"command":"true"}`)
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

// TestWordsArrive: each word that a row allows is heard by Cursor as it was meant; a word that it
// denies is not printed, and the answer is then the row's silence.
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
			if !understood(w, h) {
				t.Errorf("%s %s: heard %+v in %s", r.Native, w, h, reply.Stdout)
			}
		}
	}
}

func understood(w agent.Word, h heard) bool {
	switch w {
	case agent.Ask:
		return h.asks && h.forUser == "ASK"
	case agent.Deny:
		return h.denied && h.forUser == "DENY \"q\" <b>\n2"
	case agent.Rewrite:
		return !h.denied && h.input == `{"command":"true"}`
	case agent.Context:
		return !h.denied && h.forModel == "CONTEXT"
	case agent.Output:
		return h.output == `"OUTPUT"`
	case agent.Continue:
		return h.followUp == "CONTINUE"
	case agent.Notice:
		return !h.denied && h.forUser == "NOTICE"
	}
	return false
}

// TestEveryCombinationOfWordsIsTaken: no word voids another one.
func TestEveryCombinationOfWordsIsTaken(t *testing.T) {
	a := agent.Full(New())
	for _, r := range rows(a) {
		for mask := range 1 << agent.NumWords {
			say := agent.Say{Event: r.Name, Native: r.Native}
			for w := range agent.NumWords {
				if mask&(1<<w) != 0 && r.Can(w, "") {
					say = with(say, w)
				}
			}
			reply, err := agent.Print(a, &r, say)
			if err != nil {
				t.Fatal(err)
			}
			if h, fault := reads(r.Native, reply); fault != nil || (say.Verdict == hook.Deny) != h.denied || say.ContinueReason != h.followUp {
				t.Fatalf("%s %v: %s: %+v, %v", r.Native, say.Words(), reply.Stdout, h, fault)
			}
		}
	}
}

// TestSilenceIsAnAnswerWhereSomethingCanBeRefused, also on an event that nobody knows or could name:
// what is said then is taken by every event and refuses on none.
func TestSilenceIsAnAnswerWhereSomethingCanBeRefused(t *testing.T) {
	a := agent.Full(New())
	for _, r := range rows(a) {
		reply, err := agent.Print(a, &r, agent.Say{Event: r.Name, Native: r.Native})
		if h, fault := reads(r.Native, reply); err != nil || fault != nil || h != (heard{}) {
			t.Errorf("%s: silence is %s: %+v, %v, %v", r.Native, reply.Stdout, h, fault, err)
		}
	}
	for _, native := range []string{"", "beforeDreams"} {
		reply, err := agent.Print(a, nil, agent.Say{Native: native})
		if string(reply.Stdout) != `{"permission":"allow","continue":true}` || err != nil || reply.Exit != 0 {
			t.Errorf("%q: %s, %v", native, reply.Stdout, err)
		}
	}
}

func text(s string) []hook.Text { return []hook.Text{{From: "h", Body: s}} }

// TestLowering holds what becomes of the decisions that Cursor has no word for.
func TestLowering(t *testing.T) {
	stop := func(status string, loop int) string {
		return fmt.Sprintf(`{"hook_event_name":"stop","cursor_version":"3.18.25","conversation_id":"c","status":%q,"loop_count":%d}`, status, loop)
	}
	const (
		shell = `{"hook_event_name":"preToolUse","cursor_version":"3.18.25","tool_name":"Shell","tool_input":{"command":"ls"}}`
		asked = `{"hook_event_name":"beforeShellExecution","cursor_version":"3.18.25","command":"ls","cwd":""}`
		read  = `{"hook_event_name":"beforeReadFile","cursor_version":"3.18.25","file_path":"/a","content":""}`
		call  = `{"hook_event_name":"beforeMCPExecution","cursor_version":"3.18.25","tool_name":"echo","tool_input":"{}"}`
		after = `{"hook_event_name":"postToolUse","cursor_version":"3.18.25","tool_name":"Shell","tool_input":{"command":"ls"},"tool_output":""}`
		ends  = "END"
		allow = `{"permission":"allow"}`
	)
	why := " (this needs a person's approval, which cannot be asked for here)"
	deny := func(reason string) string {
		b, _ := json.Marshal(reason)
		return fmt.Sprintf(`{"permission":"deny","user_message":%s,"agent_message":%s}`, b, b)
	}
	end := ends
	for _, c := range []struct {
		name, payload string
		d             hook.Decision
		want          string
	}{
		{"ask before a tool is a deny", shell, hook.Decision{Verdict: hook.Ask, Reason: "sure?"}, deny("sure?" + why)},
		{"ask before an MCP tool is a deny", call, hook.Decision{Verdict: hook.Ask, Reason: "sure?"}, deny("sure?" + why)},
		{"ask at a read is a deny", read, hook.Decision{Verdict: hook.Ask, Reason: "sure?"}, deny("sure?" + why)},
		{"ask in the shell is asked", asked, hook.Decision{Verdict: hook.Ask, Reason: "sure?"}, `{"permission":"ask","user_message":"sure?","agent_message":"sure?"}`},
		{"allow promises nothing", shell, hook.Decision{Verdict: hook.Allow}, allow},
		{"end before a tool is a deny", shell, hook.Decision{End: &end}, deny(ends)},
		{"context in the shell waits", asked, hook.Decision{Context: text("C")}, allow},
		{"a rewrite in the shell is a deny", asked, hook.Decision{Input: []byte(`{"command":"true"}`)}, deny("run this instead: true")},
		{"feedback is context", after, hook.Decision{Feedback: text("F"), Context: text("C")}, `{"additional_context":"F\nC"}`},
		{"a deny after is context", after, hook.Decision{Verdict: hook.Deny, Reason: "no"}, `{"additional_context":"no"}`},
		{"a result cannot be replaced", after, hook.Decision{Output: []byte(`"x"`)}, ""},
		{"keep working", stop("completed", 0), hook.Decision{Continue: true, Reason: "tests fail"}, `{"followup_message":"tests fail"}`},
		{"a deny of a stop is keep working", stop("completed", 1), hook.Decision{Verdict: hook.Deny, Reason: "no"}, `{"followup_message":"no"}`},
		{"what the user broke off stays broken off", stop("aborted", 0), hook.Decision{Continue: true, Reason: "tests fail"}, ""},
		{"no loop over an error", stop("error", 4), hook.Decision{Continue: true, Reason: "tests fail"}, ""},
	} {
		v, err := wire.Parse([]byte(c.payload))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(answered(t, v, c.d).Stdout); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestLongContextIsCutAsCursorCounts: Cursor drops a text above its limit as a whole.
func TestLongContextIsCutAsCursorCounts(t *testing.T) {
	for _, s := range []string{strings.Repeat("x", 9999), strings.Repeat("ä", 20000), strings.Repeat("😀", 9000), strings.Repeat("😀x", 8000)} {
		reply := lowered(t, "sdk-1.0.32/postToolUse-read", hook.Decision{Context: text(s)})
		if h, err := reads("postToolUse", reply); err != nil || len(h.forModel) < 5000 {
			t.Errorf("%d bytes became %d: %v", len(s), len(h.forModel), err)
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
		{payload: `{"hook_event_name":"preToolUse","conversation_id":5,"cwd":[],"workspace_roots":{},"tool_name":"Shell","tool_input":"x"}`, name: hook.PreToolUse, row: true},
		{payload: `{"hook_event_name":"preToolUse","tool_name":7,"tool_input":{},"workspace_roots":[]}`, name: hook.PreToolUse, row: true},
		{payload: `{"hook_event_name":"postToolUseFailure","tool_name":"Shell","failure_type":"permission_denied"}`, name: "postToolUseFailure", row: true},
		{payload: `{"hook_event_name":"postToolUseFailure","tool_name":"Shell","failure_type":[]}`, name: hook.PostToolUseFailure, row: true},
		{payload: `{"hook_event_name":"stop","loop_count":"many","status":1}`, name: hook.Stop, row: true},
		{payload: `{"conversation_id":"s"}`, native: "stop", name: hook.Stop, row: true},
		{payload: `{"hook_event_name":"beforeDreams"}`, name: "beforeDreams"},
		{payload: `{"hook_event_name":{}}`, fails: true},
		{payload: `[1]`, native: "preToolUse", name: hook.PreToolUse, row: true, fails: true},
		{payload: `"preToolUse"`, fails: true},
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

// TestCallKey: two registrations of one event get one key; what nothing identifies has none.
func TestCallKey(t *testing.T) {
	for _, c := range []struct{ payload, want string }{
		{`{"hook_event_name":"preToolUse","session_id":"s","tool_use_id":"t"}`, "s/preToolUse/t"},
		{`{"hook_event_name":"preToolUse","conversation_id":"s","tool_use_id":"a\nb"}`, "s/preToolUse/a\nb"},
		{`{"hook_event_name":"preToolUse","tool_use_id":"t"}`, ""},
		{`{"hook_event_name":"beforeShellExecution","session_id":"s","generation_id":"g","command":"ls"}`, ""},
		{`{"hook_event_name":"sessionStart","session_id":"s","generation_id":"g"}`, "s/sessionStart/g"},
		{`{"hook_event_name":"sessionStart","session_id":"s","generation_id":""}`, ""},
		{`{"hook_event_name":"sessionStart","session_id":"s","generation_id":"s"}`, ""},
		{`{"hook_event_name":"sessionEnd","session_id":"s"}`, "s/sessionEnd"},
		{`{"hook_event_name":"stop","session_id":"s","generation_id":"g","loop_count":2}`, "s/stop/g/2"},
		{`{"hook_event_name":"stop","session_id":"s","generation_id":"g"}`, ""},
		{`{"hook_event_name":"subagentStop","session_id":"s","generation_id":"g","loop_count":0}`, ""},
		{`{"hook_event_name":"subagentStop","session_id":"s","subagent_id":"c","loop_count":0}`, "s/subagentStop/c/0"},
	} {
		v, _ := wire.Parse([]byte(c.payload))
		if got := call(v.Get("hook_event_name").Str(), v); got != c.want {
			t.Errorf("%s: %q, want %q", c.payload, got, c.want)
		}
	}
	prompt := func(s string) string {
		v, _ := wire.Parse([]byte(`{"session_id":"s","generation_id":"g","prompt":"` + s + `"}`))
		return call(beforeSubmitPrompt, v)
	}
	if prompt("a") == "" || prompt("a") == prompt("b") {
		t.Errorf("two prompts: %q and %q", prompt("a"), prompt("b"))
	}
}

// TestTablesAreWhole: what installers and people read is filled in.
func TestTablesAreWhole(t *testing.T) {
	a := agent.Full(New())
	if len(a.Events) != 21 {
		t.Errorf("%d events; the loader knows 21, and any other name voids a file", len(a.Events))
	}
	for _, r := range rows(a) {
		if r.Fires == "" || r.Silence == "" || r.Missing == "" || r.Failing == "" || r.Proof.Date == "" || r.Timeout.Register == 0 {
			t.Errorf("%s: an empty column: %+v", r.Native, r)
		}
		if r.Proof.Level == agent.Live || r.Can(agent.Allow, "") {
			t.Errorf("%s: nothing was run, and allow grants nothing that is known", r.Native)
		}
		for w := agent.Allow; w < agent.NumWords; w++ {
			c := r.Cells[w]
			if c.Can && (c.As == "" || c.Else != 0 || c.Proof.Date == "") || c.Proof.Level == agent.Live {
				t.Errorf("%s %s: %+v", r.Native, w, c)
			}
		}
	}
	seen := map[hook.Name]string{}
	for _, r := range a.Events {
		if r.Hot == "" && r.Name == "" {
			t.Errorf("%s would be registered and means nothing common", r.Native)
		}
		if r.Hot == "" && seen[r.Name] != "" {
			t.Errorf("%s and %s would both be registered for %s", r.Native, seen[r.Name], r.Name)
		}
		if r.Hot == "" {
			seen[r.Name] = r.Native
		}
	}
	for _, p := range a.Places() {
		if p.Path == "" || p.Proof.Version == "" || !p.Read && p.Note == "" {
			t.Errorf("place %+v", p)
		}
	}
}

// FuzzDecodeNeverPanics: any JSON gives an event whose input for handlers is valid JSON again, and an
// answer that Cursor takes.
func FuzzDecodeNeverPanics(f *testing.F) {
	for _, r := range own(f) {
		f.Add(r.payload.Raw(), "")
	}
	f.Add([]byte(`{"tool_name":"MCP:","tool_input":"[","subagent_id":[],"agent_id":{},"output":1,"edits":[1]}`), "afterFileEdit")
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
		say, _ := agent.Lower(a, row, ev, hook.Decision{Verdict: hook.Deny, Reason: "no", Context: text("c"), Input: []byte(`{"command":1}`)}, agent.Options{})
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
