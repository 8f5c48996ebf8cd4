package gemini

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

func own(t testing.TB) []recording { return recordings(t, "testdata/0.61.0/*.json") }

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
	parts := []string{string(ev.Name), "native=" + ev.From.Native, "row=" + row.Native}
	add := func(key, value string) {
		if value != "" {
			parts = append(parts, fmt.Sprintf("%s=%q", key, value))
		}
	}
	add("subject", ev.Subject)
	add("prompt", ev.Prompt)
	add("model", ev.Model)
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
		if string(ev.Payload) != string(r.payload.Raw()) {
			t.Errorf("%s: the payload is not verbatim", r.file)
		}
		if ev.From.Name != "gemini" || ev.From.Version != "" || ev.Mode != "" {
			t.Errorf("%s: from %+v, mode %q: Gemini sends neither version nor mode", r.file, ev.From, ev.Mode)
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

// TestMarkIsGeminisAlone: on the recordings of all agents that are there.
func TestMarkIsGeminisAlone(t *testing.T) {
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
	if seen < 40 {
		t.Errorf("%d tool recordings, want 40 or more", seen)
	}
}

// TestRewriteChangesOnlyItsKey: Gemini replaces the whole input, so what the handler does not know
// (dir_path, is_background) must be in it.
func TestRewriteChangesOnlyItsKey(t *testing.T) {
	for file, want := range map[string]string{
		"BeforeTool-shell-dir_path":   `{"command":"true","dir_path":"src"}`,
		"BeforeTool-shell-background": `{"command":"true","is_background":true}`,
		"BeforeTool-shell":            `{"command":"true","description":"list"}`,
	} {
		said := lowered(t, file, hook.Decision{Input: []byte(`{"command":"true"}`)})
		v, err := wire.Parse(said.Stdout)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		w, _ := wire.Parse([]byte(want))
		if got := v.Path("hookSpecificOutput", "tool_input"); !wire.Equal(got, w) {
			t.Errorf("%s: tool_input is %s, want %s", file, got.Raw(), want)
		}
		if v.Has("decision") {
			t.Errorf("%s: a rewrite says %s: it must not decide", file, v.Raw())
		}
	}
}

// TestRewriteOfARenamedKeyGoesBack: replace_all is allow_multiple in Gemini.
func TestRewriteOfARenamedKeyGoesBack(t *testing.T) {
	said := lowered(t, "BeforeTool-replace", hook.Decision{Input: []byte(`{"new_string":"const a = 3;","replace_all":true}`)})
	v, _ := wire.Parse(said.Stdout)
	in := v.Path("hookSpecificOutput", "tool_input")
	all, _ := in.Get("allow_multiple").Bool()
	if !all || in.Has("replace_all") || in.Get("new_string").Str() != "const a = 3;" || in.Get("instruction").Str() != "bump a" {
		t.Errorf("tool_input is %s", in.Raw())
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
		for _, tool := range []string{"Bash", "Read", "Write", "Edit", "Grep", "Glob", "WebFetch", "WebSearch", "Agent", "mcp__demo__echo", "write_todos"} {
			if !name.OfTool() && tool != "Bash" {
				continue
			}
			native, payload, ok := a.Sample(agent.Call{Event: name, Tool: tool, Input: input, Prompt: "do it", Dir: "/home/dev/shop"})
			missing := name == hook.PermissionRequest || name == hook.SubagentStart || name == hook.SubagentStop || name == hook.PostCompact
			if ok == missing {
				t.Errorf("%s: ok is %v", name, ok)
			}
			if !ok {
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
	if _, _, ok := a.Sample(agent.Call{Event: hook.PreToolUse, Tool: "NotebookEdit"}); ok {
		t.Error("Gemini has no NotebookEdit")
	}
}
