package qwen

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

// recording is one payload as the agent sent it.
type recording struct {
	file    string
	agent   string
	native  string
	payload wire.Value
	env     wire.Value
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
		if err != nil && strings.HasPrefix(f, "../") {
			continue // another agent's file that is broken on purpose
		}
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		list = append(list, recording{strings.TrimSuffix(filepath.Base(f), ".json"), v.Get("agent").Str(),
			v.Get("event").Str(), v.Get("stdin"), v.Get("env")})
	}
	return list
}

func own(t testing.TB) []recording { return recordings(t, "testdata/0.24.4/*.json") }

func (r recording) decode(t testing.TB, a *agent.Agent) (hook.Event, *agent.Row) {
	t.Helper()
	ev, row, err := a.Decode(agent.Input{Payload: r.payload, Env: func(k string) string { return r.env.Get(k).Str() }})
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
	parts := []string{string(ev.Name), "native=" + ev.From.Native}
	if row != nil {
		parts = append(parts, "row="+row.Native)
	}
	add := func(key, value string) {
		if value != "" {
			parts = append(parts, fmt.Sprintf("%s=%q", key, value))
		}
	}
	add("subject", ev.Subject)
	add("mode", ev.Mode)
	if ev.Sub != nil {
		add("sub", ev.Sub.ID+" "+ev.Sub.Type)
	}
	add("prompt", ev.Prompt)
	if ev.Usage != nil {
		add("usage", fmt.Sprint(*ev.Usage))
	}
	if ev.StopKnown {
		add("active", fmt.Sprint(ev.StopActive))
	}
	if t := ev.Tool; t != nil {
		add("tool", t.Name)
		add("nativeTool", t.NativeName)
		add("kind", string(t.Kind))
		add("command", t.Command)
		for _, f := range t.Files {
			add("file", f.Path+" "+string(f.Op))
		}
		if t.MCP != nil {
			add("mcp", t.MCP.Server+" "+t.MCP.Tool)
		}
		add("input", compact(t.Input))
		add("id", t.ID)
		add("error", t.Error)
		if t.Kind == hook.KindShell {
			add("response", string(t.Response))
		}
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
		for _, c := range []struct{ what, got, key string }{
			{"session", ev.Session, "session_id"}, {"transcript", ev.Transcript, "transcript_path"}, {"cwd", ev.Cwd, "cwd"},
			{"project", ev.Project, "cwd"},
		} {
			if want := r.payload.Get(c.key).Str(); c.got != want || want == "" {
				t.Errorf("%s: %s is %q, want %q", r.file, c.what, c.got, want)
			}
		}
		if ev.Turn != r.payload.Get("prompt_id").Str() || ev.Model != "fake" {
			t.Errorf("%s: turn %q, model %q", r.file, ev.Turn, ev.Model)
		}
		if string(ev.Payload) != string(r.payload.Raw()) {
			t.Errorf("%s: the payload is not verbatim", r.file)
		}
		if _, err := wire.Parse(ev.AppendJSON(nil)); err != nil {
			t.Errorf("%s: the handler's input: %v", r.file, err)
		}
	}
}

// TestNoMemberIsLost: what the payload holds and no field of the event takes stands in Fields.
func TestNoMemberIsLost(t *testing.T) {
	a := agent.Full(New())
	for _, r := range own(t) {
		ev, _ := r.decode(t, a)
		if ev.Name == "" {
			continue // a repeated prompt reaches no handler
		}
		in, err := wire.Parse(ev.AppendJSON(nil))
		if err != nil {
			t.Fatal(err)
		}
		for key := range r.payload.Members() {
			if !in.Has(key) {
				t.Errorf("%s: the handler does not get %s", r.file, key)
			}
		}
	}
}

