package cursor

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

// recording is one payload, as the runtime made it or as a document tells it.
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
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		name := filepath.Base(filepath.Dir(f)) + "/" + strings.TrimSuffix(filepath.Base(f), ".json")
		list = append(list, recording{name, v.Get("agent").Str(), v.Get("event").Str(), v.Get("stdin"), v.Get("env")})
	}
	return list
}

func own(t testing.TB) []recording { return recordings(t, "testdata/*/*.json") }

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

// short leaves the invented ids readable.
func short(s string) string {
	for _, id := range [...][2]string{{"11111111-2222-4333-8444-555555555555", "CONV"}, {"66666666-7777-4888-8999-aaaaaaaaaaaa", "GEN"},
		{"77777777-8888-4999-8aaa-bbbbbbbbbbbb", "CALL"}} {
		s = strings.ReplaceAll(s, id[0], id[1])
	}
	return s
}

func summary(ev hook.Event, row *agent.Row) string {
	parts := []string{string(ev.Name), "row=" + row.Native}
	add := func(key, value string) {
		if value != "" {
			parts = append(parts, fmt.Sprintf("%s=%q", key, short(value)))
		}
	}
	add("version", ev.From.Surface+" "+ev.From.Version)
	add("subject", ev.Subject)
	add("prompt", ev.Prompt)
	add("cwd", ev.Cwd)
	add("call", ev.Call)
	if ev.Usage != nil {
		add("usage", fmt.Sprint(*ev.Usage))
	}
	if ev.Sub != nil {
		add("sub", fmt.Sprint(*ev.Sub))
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
		add("response", string(t.Response))
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
			{"session", ev.Session, r.payload.Get("conversation_id").Str()},
			{"transcript", ev.Transcript, r.payload.Get("transcript_path").Str()},
			{"project", ev.Project, "/home/dev/shop"},
			{"cwd", ev.Cwd, "/home/dev/shop"},
			{"version", ev.From.Version, r.payload.Get("cursor_version").Str()},
			{"model", ev.Model, r.payload.Get("model").Str()},
			{"event", ev.From.Native, r.native},
		} {
			if c.got != c.want {
				t.Errorf("%s: %s is %q, want %q", r.file, c.what, c.got, c.want)
			}
		}
		if string(ev.Payload) != string(r.payload.Raw()) {
			t.Errorf("%s: the payload is not verbatim", r.file)
		}
		if ev.From.VersionFrom != "payload" || ev.Mode != "" {
			t.Errorf("%s: from %+v, mode %q: Cursor sends no mode", r.file, ev.From, ev.Mode)
		}
	}
}

// TestNoMemberIsLost: what the payload holds stands in the handler's input, under its own name or
// under Claude's.
func TestNoMemberIsLost(t *testing.T) {
	claude := map[string]string{"tool_output": "tool_response", "result_json": "tool_response", "error_message": "error"}
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
			inCall := in.Get("tool_input").Has(key) || key == "output" && in.Has("tool_response")
			if !in.Has(name) && !inCall && !(key == "transcript_path" && v.Kind() == wire.Null) {
				t.Errorf("%s: the handler does not get %s", r.file, key)
			}
		}
	}
}

// TestMarkIsCursorsAlone: on the recordings of all agents that are there.
func TestMarkIsCursorsAlone(t *testing.T) {
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
		if ev.Tool == nil || r.payload.Get("tool_input").Kind() != wire.Object {
			continue
		}
		seen++
		after, err := wire.Parse(ev.Tool.Input)
		if err != nil {
			t.Fatalf("%s: %v", r.file, err)
		}
		native, changes, err := a.Rewritten(ev.Tool, after)
		if err != nil || len(changes) != 0 || string(native) != string(r.payload.Get("tool_input").Raw()) {
			t.Errorf("%s: %v, %d changes, got %s", r.file, err, len(changes), native)
		}
	}
	if seen < 30 {
		t.Errorf("%d tool recordings, want 30 or more", seen)
	}
}

