package copilot

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

// input is what the agent gives us: the payload, and the event by the command where it is not in it.
func (r recording) input() agent.Input {
	in := agent.Input{Payload: r.payload, Env: func(k string) string { return r.env.Get(k).Str() }}
	if !r.payload.Has("hook_event_name") {
		in.Native = r.native
	}
	return in
}

func (r recording) decode(t testing.TB, a *agent.Agent) (hook.Event, *agent.Row) {
	t.Helper()
	ev, row, err := a.Decode(r.input())
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

// TestCommonFieldsArrive holds the members that every payload has.
func TestCommonFieldsArrive(t *testing.T) {
	a := agent.Full(New())
	for _, r := range own(t) {
		ev, _ := r.decode(t, a)
		for _, c := range []struct{ what, got, want string }{
			{"session", ev.Session, either(r.payload, "sessionId", "session_id").Str()},
			{"transcript", ev.Transcript, either(r.payload, "transcriptPath", "transcript_path").Str()},
			{"cwd", ev.Cwd, "/home/dev/shop"}, {"project", ev.Project, "/home/dev/shop"},
		} {
			if c.got != c.want {
				t.Errorf("%s: %s is %q, want %q", r.file, c.what, c.got, c.want)
			}
		}
		if string(ev.Payload) != string(r.payload.Raw()) {
			t.Errorf("%s: the payload is not verbatim", r.file)
		}
		if ev.From.Name != "copilot" || ev.Session == "" || ev.Mode != "" || ev.Model != "" {
			t.Errorf("%s: from %+v, mode %q, model %q", r.file, ev.From, ev.Mode, ev.Model)
		}
		if ev.Call == "" {
			t.Errorf("%s: no key", r.file)
		}
	}
}

// TestNoMemberIsLost: what the payload holds and no field of the event takes stands in Fields, and no
// key of the handler's input stands there twice.
func TestNoMemberIsLost(t *testing.T) {
	a := agent.Full(New())
	elsewhere := map[string]string{"sessionId": "session_id", "transcriptPath": "transcript_path", "toolName": "tool_name",
		"toolArgs": "tool_input", "toolInput": "tool_input", "arguments": "tool_input", "toolCallId": "tool_use_id",
		"toolResult": "tool_response", "tool_result": "tool_response", "response": "last_assistant_message",
		"customInstructions": "custom_instructions", "agentId": "agent_id", "agentType": "agent_type"}
	for _, r := range own(t) {
		ev, _ := r.decode(t, a)
		in, err := wire.Parse(ev.AppendJSON(nil)) // strict: a key that stands twice is an error
		if err != nil {
			t.Fatalf("%s: %v", r.file, err)
		}
		for key := range r.payload.Members() {
			if to := elsewhere[key]; to != "" {
				key = to
			}
			if !in.Has(key) {
				t.Errorf("%s: the handler does not get %s", r.file, key)
			}
		}
	}
}

// TestMarkIsCopilotsAlone: on the recordings of all agents that are there. What Copilot sends without a
// mark (none) is known by the registered name.
func TestMarkIsCopilotsAlone(t *testing.T) {
	for _, r := range recordings(t, "../*/testdata/*/*.json") {
		if mark := Mark(r.payload); (mark != "") != (r.agent == Name) {
			t.Errorf("%s of %s: mark %q", r.file, r.agent, mark)
		}
	}
}

// TestRewriteOfNothingIsIdentity: the arguments of every recorded call come back byte for byte, those
// that came as JSON text as the object that they are.
func TestRewriteOfNothingIsIdentity(t *testing.T) {
	a := agent.Full(New())
	seen := 0
	for _, r := range own(t) {
		ev, _ := r.decode(t, a)
		if ev.Tool == nil {
			continue
		}
		seen++
		sent := either(r.payload, "toolArgs", "tool_input")
		for _, key := range []string{"toolInput", "arguments"} {
			if sent.Kind() == wire.Absent {
				sent = r.payload.Get(key)
			}
		}
		want := string(sent.Raw())
		if text, ok := sent.StrOK(); ok && strings.HasPrefix(text, "{") {
			want = text
		}
		after, err := wire.Parse(ev.Tool.Input)
		if err != nil {
			t.Fatalf("%s: %v", r.file, err)
		}
		native, changes, err := a.Rewritten(ev.Tool, after)
		if err != nil || len(changes) != 0 || string(native) != want {
			t.Errorf("%s: %v, %d changes\n got %s\nwant %s", r.file, err, len(changes), native, want)
		}
	}
	if seen < 40 {
		t.Errorf("%d tool recordings, want 40 or more", seen)
	}
}

// TestRewriteChangesOnlyItsKey: Copilot replaces the whole input, so what the handler leaves out must
// be in it, under the native keys.
func TestRewriteChangesOnlyItsKey(t *testing.T) {
	for _, c := range []struct{ file, after, want string }{
		{"preToolUse-bash-async", `{"command":"true"}`, `{"command":"true","description":"bg","mode":"async"}`},
		{"1.0.50/preToolUse-bash", `{"command":"true"}`, `{"command":"true","description":"l"}`},
		{"PreToolUse-pascal-bash", `{"command":"true"}`, `{"command":"true","description":"list"}`},
		{"preToolUse-create", `{"content":"x"}`, `{"path":"/home/dev/shop/new.txt","file_text":"x"}`},
		{"PreToolUse-pascal-create", `{"file_path":"/tmp/y","content":"x"}`, `{"path":"/tmp/y","file_text":"x"}`},
		{"preToolUse-edit", `{"new_string":"d"}`, `{"path":"/home/dev/shop/new.txt","old_str":"a","new_str":"d"}`},
	} {
		said := lowered(t, c.file, hook.Decision{Input: []byte(c.after)})
		v, err := wire.Parse(said.Stdout)
		if err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		w, _ := wire.Parse([]byte(c.want))
		if got := v.Get("modifiedArgs"); !wire.Equal(got, w) {
			t.Errorf("%s: modifiedArgs is %s, want %s", c.file, got.Raw(), c.want)
		}
		if v.Has("permissionDecision") {
			t.Errorf("%s: a rewrite says %s: it must not decide", c.file, v.Raw())
		}
	}
}

// TestRewriteOfAPatchIsRefused: Copilot sends it as bare text, and takes an object.
func TestRewriteOfAPatchIsRefused(t *testing.T) {
	said := lowered(t, "PreToolUse-pascal-apply_patch", hook.Decision{Input: []byte(`{"input":"*** Begin Patch"}`)})
	v, _ := wire.Parse(said.Stdout)
	if v.Get("permissionDecision").Str() != "deny" || v.Has("modifiedArgs") {
		t.Errorf("%s", said.Stdout)
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

// TestSamplesAreReadAsMade: what Sample makes, Decode reads as the call it was made from, and the
// payload alone tells its event too.
func TestSamplesAreReadAsMade(t *testing.T) {
	a := agent.Full(New())
	input, _ := wire.Parse([]byte(`{"command":"ls","file_path":"/home/dev/shop/a.go","content":"x\ny\n","old_string":"p","new_string":"q"}`))
	for _, name := range hook.Names() {
		for _, tool := range []string{"Bash", "Read", "Write", "Edit", "Grep", "Glob", "WebFetch", "Agent", "mcp__demo__echo", "sql"} {
			if !name.OfTool() && tool != "Bash" {
				continue
			}
			native, payload, ok := a.Sample(agent.Call{Event: name, Tool: tool, Input: input, Prompt: "do it", Dir: "/home/dev/shop"})
			asked := tool == "Bash" || tool == "Write" || tool == "Edit" || tool == "mcp__demo__echo"
			missing := name == hook.PostCompact || name == hook.PermissionRequest && !asked
			if ok == missing {
				t.Errorf("%s %s: ok is %v", name, tool, ok)
			}
			if !ok {
				continue
			}
			v, err := wire.Parse(payload)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, named := range []string{native, ""} {
				ev, row, err := a.Decode(agent.Input{Native: named, Payload: v})
				if err != nil || row == nil || ev.Name != name {
					t.Errorf("%s named %q: read as %s, %v", name, named, ev.Name, err)
				}
				if name.OfTool() {
					sameTool(t, name, tool, ev.Tool)
				}
			}
		}
	}
	if _, _, ok := a.Sample(agent.Call{Event: hook.PreToolUse, Tool: "NotebookEdit"}); ok {
		t.Error("Copilot has no NotebookEdit")
	}
}

func sameTool(t *testing.T, name hook.Name, tool string, got *hook.Tool) {
	t.Helper()
	want := map[string]string{"mcp__demo__echo": "demo-echo"}[tool]
	if want == "" {
		want = tool
	}
	if name == hook.PermissionRequest {
		switch tool {
		case "Write":
			want = "Edit"
		case "mcp__demo__echo":
			want = "demo/echo"
		}
	}
	if got == nil || got.Name != want {
		t.Errorf("%s %s: read as %+v, want %s", name, tool, got, want)
		return
	}
	if tool != "Write" && tool != "Edit" {
		return
	}
	f := got.Files[0]
	op := map[string]hook.Op{"Write": hook.OpCreate, "Edit": hook.OpUpdate}[tool]
	if f.Op != op || tool == "Write" && (f.NewText == nil || *f.NewText != "x\ny\n") || tool == "Edit" && len(f.Edits) == 0 {
		t.Errorf("%s %s: file %+v", name, tool, f)
	}
}
