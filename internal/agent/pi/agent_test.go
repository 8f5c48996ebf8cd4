package pi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// recording is one payload as a recording bridge sent it.
type recording struct {
	file    string
	agent   string
	native  string
	payload wire.Value
}

func recordings(t testing.TB, pattern string) []recording {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings at %s (%v)", pattern, err)
	}
	sort.Strings(files)
	var list []recording
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		v, err := wire.Parse(b)
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		list = append(list, recording{strings.TrimSuffix(filepath.Base(f), ".json"), v.Get("agent").Str(),
			v.Get("event").Str(), v.Get("stdin")})
	}
	return list
}

func own(t testing.TB) []recording { return recordings(t, "testdata/1.6.0/*.json") }

func (r recording) decode(t testing.TB, a *agent.Agent) (hook.Event, *agent.Row) {
	t.Helper()
	ev, row, err := a.Decode(agent.Input{Native: r.native, Payload: r.payload, Env: func(string) string { return "" }})
	if err != nil {
		t.Fatalf("%s: %v", r.file, err)
	}
	return ev, row
}

// TestRecordingsDecode holds what each recording means; testdata/want.txt was read line by line.
func TestRecordingsDecode(t *testing.T) {
	a := agent.Full(New())
	var got strings.Builder
	for _, r := range own(t) {
		ev, row := r.decode(t, a)
		fmt.Fprintf(&got, "%s: %s\n", r.file, summary(ev, row))
	}
	want, err := os.ReadFile("testdata/want.txt")
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, got.String(), string(want))
}

func compareLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(g) != len(w) {
		t.Errorf("%d lines, want %d", len(g), len(w))
	}
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Errorf("line %d of testdata/want.txt\n got %s\nwant %s", i+1, g[i], w[i])
		}
	}
}

func summary(ev hook.Event, row *agent.Row) string {
	if ev.Name == "" {
		return "no event"
	}
	parts := []string{string(ev.Name), "native=" + ev.From.Native}
	if row == nil {
		parts = append(parts, "no row")
	} else if row.Native != ev.From.Native {
		parts = append(parts, "row="+row.Native)
	}
	add := func(key, value string) {
		if value != "" {
			parts = append(parts, fmt.Sprintf("%s=%q", key, value))
		}
	}
	add("session", ev.Session)
	add("subject", ev.Subject)
	add("prompt", ev.Prompt)
	add("model", ev.Model)
	if ev.Synthetic {
		add("synthetic", "true")
	}
	if ev.Usage != nil {
		add("usage", fmt.Sprint(*ev.Usage))
	}
	if t := ev.Tool; t != nil {
		add("tool", t.Name)
		add("nativeTool", t.NativeName)
		add("kind", string(t.Kind))
		add("id", t.ID)
		add("command", t.Command)
		for _, f := range t.Files {
			add("file", f.Path+" "+string(f.Op))
		}
		add("input", compact(t.Input))
		add("error", t.Error)
		if t.Kind == hook.KindShell {
			add("response", string(t.Response))
		}
	}
	add("call", ev.Call)
	var keys []string
	for _, m := range ev.Fields {
		keys = append(keys, m.Key)
	}
	add("fields", strings.Join(keys, " "))
	return strings.Join(parts, " ")
}

func compact(raw []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return string(raw)
	}
	return b.String()
}