// TestOnlyHonouredKeysAreRewritten: a change that Cursor ignores would run the original, so the call
// is refused and the model told what to call instead.
func TestOnlyHonouredKeysAreRewritten(t *testing.T) {
	for _, c := range []struct{ file, change, want string }{
		{"sdk-1.0.32/preToolUse-shell-no-cwd", `{"command":"true"}`, `{"command":"true","cwd":"","timeout":30000}`},
		{"sdk-1.0.32/preToolUse-shell-no-cwd", `{"command":"true","run_in_background":true}`, ""},
		{"ide-3.x-docs/preToolUse-shell", `{"command":"true"}`, `{"command":"true","working_directory":"/home/dev/shop"}`},
		{"sdk-1.0.32/preToolUse-write-new", `{"file_path":"/home/dev/shop/b.txt"}`, `{"file_path":"/home/dev/shop/b.txt","content":"hello\n"}`},
		{"sdk-1.0.32/preToolUse-write-new", `{"content":"bye\n"}`, ""},
		{"sdk-1.0.32/preToolUse-grep", `{"path":"/home/dev/shop/src"}`, `{"pattern":"TODO","file_path":"/home/dev/shop/src","glob":"*.go","output_mode":"content"}`},
		{"sdk-1.0.32/preToolUse-grep", `{"glob":"*.js"}`, ""},
		{"sdk-1.0.32/preToolUse-fetch", `{"url":"https://example.org/"}`, `{"url":"https://example.org/"}`},
		{"sdk-1.0.32/preToolUse-mcp-search", `{"q":"y","n":2}`, `{"q":"y","n":2}`},
		{"cli-2026.07.23/preToolUse-task", `{"prompt":"x"}`, ""},
	} {
		reply := lowered(t, c.file, hook.Decision{Input: []byte(c.change)})
		h, err := reads("preToolUse", reply)
		if err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		if c.want == "" {
			if !h.denied || !strings.Contains(h.forModel, "with this input instead: ") {
				t.Errorf("%s with %s: not refused: %s", c.file, c.change, reply.Stdout)
			}
			continue
		}
		want, _ := wire.Parse([]byte(c.want))
		got, _ := wire.Parse([]byte(h.input))
		if h.denied || !wire.Equal(got, want) {
			t.Errorf("%s: updated_input is %s, want %s", c.file, h.input, c.want)
		}
	}
}

// lowered is our answer to a recording.
func lowered(t *testing.T, file string, d hook.Decision) agent.Reply {
	t.Helper()
	for _, r := range own(t) {
		if r.file == file {
			return answered(t, r.payload, d)
		}
	}
	t.Fatalf("no recording %s", file)
	return agent.Reply{}
}

func answered(t *testing.T, p wire.Value, d hook.Decision) agent.Reply {
	t.Helper()
	a := agent.Full(New())
	ev, row, err := a.Decode(agent.Input{Payload: p})
	if err != nil {
		t.Fatal(err)
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
	input, _ := wire.Parse([]byte(`{"command":"ls","file_path":"a.go","content":"x","old_string":"a","new_string":"b"}`))
	reads := map[string]string{"Edit": "Write", "mcp__demo__echo": "MCP:echo"}
	for _, name := range hook.Names() {
		for _, tool := range []string{"Bash", "Read", "Write", "Edit", "Grep", "WebFetch", "WebSearch", "Agent", "Delete", "mcp__demo__echo"} {
			if !name.OfTool() && tool != "Bash" {
				continue
			}
			native, payload, ok := a.Sample(agent.Call{Event: name, Tool: tool, Input: input, Prompt: "do it", Dir: "/home/dev/shop"})
			missing := name == hook.PermissionRequest || name == hook.PostCompact || name == hook.Notification
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
			if err != nil || row == nil || ev.Name != name || ev.Cwd != "/home/dev/shop" {
				t.Errorf("%s: read as %s in %q, %v", name, ev.Name, ev.Cwd, err)
			}
			want := tool
			if s, ok := reads[tool]; ok {
				want = s
			}
			if name.OfTool() && (ev.Tool == nil || ev.Tool.Name != want) {
				t.Errorf("%s %s: read as %+v", name, tool, ev.Tool)
			}
			if name == hook.UserPromptSubmit && ev.Prompt != "do it" {
				t.Errorf("the prompt is %q", ev.Prompt)
			}
		}
	}
	for _, tool := range []string{"NotebookEdit", "Glob"} {
		if _, _, ok := a.Sample(agent.Call{Event: hook.PreToolUse, Tool: tool}); ok {
			t.Errorf("Cursor has no %s", tool)
		}
	}
}
