package antigravity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// recording is one payload as reports describe it.
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
		name := filepath.Base(filepath.Dir(f)) + "/" + strings.TrimSuffix(filepath.Base(f), ".json")
		list = append(list, recording{name, v.Get("agent").Str(), v.Get("event").Str(), v.Get("stdin")})
	}
	return list
}

func own(t testing.TB) []recording { return recordings(t, "testdata/*/*.json") }

func (r recording) decode(t testing.TB, a *agent.Agent) (hook.Event, *agent.Row) {
	t.Helper()
	ev, row, err := a.Decode(agent.Input{Payload: r.payload, Native: r.native})
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
	g, w := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	if len(g) != len(w) {
		t.Errorf("%d lines, want %d", len(g), len(w))
	}
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Errorf("line %d of testdata/want.txt\n got %s\nwant %s", i+1, g[i], w[i])
		}
	}
}

// short leaves the invented id readable.
func short(s string) string {
	return strings.ReplaceAll(s, "7c1f0e52-0000-4000-8000-000000000001", "CONV")
}

func summary(ev hook.Event, row *agent.Row) string {
	parts := []string{string(ev.Name), "row=" + row.Native}
	add := func(key, value string) {
		if value != "" {
			parts = append(parts, fmt.Sprintf("%s=%q", key, short(value)))
		}
	}
	add("surface", ev.From.Surface)
	add("cwd", ev.Cwd)
	add("call", ev.Call)
	if t := ev.Tool; t != nil {
		add("tool", t.Name)
		add("nativeTool", t.NativeName)
		add("kind", string(t.Kind))
		add("command", t.Command)
		for _, f := range t.Files {
			add("file", f.Path+" "+string(f.Op))
		}
		add("input", compact(t.Input))
		add("error", t.Error)
	}
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
		for _, c := range []struct{ what, got, want string }{
			{"session", ev.Session, r.payload.Get("conversationId").Str()},
			{"transcript", ev.Transcript, r.payload.Get("transcriptPath").Str()},
			{"project", ev.Project, "/home/dev/shop"},
			{"cwd", ev.Cwd, "/home/dev/shop"},
			{"model", ev.Model, r.payload.Get("modelName").Str()},
			{"event", ev.From.Native, r.native},
		} {
			if c.got != c.want || c.want == "" {
				t.Errorf("%s: %s is %q, want %q", r.file, c.what, c.got, c.want)
			}
		}
		if string(ev.Payload) != string(r.payload.Raw()) {
			t.Errorf("%s: the payload is not verbatim", r.file)
		}
		if ev.From.Version != "" || ev.Mode != "" || ev.Prompt != "" || ev.StopKnown || ev.Tool != nil && ev.Tool.Response != nil {
			t.Errorf("%s: %+v: Antigravity tells no version, mode, prompt, result or repeat", r.file, ev)
		}
	}
}

// TestNoMemberIsLost: what the payload holds stands in the handler's input, under its own name or
// under Claude's.
func TestNoMemberIsLost(t *testing.T) {
	claude := map[string]string{"conversationId": "session_id", "transcriptPath": "transcript_path", "toolCall": "tool_input"}
	a := agent.Full(New())
	for _, r := range own(t) {
		ev, _ := r.decode(t, a)
		in, err := wire.Parse(ev.AppendJSON(nil))
		if err != nil {
			t.Fatalf("%s: %v", r.file, err)
		}
		for key, v := range r.payload.Members() {
			name := key
			if s, ok := claude[key]; ok {
				name = s
			}
			if empty := key == "error" && v.Str() == "" && ev.Tool != nil; !in.Has(name) && !empty {
				t.Errorf("%s: the handler does not get %s", r.file, key)
			}
		}
	}
}

// TestMarkIsAntigravitysAlone: on the recordings of all agents that are there.
func TestMarkIsAntigravitysAlone(t *testing.T) {
	for _, r := range recordings(t, "../*/testdata/*/*.json") {
		if mark := Mark(r.payload); (mark != "") != (r.agent == Name) {
			t.Errorf("%s of %s: mark %q", r.file, r.agent, mark)
		}
	}
}

// TestRewriteOfNothingIsIdentity: the native bytes of every recorded call come back, and a change
// changes its own key only. The model is told so, since nothing can be rewritten.
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
		args := r.payload.Path("toolCall", "args")
		native, changes, err := a.Rewritten(ev.Tool, after)
		if err != nil || len(changes) != 0 || string(native) != string(args.Raw()) {
			t.Errorf("%s: %v, %d changes, got %s", r.file, err, len(changes), native)
		}
		if ev.Tool.Kind != hook.KindShell {
			continue
		}
		native, _, err = a.Rewritten(ev.Tool, after.With("command", []byte(`"true"`)))
		if want := args.With("CommandLine", []byte(`"true"`)); err != nil || string(native) != string(want.Raw()) {
			t.Errorf("%s: %s, want %s (%v)", r.file, native, want.Raw(), err)
		}
	}
	if seen < 6 {
		t.Errorf("%d tool recordings, want 6 or more", seen)
	}
}

// TestShapeTellsTheEventWhereOneFits: the recordings without the event of the command line.
func TestShapeTellsTheEventWhereOneFits(t *testing.T) {
	a := agent.Full(New())
	for _, r := range own(t) {
		ev, _, err := a.Decode(agent.Input{Payload: r.payload})
		alike := r.native == "PreInvocation" || r.native == "PostInvocation" || r.native == "SessionStart"
		if alike != (err != nil) || !alike && ev.From.Native != r.native {
			t.Errorf("%s: taken for %q, %v", r.file, ev.From.Native, err)
		}
	}
}

