package droid

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
		name := strings.TrimSuffix(filepath.Base(f), ".json")
		if old := filepath.Base(filepath.Dir(f)); old != version {
			name = old + "/" + name
		}
		list = append(list, recording{name, v.Get("agent").Str(), v.Get("event").Str(), v.Get("stdin"), v.Get("env")})
	}
	return list
}

func own(t testing.TB) []recording { return recordings(t, "testdata/*/*.json") }

func (r recording) decode(t testing.TB, a *agent.Agent) (hook.Event, *agent.Row) {
	t.Helper()
	ev, row, err := a.Decode(agent.Input{Payload: r.payload, Env: func(k string) string { return r.env.Get(k).Str() }})
	if err != nil || row == nil {
		t.Fatalf("%s: %v, row %v", r.file, err, row)
	}
	return ev, row
}

func recorded(t testing.TB, file string) recording {
	t.Helper()
	for _, r := range own(t) {
		if r.file == file {
			return r
		}
	}
	t.Fatalf("no recording %s", file)
	return recording{}
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
	add("call", ev.Call)
	add("prompt", ev.Prompt)
	if ev.StopKnown {
		add("active", fmt.Sprint(ev.StopActive))
	}
	if ev.Sub != nil {
		add("sub", ev.Sub.Type+" parent="+ev.Sub.Parent)
	}
	if ev.Synthetic {
		add("synthetic", "yes")
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

// TestCommonFieldsArrive holds the members that every payload has. Droid's mode has no words in common
// with Claude's, its variable for the plugin's folder holds an error, and it tells no version.
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
		if ev.From.Name != "droid" || ev.From.Version != "" || ev.Mode != "" || ev.Plugin != "" || ev.Model != "" {
			t.Errorf("%s: from %+v, mode %q, plugin %q, model %q", r.file, ev.From, ev.Mode, ev.Plugin, ev.Model)
		}
	}
}

// TestNoMemberIsLost: what the payload holds and no field of the event takes stands in Fields, and no
// key of the handler's input stands there twice. The mode stands in the payload alone.
func TestNoMemberIsLost(t *testing.T) {
	a := agent.Full(New())
	for _, r := range own(t) {
		ev, _ := r.decode(t, a)
		in, err := wire.Parse(ev.AppendJSON(nil)) // strict: a key that stands twice is an error
		if err != nil {
			t.Fatalf("%s: %v", r.file, err)
		}
		for key := range r.payload.Members() {
			if key != "permission_mode" && !in.Has(key) {
				t.Errorf("%s: the handler does not get %s", r.file, key)
			}
		}
	}
}

// TestMarkIsDroidsAlone: on the recordings of all agents that are there.
func TestMarkIsDroidsAlone(t *testing.T) {
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
	if seen < 20 {
		t.Errorf("%d tool recordings, want 20 or more", seen)
	}
}

// TestRewriteHoldsTheChangedKeysAlone: Droid merges them into its input. Unchanged ones could undo what
// a hook before ours has changed.
func TestRewriteHoldsTheChangedKeysAlone(t *testing.T) {
	for _, c := range []struct{ file, after, want string }{
		{"PreToolUse-execute", `{"command":"true"}`, `{"command":"true"}`},
		{"PreToolUse-plugin", `{"command":"true","description":"Run the thing now","riskLevel":"low"}`, `{"command":"true"}`},
		{"PreToolUse-create", `{"file_path":"/home/dev/shop/new.txt","content":"x"}`, `{"content":"x"}`},
		{"PreToolUse-edit", `{"new_string":"d","replace_all":true}`, `{"new_str":"d","change_all":true}`},
		{"PreToolUse-applypatch", `{"input":"*** Begin Patch\n*** Delete File: a\n*** End Patch\n"}`, `{"input":"*** Begin Patch\n*** Delete File: a\n*** End Patch\n"}`},
		{"PreToolUse-mcp", `{"msg":"ho"}`, `{"msg":"ho"}`},
	} {
		said := lowered(t, c.file, hook.Decision{Input: []byte(c.after)})
		v, err := wire.Parse(said.Stdout)
		if err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		w, _ := wire.Parse([]byte(c.want))
		hso := v.Get("hookSpecificOutput")
		if got := hso.Get("updatedInput"); !wire.Equal(got, w) {
			t.Errorf("%s: updatedInput is %s, want %s", c.file, got.Raw(), c.want)
		}
		if hso.Has("permissionDecision") || said.Exit != 0 {
			t.Errorf("%s: a rewrite says %s: it must not decide", c.file, v.Raw())
		}
	}
}

// lowered is our answer to a recording.
func lowered(t *testing.T, file string, d hook.Decision) agent.Reply {
	t.Helper()
	a := agent.Full(New())
	ev, row := recorded(t, file).decode(t, a)
	// What the engine makes of a no, before it is lowered.
	if d.Verdict == hook.Deny && ev.Name.Class() == hook.Finish {
		d.Verdict, d.Continue = hook.NoOpinion, true
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
	input, _ := wire.Parse([]byte(`{"command":"ls","file_path":"a.go","content":"x","old_string":"p","new_string":"q"}`))
	for _, name := range hook.Names() {
		for _, tool := range []string{"Bash", "Read", "Write", "Edit", "Grep", "Glob", "WebFetch", "WebSearch", "Agent", "mcp__demo__echo", "TodoWrite"} {
			if !name.OfTool() && tool != "Bash" {
				continue
			}
			native, payload, ok := a.Sample(agent.Call{Event: name, Tool: tool, Input: input, Prompt: "do it", Dir: "/home/dev/shop"})
			missing := name == hook.PermissionRequest || name == hook.SubagentStart || name == hook.PostToolUseFailure || name == hook.PostCompact
			if ok == missing {
				t.Errorf("%s: ok is %v", name, ok)
			}
			if !ok {
				continue
			}
			v, err := wire.Parse(payload)
			if err != nil || native != "" || Mark(v) == "" {
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
		t.Error("Droid has no NotebookEdit")
	}
}