// TestMarkIsQwensAlone: on the recordings of all agents that are there.
func TestMarkIsQwensAlone(t *testing.T) {
	for _, r := range recordings(t, "../*/testdata/*/*.json") {
		if mark := Mark(r.payload); (mark != "") != (r.agent == Name) {
			t.Errorf("%s of %s: mark %q", r.file, r.agent, mark)
		}
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
		if err != nil || len(changes) != 0 || string(native) != string(r.payload.Get("tool_input").Raw()) {
			t.Errorf("%s: %v, %d changes\n got %s\nwant %s", r.file, err, len(changes), native, r.payload.Get("tool_input").Raw())
		}
	}
	if seen < 16 {
		t.Errorf("%d tool recordings, want 16 or more", seen)
	}
}

// TestRewriteIsARefusal: Qwen would run the original.
func TestRewriteIsARefusal(t *testing.T) {
	for file, want := range map[string]string{
		"PreToolUse-shell":  "run this instead: true",
		"PermissionRequest": "run this instead: true",
	} {
		h := read(strings.SplitN(file, "-", 2)[0], lowered(t, file, hook.Decision{Input: []byte(`{"command":"true","run_in_background":false}`)}))
		if h.verdict != "deny" || h.reason != want {
			t.Errorf("%s: Qwen hears %+v, want %q", file, h, want)
		}
	}
}

// TestLensChangesOnlyItsKey: a later version may obey a rewrite, so the lens holds for all tools.
func TestLensChangesOnlyItsKey(t *testing.T) {
	a := agent.Full(New())
	for _, r := range own(t) {
		if r.file != "PreToolUse-shell" {
			continue
		}
		ev, _ := r.decode(t, a)
		after, _ := wire.Parse([]byte(`{"command":"true"}`))
		native, changes, err := a.Rewritten(ev.Tool, after)
		want := `{"command":"true","description":"d","is_background":false}`
		if err != nil || compact(native) != want || len(changes) != 1 || changes[0].Path != "command" {
			t.Errorf("%s, %v, %v; want %s", compact(native), changes, err, want)
		}
	}
}

// lowered is our answer to a recording.
func lowered(t *testing.T, file string, d hook.Decision) agent.Reply {
	t.Helper()
	a := agent.Full(New())
	for _, r := range own(t) {
		if r.file != file {
			continue
		}
		ev, row := r.decode(t, a)
		say, _ := agent.Lower(a, row, ev, d, agent.Options{})
		reply, err := agent.Print(a, row, say)
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	t.Fatalf("no recording %s", file)
	return agent.Reply{}
}

// TestSamplesAreReadAsMade: what Sample makes, Decode reads as the call it was made from.
func TestSamplesAreReadAsMade(t *testing.T) {
	a := agent.Full(New())
	input, _ := wire.Parse([]byte(`{"command":"ls","file_path":"a.go","content":"x"}`))
	for _, name := range hook.Names() {
		for _, tool := range []string{"Bash", "Read", "Write", "Edit", "Grep", "Glob", "WebFetch", "WebSearch", "Agent", "mcp__demo__echo", "NotebookEdit", "todo_write"} {
			if !name.OfTool() && tool != "Bash" {
				continue
			}
			native, payload, ok := a.Sample(agent.Call{Event: name, Tool: tool, Input: input, Prompt: "do it", Dir: "/home/dev/shop"})
			if !ok {
				t.Errorf("%s %s: no sample", name, tool)
				continue
			}
			v, err := wire.Parse(payload)
			if err != nil || native != "" {
				t.Fatalf("%s: %v, native %q", name, err, native)
			}
			ev, row, err := a.Decode(agent.Input{Payload: v})
			if err != nil || row == nil || ev.Name != name {
				t.Errorf("%s: read as %s, %v", name, ev.Name, err)
			}
			if name.OfTool() && (ev.Tool == nil || ev.Tool.Name != tool) {
				t.Errorf("%s %s: read as %+v", name, tool, ev.Tool)
			}
		}
	}
	if _, _, ok := a.Sample(agent.Call{Event: hook.PreToolUse, Tool: "apply_patch"}); ok {
		t.Error("Qwen has no apply_patch")
	}
}