// TestFolders: the process's own folder is never used, and nothing is invented.
func TestFolders(t *testing.T) {
	a := agent.Full(New())
	for _, c := range []struct{ payload, cwd, project, surface string }{
		{`{"toolCall":{"name":"run_command","args":{"CommandLine":"ls","Cwd":"/w/sub"}},"workspacePaths":["/w","/x"]}`, "/w/sub", "/w", ""},
		{`{"toolCall":{"name":"run_command","args":{"CommandLine":"ls","Cwd":"sub"}},"workspacePaths":["/w"]}`, "/w/sub", "/w", ""},
		{`{"toolCall":{"name":"run_command","args":{"CommandLine":"ls","Cwd":"/w"}},"workspacePaths":[]}`, "/w", "/w", ""},
		{`{"toolCall":{"name":"run_command","args":{"CommandLine":"ls","Cwd":"sub"}}}`, "", "", ""},
		{`{"toolCall":{"name":"view_file","args":{"AbsolutePath":"/w/a"}},"workspacePaths":[5]}`, "", "", ""},
		{`{"terminationReason":"","transcriptPath":"/home/dev/.gemini/antigravity/brain/1/log.jsonl"}`, "", "", "ide"},
		{`{"terminationReason":"","transcriptPath":"C:\\Users\\dev\\.gemini\\antigravity-cli\\brain\\1\\log.jsonl"}`, "", "", "cli"},
	} {
		v, err := wire.Parse([]byte(c.payload))
		if err != nil {
			t.Fatal(err)
		}
		ev, _, err := a.Decode(agent.Input{Payload: v, Env: os.Getenv})
		if err != nil || ev.Cwd != c.cwd || ev.Project != c.project || ev.From.Surface != c.surface {
			t.Errorf("%s: cwd %q, project %q, surface %q, %v", c.payload, ev.Cwd, ev.Project, ev.From.Surface, err)
		}
	}
}

// TestCallKey: two registrations of one event get one key; what nothing identifies has none.
func TestCallKey(t *testing.T) {
	key := func(native, payload string) string {
		v, err := wire.Parse([]byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		return call(native, v)
	}
	first := key("PreToolUse", `{"conversationId":"c","stepIdx":4,"toolCall":{"name":"x","args":{"a":1}}}`)
	for _, other := range []string{
		key("PreToolUse", `{"conversationId":"c","stepIdx":5,"toolCall":{"name":"x","args":{"a":1}}}`),
		key("PreToolUse", `{"conversationId":"c","stepIdx":4,"toolCall":{"name":"x","args":{"a":2}}}`),
		key("PostToolUse", `{"conversationId":"c","stepIdx":4,"toolCall":{"name":"x","args":{"a":1}}}`),
		"",
	} {
		if first == other {
			t.Errorf("two occurrences have the key %q", first)
		}
	}
	for _, c := range [...][2]string{{"Stop", `{"conversationId":"c","executionNum":0}`}, {"PreToolUse", `{"stepIdx":4}`}, {"PreToolUse", `{"conversationId":"c"}`}} {
		if k := key(c[0], c[1]); k != "" {
			t.Errorf("%s %s: %q, and nothing identifies it", c[0], c[1], k)
		}
	}
}

// TestSamplesAreReadAsMade: what Sample makes, Decode reads as the call it was made from.
func TestSamplesAreReadAsMade(t *testing.T) {
	a := agent.Full(New())
	input, _ := wire.Parse([]byte(`{"command":"ls","file_path":"a.go","content":"x","old_string":"a","new_string":"b"}`))
	for _, name := range hook.Names() {
		for _, tool := range []string{"Bash", "Read", "Write", "Edit", "Grep", "WebFetch", "WebSearch", "Agent", "call_mcp_tool"} {
			if !name.OfTool() && tool != "Bash" {
				continue
			}
			native, payload, ok := a.Sample(agent.Call{Event: name, Tool: tool, Input: input, Dir: "/home/dev/shop"})
			has := name == hook.SessionStart || name == hook.Stop || name.OfTool() && name != hook.PermissionRequest
			if ok != has {
				t.Errorf("%s: ok is %v", name, ok)
			}
			if !ok {
				continue
			}
			v, err := wire.Parse(payload)
			if err != nil || Mark(v) == "" {
				t.Fatalf("%s: %s, %v", name, payload, err)
			}
			ev, row, err := a.Decode(agent.Input{Payload: v, Native: native})
			if err != nil || row == nil || ev.Name != name || ev.Cwd != "/home/dev/shop" {
				t.Errorf("%s: read as %s in %q, %v", name, ev.Name, ev.Cwd, err)
			}
			if name.OfTool() && (ev.Tool == nil || ev.Tool.Name != tool) {
				t.Errorf("%s %s: read as %+v", name, tool, ev.Tool)
			}
		}
	}
	for _, tool := range []string{"NotebookEdit", "mcp__demo__echo"} {
		if _, _, ok := a.Sample(agent.Call{Event: hook.PreToolUse, Tool: tool}); ok {
			t.Errorf("Antigravity has no %s", tool)
		}
	}
}
