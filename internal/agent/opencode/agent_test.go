package opencode

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

func own(t testing.TB) []recording { return recordings(t, "testdata/1.18.33/*.json") }

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
	add("version", ev.From.Version)
	if ev.Usage != nil {
		add("usage", fmt.Sprint(*ev.Usage))
	}
	if ev.Sub != nil {
		add("sub", fmt.Sprintf("%s %s of %s", ev.Sub.ID, ev.Sub.Type, ev.Sub.Parent))
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

// TestCommonFieldsArrive holds the members that every payload but dispose's and config's has.
func TestCommonFieldsArrive(t *testing.T) {
	a := agent.Full(New())
	for _, r := range own(t) {
		ev, _ := r.decode(t, a)
		if dir := r.payload.Get("directory").Str(); ev.Name != "" && (ev.Cwd != dir || ev.Project != r.payload.Get("worktree").Str()) {
			t.Errorf("%s: cwd %q, project %q", r.file, ev.Cwd, ev.Project)
		}
		if string(ev.Payload) != string(r.payload.Raw()) {
			t.Errorf("%s: the payload is not verbatim", r.file)
		}
		if ev.From.Name != Name || ev.Mode != "" || ev.Transcript != "" {
			t.Errorf("%s: from %+v, mode %q, transcript %q", r.file, ev.From, ev.Mode, ev.Transcript)
		}
		if _, err := wire.Parse(ev.AppendJSON(nil)); err != nil {
			t.Errorf("%s: the handler's input: %v", r.file, err)
		}
	}
}

// TestMarkIsOpenCodesAlone: on the recordings of all agents that are there.
func TestMarkIsOpenCodesAlone(t *testing.T) {
	marked := 0
	for _, r := range recordings(t, "../*/testdata/*/*.json") {
		mark := Mark(r.payload)
		if mark != "" && r.agent != Name {
			t.Errorf("%s of %s carries OpenCode's mark %q", r.file, r.agent, mark)
		}
		if r.agent == Name && mark == "" && r.native != "init" {
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
		if ev.Tool == nil {
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

// TestRewriteChangesOnlyItsKey: OpenCode takes changes key by key, under its own names.
func TestRewriteChangesOnlyItsKey(t *testing.T) {
	for _, c := range []struct{ file, input, want string }{
		{"tool.execute.before-bash-subagent", `{"command":"true"}`, `{"ops":[{"op":"set","path":["args","command"],"value":"true"}]}`},
		{"tool.execute.before-bash-subagent", `{"command":"echo from-sub","description":"sub"}`, ``},
		{"tool.execute.before-write", `{"file_path":"/tmp/b","content":"x"}`,
			`{"ops":[{"op":"set","path":["args","filePath"],"value":"/tmp/b"},{"op":"set","path":["args","content"],"value":"x"}]}`},
		{"tool.execute.before-bash-subagent", `{"command":["true"]}`,
			`{"ops":[{"op":"block","reason":"a hook changed the input, and the rewrite cannot be put into this agent's input: command was of another type"}]}`},
	} {
		if got := string(lowered(t, c.file, hook.Decision{Input: []byte(c.input)}).Stdout); got != c.want {
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

// lowered is our answer to a recording.
func lowered(t *testing.T, file string, d hook.Decision) agent.Reply {
	t.Helper()
	a := agent.Full(New())
	ev, row := find(t, file).decode(t, a)
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
		for _, tool := range []string{"Bash", "Read", "Write", "Edit", "Grep", "Glob", "WebFetch", "WebSearch", "Agent", "mcp__demo__echo", "todowrite"} {
			if !name.OfTool() && tool != "Bash" {
				continue
			}
			native, payload, ok := a.Sample(agent.Call{Event: name, Tool: tool, Input: input, Prompt: "do it", Dir: "/home/dev/shop"})
			if !ok {
				t.Errorf("%s %s: no sample", name, tool)
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
		t.Error("OpenCode has no NotebookEdit")
	}
}

// TestSamplesHaveTheShapeOfRecordings: every member of a sample stands in the recording of its kind.
func TestSamplesHaveTheShapeOfRecordings(t *testing.T) {
	a := agent.Full(New())
	input, _ := wire.Parse([]byte(`{"command":"ls"}`))
	for _, c := range []struct {
		name hook.Name
		file string
	}{
		{hook.PreToolUse, "tool.execute.before-bash-subagent"}, {hook.PostToolUse, "tool.execute.after-bash"}, {hook.UserPromptSubmit, "chat.message"},
		{hook.SessionStart, "event.session.created"}, {hook.SubagentStart, "event.session.created-subagent"}, {hook.Stop, "event.session.idle"},
		{hook.PostToolUseFailure, "event.message.part.updated-tool-bash-error"}, {hook.PreCompact, "experimental.session.compacting"},
		{hook.PostCompact, "event.session.compacted"}, {hook.PermissionRequest, "event.permission.asked"},
	} {
		r := find(t, c.file)
		native, payload, _ := a.Sample(agent.Call{Event: c.name, Tool: "Bash", Input: input, Dir: "/home/dev/shop"})
		v, err := wire.Parse(payload)
		if err != nil || native != r.native {
			t.Fatalf("%s: %q, %v", c.name, native, err)
		}
		for _, key := range extra("", v.Without("ctx"), r.payload) {
			t.Errorf("%s: the sample has %s, the recording has not", c.name, key)
		}
	}
}

// extra lists the members of a that b has not, below arguments left out.
func extra(path string, a, b wire.Value) []string {
	var out []string
	for k, v := range a.Members() {
		switch at := path + "." + k; {
		case !b.Has(k):
			out = append(out, at)
		case k != "args" && k != "input" || path == "":
			out = append(out, extra(at, v, b.Get(k))...)
		}
	}
	return out
}

// TestContextOfTheBridgeArrives: what the bridge adds of earlier hooks.
func TestContextOfTheBridgeArrives(t *testing.T) {
	a := agent.Full(New())
	read := func(native, payload string) (hook.Event, *agent.Row) {
		v, err := wire.Parse([]byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		ev, row, err := a.Decode(agent.Input{Native: native, Payload: v})
		if err != nil {
			t.Fatal(err)
		}
		return ev, row
	}
	ev, row := read("event.session.idle", `{"hook":"event","input":{"event":{"id":"evt_1","type":"session.idle","properties":{"sessionID":"ses_1"}}},"directory":"/d","worktree":"/",
		"ctx":{"mode":"tui","version":"1.18.33","turn":"msg_1","stop_hook_active":true,"last_assistant_message":"Done","tokens":{"total":9,"input":5,"output":2,"reasoning":1,"cache":{"read":3}}}}`)
	if ev.Name != hook.Stop || !ev.StopActive || !ev.StopKnown || ev.Turn != "msg_1" || ev.Usage == nil || *ev.Usage != (hook.Usage{Input: 5, CachedInput: 3, Output: 2, Reasoning: 1, Total: 9}) {
		t.Errorf("stop: %+v", ev)
	}
	if ev.Project != "/d" || ev.From.Surface != "tui" || ev.From.Version != "1.18.33" || !row.Can(agent.Continue, "tui") {
		t.Errorf("stop: %+v", ev)
	}
	if len(ev.Fields) < 1 || ev.Fields[0].Key != "last_assistant_message" {
		t.Errorf("fields: %v", ev.Fields)
	}
	ev, row = read("event.session.idle", `{"hook":"event","input":{"event":{"type":"session.idle","properties":{"sessionID":"ses_2"}}},"ctx":{"parent":"ses_1","agent":"general"}}`)
	if ev.Name != hook.SubagentStop || ev.Sub == nil || *ev.Sub != (hook.Subagent{ID: "ses_2", Type: "general", Parent: "ses_1"}) || row.Can(agent.Continue, "") {
		t.Errorf("subagent's stop: %+v", ev)
	}
	ev, _ = read("event.message.part.updated", `{"hook":"event","input":{"event":{"type":"message.part.updated","properties":{"part":{"type":"step-finish","sessionID":"ses_1"}}}},"ctx":{"stop":true}}`)
	if ev.Name != hook.Stop || ev.Session != "ses_1" {
		t.Errorf("last step: %+v", ev)
	}
	ev, _ = read("tool.execute.before", `{"hook":"tool.execute.before","input":{"tool":"my_server_do_it","sessionID":"s","callID":"c"},"output":{"args":{}},"ctx":{"mcp":{"server":"my.server","tool":"do_it"}}}`)
	if ev.Tool.Name != "mcp__my.server__do_it" || ev.Tool.Kind != hook.KindMCP {
		t.Errorf("mcp: %+v", ev.Tool)
	}
	ev, _ = read("chat.message", `{"hook":"chat.message","input":{"sessionID":"s"},"output":{"parts":[{"type":"text","text":"a"},{"type":"file"},{"type":"text","text":"b"},{"type":"text","text":"c","synthetic":true}]}}`)
	if ev.Prompt != "a\nb" || ev.Synthetic {
		t.Errorf("prompt %q, synthetic %v", ev.Prompt, ev.Synthetic)
	}
	ev, _ = read("chat.message", `{"hook":"chat.message","input":{"sessionID":"s"},"output":{"parts":[{"type":"text","text":"c","synthetic":true}]},"ctx":{"parent":"p"}}`)
	if ev.Prompt != "" || !ev.Synthetic || ev.Name != "chat.message" {
		t.Errorf("%q: prompt %q, synthetic %v", ev.Name, ev.Prompt, ev.Synthetic)
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
		{payload: `{"hook":"tool.execute.before","input":{"tool":7,"sessionID":[]},"output":3}`, name: hook.PreToolUse, row: true},
		{payload: `{"hook":"tool.execute.before","input":{"tool":"bash"},"output":{"args":"x"}}`, name: hook.PreToolUse, row: true},
		{payload: `{"hook":"tool.execute.after","input":{"tool":"bash"}}`, name: hook.PostToolUse, row: true},
		{payload: `{"hook":"event","input":{"event":{"type":"session.created","properties":{"info":[]}}}}`, name: hook.SessionStart, row: true},
		{payload: `{"hook":"event","input":{"event":{"type":"brand.new"}}}`, name: "event.brand.new"},
		{payload: `{"hook":"event","input":{}}`, fails: true},
		{payload: `{}`, native: "dispose", name: hook.SessionEnd, row: true},
		{payload: `{"hook":"init"}`},
		{payload: `[1]`, native: "chat.message", name: hook.UserPromptSubmit, row: true, fails: true},
		{payload: `{"hook":{}}`, fails: true},
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
		if !slices.ContainsFunc(a.Events, func(r agent.Row) bool { return r.Name == name }) && name != hook.SubagentStart && name != hook.SubagentStop {
			t.Errorf("no event means %s", name)
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