// TestCommonFieldsArrive holds the members that every payload has.
func TestCommonFieldsArrive(t *testing.T) {
	a := agent.Full(New())
	for _, r := range own(t) {
		ev, _ := r.decode(t, a)
		if string(ev.Payload) != string(r.payload.Raw()) {
			t.Errorf("%s: the payload is not verbatim", r.file)
		}
		if _, err := wire.Parse(ev.AppendJSON(nil)); err != nil {
			t.Errorf("%s: the handler's input: %v", r.file, err)
		}
		if ev.Name == "" {
			continue
		}
		ctx := r.payload.Get("ctx")
		if ev.Cwd != "/home/dev/shop" || ev.Project != ev.Cwd || ev.Session == "" || ev.Session != ctx.Get("sessionId").Str() ||
			!strings.Contains(ev.Transcript, ev.Session) || ev.Model != "m1" {
			t.Errorf("%s: cwd %q, project %q, session %q, transcript %q, model %q", r.file, ev.Cwd, ev.Project, ev.Session, ev.Transcript, ev.Model)
		}
		if ev.From.Name != Name || ev.From.Surface != ctx.Get("mode").Str() || ev.Mode != "" || ev.Sub != nil {
			t.Errorf("%s: from %+v, mode %q", r.file, ev.From, ev.Mode)
		}
	}
}

// TestMarkIsPisAlone: on the recordings of all agents that are there.
func TestMarkIsPisAlone(t *testing.T) {
	marked := 0
	for _, r := range recordings(t, "../*/testdata/*/*.json") {
		mark := Mark(r.payload)
		if mark != "" && r.agent != Name {
			t.Errorf("%s of %s carries Pi's mark %q", r.file, r.agent, mark)
		}
		if r.agent == Name && mark == "" && r.native != "factory" {
			t.Errorf("%s carries no mark", r.file)
		}
		if mark != "" {
			marked++
		}
	}
	if marked < 50 {
		t.Errorf("%d recordings carry the mark, want 50 or more", marked)
	}
}

// TestRewriteOfNothingIsIdentity: the native bytes of every recorded call come back.
func TestRewriteOfNothingIsIdentity(t *testing.T) {
	a := agent.Full(New())
	seen := 0
	for _, r := range own(t) {
		ev, _ := r.decode(t, a)
		if ev.Tool == nil || len(ev.Tool.Native) == 0 { // the end of a call does not tell its input
			continue
		}
		seen++
		after, err := wire.Parse(ev.Tool.Input)
		if err != nil {
			t.Fatalf("%s: %v", r.file, err)
		}
		native, changes, err := a.Rewritten(ev.Tool, after)
		if err != nil || len(changes) != 0 || string(native) != string(ev.Tool.Native) {
			t.Errorf("%s: %v, %d changes\n got %s\nwant %s", r.file, err, len(changes), native, ev.Tool.Native)
		}
	}
	if seen < 25 {
		t.Errorf("%d tool recordings, want 25 or more", seen)
	}
}

// TestRewriteChangesOnlyItsKey: Pi takes changes key by key, under its own names, and does not check them.
func TestRewriteChangesOnlyItsKey(t *testing.T) {
	for _, c := range []struct{ file, input, want string }{
		{"tool_call-bash-nested", `{"command":"true"}`, `{"ops":[{"op":"set","path":["input","command"],"value":"true"}]}`},
		{"tool_call-bash-nested", `{"command":"echo nested m-block"}`, ``},
		{"tool_call-write", `{"file_path":"/tmp/b","content":"x"}`,
			`{"ops":[{"op":"set","path":["input","path"],"value":"/tmp/b"},{"op":"set","path":["input","content"],"value":"x"}]}`},
		{"tool_call-edit", `{"edits":[{"old_string":"two","new_string":"2"}]}`,
			`{"ops":[{"op":"set","path":["input","edits"],"value":[{"oldText":"two","newText":"2"}]}]}`},
		{"tool_call-bash-nested", `{"command":123}`,
			`{"ops":[{"op":"block","reason":"a hook changed the input, and the rewrite cannot be put into this agent's input: command was of another type"}]}`},
	} {
		if got := string(lowered(t, c.file, "", hook.Decision{Input: []byte(c.input)}).Stdout); got != c.want {
			t.Errorf("%s %s\n got %s\nwant %s", c.file, c.input, got, c.want)
		}
	}
}

func find(t *testing.T, file string) recording {
	t.Helper()
	for _, r := range own(t) {
		if r.file == file {
			return r
		}
	}
	t.Fatalf("no recording %s", file)
	return recording{}
}

// lowered is our answer to a recording, in another surface than the recorded one where one is named.
func lowered(t *testing.T, file, surface string, d hook.Decision) agent.Reply {
	t.Helper()
	a := agent.Full(New())
	ev, row := find(t, file).decode(t, a)
	if surface != "" {
		ev.From.Surface = surface
	}
	say, _ := agent.Lower(a, row, ev, d, agent.Options{})
	reply, err := agent.Print(a, row, say)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

// TestSamplesAreReadAsMade: what Sample makes, Decode reads as the call it was made from.
func TestSamplesAreReadAsMade(t *testing.T) {
	a := agent.Full(New())
	input, _ := wire.Parse([]byte(`{"command":"ls","file_path":"a.go","content":"x"}`))
	for _, name := range hook.Names() {
		for _, tool := range []string{"Bash", "Read", "Write", "Edit", "Grep", "Glob", "ls", "mcp__demo__echo", "codemode"} {
			if !name.OfTool() && tool != "Bash" {
				continue
			}
			native, payload, ok := a.Sample(agent.Call{Event: name, Tool: tool, Input: input, Prompt: "do it", Dir: "/home/dev/shop"})
			if ok == never(name) {
				t.Errorf("%s %s: sample %v", name, tool, ok)
			}
			if !ok {
				continue
			}
			v, err := wire.Parse(payload)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			ev, row, err := a.Decode(agent.Input{Native: native, Payload: v})
			if err != nil || row == nil || ev.Name != name || ev.Cwd != "/home/dev/shop" || ev.Session == "" {
				t.Errorf("%s: read as %+v, %v", name, ev, err)
			}
			if name.OfTool() && (ev.Tool == nil || ev.Tool.Name != tool || ev.Tool.ID == "") {
				t.Errorf("%s %s: read as %+v", name, tool, ev.Tool)
			}
			if name == hook.UserPromptSubmit && ev.Prompt != "do it" {
				t.Errorf("prompt is %q", ev.Prompt)
			}
			if Mark(v) == "" {
				t.Errorf("%s: the sample carries no mark: %s", name, payload)
			}
		}
	}
	if _, _, ok := a.Sample(agent.Call{Event: hook.PreToolUse, Tool: "NotebookEdit"}); ok {
		t.Error("Pi has no NotebookEdit")
	}
}

// never lists what Pi has no event for.
func never(name hook.Name) bool {
	return name == hook.PermissionRequest || name == hook.SubagentStart || name == hook.SubagentStop
}

// TestSamplesHaveTheShapeOfRecordings: every member of a sample stands in the recording of its kind.
func TestSamplesHaveTheShapeOfRecordings(t *testing.T) {
	a := agent.Full(New())
	input, _ := wire.Parse([]byte(`{"command":"ls"}`))
	for _, c := range []struct {
		name hook.Name
		file string
	}{
		{hook.PreToolUse, "tool_call-bash-nested"}, {hook.PostToolUse, "tool_result-bash-nested"}, {hook.PostToolUseFailure, "tool_result-bash-error"},
		{hook.UserPromptSubmit, "input-tui"}, {hook.SessionStart, "session_start-startup-tui"}, {hook.SessionEnd, "session_shutdown-quit-tui"},
		{hook.Stop, "agent_before_settle"}, {hook.PreCompact, "session_before_compact-threshold"}, {hook.PostCompact, "session_compact-threshold"},
	} {
		r := find(t, c.file)
		native, payload, _ := a.Sample(agent.Call{Event: c.name, Tool: "Bash", Input: input, Dir: "/home/dev/shop"})
		v, err := wire.Parse(payload)
		if err != nil || native != r.native {
			t.Fatalf("%s: %q, %v", c.name, native, err)
		}
		for _, key := range extra("", v.With("ctx", v.Get("ctx").Without("stop_hook_active").Without("last_assistant_message").Raw()), r.payload) {
			t.Errorf("%s: the sample has %s, the recording has not", c.name, key)
		}
	}
}

// extra lists the members of a that b has not, those below input left out.
func extra(path string, a, b wire.Value) []string {
	var out []string
	for k, v := range a.Members() {
		switch at := path + "." + k; {
		case !b.Has(k):
			out = append(out, at)
		case k != "input":
			out = append(out, extra(at, v, b.Get(k))...)
		}
	}
	return out
}

func decodeText(t *testing.T, native, text string) (hook.Event, *agent.Row, error) {
	t.Helper()
	v, err := wire.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return agent.Full(New()).Decode(agent.Input{Native: native, Payload: v})
}

// TestContextOfTheBridgeArrives: what the bridge adds of earlier events.
func TestContextOfTheBridgeArrives(t *testing.T) {
	ev, row, _ := decodeText(t, "", `{"event":{"type":"agent_before_settle","outcome":"completed"},"ctx":{"sessionId":"s","mode":"print","turn":"t1","at":"7.1.leaf.0",
		"stop_hook_active":true,"last_assistant_message":"Done","usage":{"input":5,"output":2,"cacheRead":3,"reasoning":1,"totalTokens":9}}}`)
	if ev.Name != hook.Stop || !ev.StopActive || !ev.StopKnown || ev.Turn != "t1" || ev.Usage == nil || *ev.Usage != (hook.Usage{Input: 5, CachedInput: 3, Output: 2, Reasoning: 1, Total: 9}) {
		t.Errorf("stop: %+v", ev)
	}
	if !row.Can(agent.Continue, "print") || ev.Call != "agent_before_settle/s/7.1.leaf.0/" || len(ev.Fields) < 1 || ev.Fields[0].Key != "last_assistant_message" {
		t.Errorf("stop: call %q, fields %v", ev.Call, ev.Fields)
	}
	for payload, want := range map[string]string{
		`{"event":{"type":"session_start","reason":"startup"},"ctx":{"source":"resume"}}`: "resume",
		`{"event":{"type":"session_start","reason":"new"}}`:                               "clear",
		`{"event":{"type":"session_shutdown","reason":"new"}}`:                            "clear",
		`{"event":{"type":"session_shutdown","reason":"quit"}}`:                           "quit",
		`{"event":{"type":"session_compact","reason":"overflow"}}`:                        "auto",
		`{"event":{"type":"session_before_compact","reason":"manual"}}`:                   "manual",
		`{"event":{"type":"ui_prompt_start","reason":"ui_prompt","title":"?"}}`:           "elicitation_dialog",
	} {
		if ev, _, _ := decodeText(t, "", payload); ev.Subject != want || !strings.Contains(string(ev.AppendJSON(nil)), `:"`+want+`"`) {
			t.Errorf("%s: subject %q in %s", payload, ev.Subject, ev.AppendJSON(nil))
		}
	}
}

// TestCallsAreOneOccurrence: what tells two prompts, two calls and two moments apart.
func TestCallsAreOneOccurrence(t *testing.T) {
	key := func(event, ctx string) string {
		ev, _, _ := decodeText(t, "", `{"event":`+event+`,"ctx":{"sessionId":"s"`+ctx+`}}`)
		return ev.Call
	}
	const a, b = `{"type":"input","text":"a"}`, `{"type":"input","text":"b"}`
	keys := []string{key(a, `,"at":"1"`), key(b, `,"at":"1"`), key(a, `,"at":"2"`), key(`{"type":"tool_call","toolName":"bash","toolCallId":"c"}`, ""),
		key(`{"type":"tool_result","toolName":"bash","toolCallId":"c"}`, ""), key(`{"type":"tool_call","toolName":"bash","toolCallId":"c/1"}`, "")}
	for i, k := range keys {
		if k == "" || slices.Contains(keys[:i], k) {
			t.Errorf("%d of %q", i, keys)
		}
	}
	for _, k := range []string{key(a, ""), key(`{"type":"tool_call","toolName":"bash"}`, `,"at":"1"`), key(`{"type":"message_end"}`, `,"at":"1"`),
		key(`{"type":"tool_execution_update","toolCallId":"c"}`, `,"at":"1"`)} {
		if k != "" {
			t.Errorf("nothing identifies it, and it is %q", k)
		}
	}
}

// TestDecodeOfPayloadsThatAreOff: a wrong type is as if the member was not there.
func TestDecodeOfPayloadsThatAreOff(t *testing.T) {
	for _, c := range []struct {
		payload, native string
		name            hook.Name
		row, fails      bool
	}{
		{payload: `{"event":{"type":"tool_call","toolName":7,"toolCallId":[],"input":3},"ctx":4}`, name: hook.PreToolUse, row: true},
		{payload: `{"event":{"type":"tool_call","toolName":"bash","input":"x"}}`, name: hook.PreToolUse, row: true},
		{payload: `{"event":{"type":"tool_result","toolName":"bash","content":{},"isError":"yes"}}`, name: hook.PostToolUse, row: true},
		{payload: `{"event":{"type":"tool_result","toolName":"mcp__","content":[{"type":7}],"isError":true}}`, name: hook.PostToolUseFailure, row: true},
		{payload: `{"event":{"type":"brand_new"}}`, name: "brand_new"},
		{payload: `{"event":{}}`, fails: true},
		{payload: `{}`, native: "session_shutdown", name: hook.SessionEnd, row: true},
		{payload: `{"piKeys":[]}`, native: "factory"},
		{payload: `[1]`, native: "input", name: hook.UserPromptSubmit, row: true, fails: true},
		{payload: `{"event":[]}`, fails: true},
	} {
		ev, row, err := decodeText(t, c.native, c.payload)
		if ev.Name != c.name || (row != nil) != c.row || (err != nil) != c.fails {
			t.Errorf("%s: %q, row %v, %v", c.payload, ev.Name, row != nil, err)
		}
	}
}

// TestTablesAreWhole: what installers and people read is filled in.
func TestTablesAreWhole(t *testing.T) {
	a := agent.Full(New())
	for _, r := range a.Events {
		if r.Fires == "" || r.Silence == "" || r.Missing == "" || r.Failing == "" || r.Proof.Date == "" || r.Timeout.Register == 0 {
			t.Errorf("%s: an empty column: %+v", r.Native, r)
		}
		for w := agent.Allow; w < agent.NumWords; w++ {
			if c := r.Cells[w]; c.Can && (c.As == "" || c.Else != 0) {
				t.Errorf("%s %s: %+v", r.Native, w, c)
			}
		}
		if r.Name != "" && r.Hot != "" {
			t.Errorf("%s means %s and is hot", r.Native, r.Name)
		}
	}
	for _, name := range hook.Names() {
		if slices.ContainsFunc(a.Events, func(r agent.Row) bool { return r.Name == name }) == never(name) && name != hook.PostToolUseFailure {
			t.Errorf("%s: an event means it, or none does", name)
		}
	}
	for _, p := range a.Places() {
		if p.Path == "" || p.Proof.Version == "" || !p.Read && p.Note == "" {
			t.Errorf("place %+v", p)
		}
	}
}

// FuzzDecodeNeverPanics: any JSON gives an event whose input for handlers is valid JSON again, and an
// answer that is silence or a list of operations.
func FuzzDecodeNeverPanics(f *testing.F) {
	for _, r := range own(f) {
		f.Add(r.payload.Raw(), r.native)
	}
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
		end := "enough"
		say, _ := agent.Lower(a, row, ev, hook.Decision{Verdict: hook.Deny, Reason: "no", Context: []hook.Text{{Body: "c"}}, End: &end}, agent.Options{})
		reply, err := agent.Print(a, row, say)
		if err != nil || reply.Exit != 0 || len(reply.Stderr) > 0 {
			t.Fatalf("%+v %v", reply, err)
		}
		if len(reply.Stdout) > 0 {
			if _, err := read(reply.Stdout); err != nil {
				t.Fatal(err)
			}
		}
	})
}
