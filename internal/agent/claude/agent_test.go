package claude

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

// recording is one payload as an agent sent it.
type recording struct {
	file    string // VERSION/NAME
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
	parts := []string{string(ev.Name), "row=" + row.Native, "mode=" + ev.Mode, "project=" + ev.Project, "version=" + ev.From.Version}
	add := func(key, value string) {
		if value != "" {
			parts = append(parts, fmt.Sprintf("%s=%q", key, value))
		}
	}
	add("subject", ev.Subject)
	add("prompt", ev.Prompt)
	add("model", ev.Model)
	add("call", ev.Call)
	add("turn", ev.Turn)
	add("plugin", ev.Plugin)
	if ev.Synthetic {
		add("synthetic", "yes")
	}
	if ev.Sub != nil {
		add("sub", ev.Sub.ID+" "+ev.Sub.Type)
	}
	if ev.StopKnown {
		add("active", fmt.Sprint(ev.StopActive))
	}
	if t := ev.Tool; t != nil {
		add("tool", t.Name)
		add("kind", string(t.Kind))
		add("command", t.Command)
		for _, f := range t.Files {
			add("file", f.Path+" "+string(f.Op))
		}
		if t.MCP != nil {
			add("mcp", t.MCP.Server+" "+t.MCP.Tool)
		}
		add("error", t.Error)
	}
	var keys []string
	for _, m := range ev.Fields {
		keys = append(keys, m.Key)
	}
	add("fields", strings.Join(keys, " "))
	return strings.Join(parts, " ")
}

// TestHandlersGetTheVeryPayload: through us a handler reads what Claude sent, byte for byte, and
// one member more.
func TestHandlersGetTheVeryPayload(t *testing.T) {
	a := agent.Full(New())
	for _, r := range own(t) {
		ev, _ := r.decode(t, a)
		if ev.Name == "" {
			continue
		}
		v, err := wire.Parse(ev.AppendJSON(nil))
		if err != nil {
			t.Fatalf("%s: %v", r.file, err)
		}
		if got := v.Without("hookspan").Raw(); !bytes.Equal(got, r.payload.Raw()) {
			t.Errorf("%s: a handler reads\n%s\nClaude sent\n%s", r.file, got, r.payload.Raw())
		}
	}
}

// TestRewriteLaws: no change is the identity on the bytes, a changed command changes only it, and a
// key that the handler leaves out is gone, as in Claude.
func TestRewriteLaws(t *testing.T) {
	a := agent.Full(New())
	shells := 0
	for _, r := range own(t) {
		ev, _ := r.decode(t, a)
		if ev.Tool == nil {
			continue
		}
		in, err := wire.Parse(ev.Tool.Input)
		if err != nil {
			t.Fatal(err)
		}
		same, changes, err := a.Rewritten(ev.Tool, in)
		if err != nil || len(changes) != 0 || !bytes.Equal(same, ev.Tool.Native) {
			t.Errorf("%s: no change gives %s, %v, %v", r.file, same, changes, err)
		}
		if ev.Tool.Kind != hook.KindShell {
			continue
		}
		shells++
		to := in.With("command", []byte(`"true"`))
		out, changes, err := a.Rewritten(ev.Tool, to)
		if err != nil || len(changes) != 1 || changes[0].Path != "command" || !bytes.Equal(out, to.Raw()) {
			t.Errorf("%s: another command gives %s, %v, %v", r.file, out, changes, err)
		}
		one, _ := wire.Parse([]byte(`{"command":"true"}`))
		if out, _, _ := a.Rewritten(ev.Tool, one); string(out) != `{"command":"true"}` {
			t.Errorf("%s: an input of one key gives %s: Claude replaces the whole", r.file, out)
		}
	}
	if shells < 10 {
		t.Errorf("only %d recordings of a shell", shells)
	}
	for _, bad := range []string{`"text"`, `[]`, `null`, `1`} {
		v, _ := wire.Parse([]byte(bad))
		if _, _, err := a.Rewritten(&hook.Tool{Native: json.RawMessage(`{}`)}, v); err == nil {
			t.Errorf("an input of %s was taken", bad)
		}
	}
}

// TestMarkIsOnlyClaudes: the sign stands in many of Claude's recordings and in no other agent's.
func TestMarkIsOnlyClaudes(t *testing.T) {
	marked := 0
	for _, r := range recordings(t, "../*/testdata/*/*.json") {
		switch m := Mark(r.payload); {
		case m != "" && r.agent != Name:
			t.Errorf("%s %s: marked as Claude's by %s", r.agent, r.file, m)
		case m != "":
			marked++
		}
	}
	if marked < 60 {
		t.Errorf("only %d recordings are marked", marked)
	}
}

// TestNoEventIsNamed: what tells no event is an error, unless it is the status line's payload.
func TestNoEventIsNamed(t *testing.T) {
	a := agent.Full(New())
	for _, c := range []struct {
		payload, native, name string
		err                   bool
	}{
		{`{}`, "", "", true},
		{`{"hook_event_name":7}`, "", "", true},
		{`[]`, "", "", true},
		{`{"tool_name":"Bash","tool_input":{"command":"ls"}}`, "PreToolUse", "PreToolUse", false},
		{`{"hook_event_name":"Soon","x":1}`, "", "Soon", false},
		{`{"workspace":{"current_dir":"/home/dev/shop"},"cost":{}}`, "", "", false},
	} {
		v, _ := wire.Parse([]byte(c.payload))
		ev, row, err := a.Decode(agent.Input{Payload: v, Native: c.native})
		if (err != nil) != c.err || string(ev.Name) != c.name || c.name == "Soon" && row != nil {
			t.Errorf("%s: %q, %v, %v", c.payload, ev.Name, row, err)
		}
		if c.err && !strings.Contains(err.Error(), "hook") && !strings.Contains(err.Error(), "JSON object") {
			t.Errorf("%s: no hint in %q", c.payload, err)
		}
	}
}

// TestPayloadWithoutNameIsMadeWhole: the event named on the command line reaches the handler.
func TestPayloadWithoutNameIsMadeWhole(t *testing.T) {
	v, _ := wire.Parse([]byte(`{"tool_name":"Bash","tool_input":{"command":"ls"},"odd":[1]}`))
	ev, _, err := agent.Full(New()).Decode(agent.Input{Payload: v, Native: "PreToolUse"})
	if err != nil {
		t.Fatal(err)
	}
	in, err := wire.Parse(ev.AppendJSON(nil))
	if err != nil || in.Get("hook_event_name").Str() != "PreToolUse" || in.Path("tool_input", "command").Str() != "ls" ||
		string(in.Get("odd").Raw()) != "[1]" {
		t.Errorf("%s, %v", in.Raw(), err)
	}
}

// TestServersWithUnderscores: mcp_server tells where the server's name ends.
func TestServersWithUnderscores(t *testing.T) {
	for _, c := range []struct{ payload, server, tool string }{
		{`{"tool_name":"mcp__lab__echo"}`, "lab", "echo"},
		{`{"tool_name":"mcp__my__lab__echo","mcp_server":{"name":"my__lab"}}`, "my__lab", "echo"},
		{`{"tool_name":"mcp__my_lab__echo_x","mcp_server":{"name":"my lab"}}`, "my_lab", "echo_x"},
		{`{"tool_name":"mcp__lab__a__b","mcp_server":{"name":7}}`, "lab", "a__b"},
	} {
		v, _ := wire.Parse([]byte(c.payload))
		m := mcpTool(v.Get("tool_name").Str(), v, v.Get("tool_input"))
		if m == nil || m.MCP.Server != c.server || m.MCP.Tool != c.tool || m.Name != v.Get("tool_name").Str() {
			t.Errorf("%s: %+v", c.payload, m)
		}
	}
	if m := mcpTool("mcp__lab", wire.Value{}, wire.Value{}); m != nil {
		t.Errorf("half a name: %+v", m)
	}
}

func TestVersionOf(t *testing.T) {
	for in, want := range map[string]string{
		"claude-code_2-1-332_harness": "2.1.332", "claude-code_2-1-220": "2.1.220", "claude-code_": "", "claude-code_x_1": "",
		"codex_1-2": "", "": "",
	} {
		if got := versionOf(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestTablesAreComplete: 34 events, three of them new; each has its evidence and a limit, and its
// common name, where it has one, is its own.
func TestTablesAreComplete(t *testing.T) {
	a := agent.Full(New())
	seen, since := map[string]bool{}, 0
	for _, r := range a.Events {
		if seen[r.Native] || r.Fires == "" || r.Silence == "" || r.Missing == "" || r.Failing == "" ||
			r.Timeout.Register <= 0 || r.Proof.Version == "" || r.Name != "" && string(r.Name) != r.Native {
			t.Errorf("row %+v", r)
		}
		seen[r.Native] = true
		if r.Since != "" {
			since++
		}
		for w := range agent.NumWords {
			if c := r.Cells[w]; c.Can && c.As == "" {
				t.Errorf("%s: no form of %s", r.Native, w)
			}
		}
	}
	if len(a.Events) != 34 || since != 3 {
		t.Errorf("%d events, %d of them new", len(a.Events), since)
	}
	for _, name := range hook.Names() {
		if !seen[string(name)] {
			t.Errorf("no row for %s", name)
		}
	}
	for _, r := range own(t) {
		if !seen[r.native] && r.native != "StatusLine" {
			t.Errorf("%s: recorded, and no row", r.file)
		}
	}
	for _, p := range a.Places() {
		if p.Path == "" || p.Proof.Version == "" || !p.Read && p.Note == "" {
			t.Errorf("place %+v", p)
		}
	}
}

// TestSamplesAreReadAsMade: what Sample makes, Decode reads as the call it was made from, and it has
// the members of the recordings.
func TestSamplesAreReadAsMade(t *testing.T) {
	a := agent.Full(New())
	input, _ := wire.Parse([]byte(`{"command":"ls","file_path":"/home/dev/shop/a.go","content":"x"}`))
	for _, name := range hook.Names() {
		for _, tool := range []string{"Bash", "Read", "Write", "Edit", "NotebookEdit", "WebFetch", "Agent", "mcp__lab__echo"} {
			if !name.OfTool() && tool != "Bash" {
				continue
			}
			native, payload, ok := a.Sample(agent.Call{Event: name, Tool: tool, Input: input, Prompt: "do it", Dir: "/home/dev/shop"})
			v, err := wire.Parse(payload)
			if !ok || err != nil || native != "" {
				t.Fatalf("%s %s: %v, %v", name, tool, ok, err)
			}
			ev, row, err := a.Decode(agent.Input{Payload: v})
			if err != nil || row == nil || ev.Name != name || ev.Cwd != "/home/dev/shop" {
				t.Errorf("%s: read as %s, %v", name, ev.Name, err)
			}
			if name.OfTool() && (ev.Tool == nil || ev.Tool.Name != tool) {
				t.Errorf("%s %s: read as %+v", name, tool, ev.Tool)
			}
			if tool == "Bash" {
				sameKeys(t, name, v)
			}
		}
	}
	if _, _, ok := a.Sample(agent.Call{Event: hook.PreToolUse, Tool: "apply_patch"}); ok {
		t.Error("Claude has no apply_patch")
	}
	if _, _, ok := a.Sample(agent.Call{Event: "Soon"}); ok {
		t.Error("Claude has no event Soon")
	}
}

// sameKeys compares a sample's members with those of the recordings of its event.
func sameKeys(t *testing.T, name hook.Name, sample wire.Value) {
	t.Helper()
	keys := func(v wire.Value) string {
		var list []string
		for k := range v.Members() {
			list = append(list, k)
		}
		return strings.Join(list, " ")
	}
	var had []string
	for _, r := range own(t) {
		if r.native != string(name) {
			continue
		}
		if keys(r.payload) == keys(sample) {
			return
		}
		had = append(had, keys(r.payload))
	}
	t.Errorf("%s: the sample has %s; the recordings have\n%s", name, keys(sample), strings.Join(had, "\n"))
}

func FuzzDecodeNeverPanics(f *testing.F) {
	for _, r := range own(f) {
		f.Add(r.payload.Raw(), r.native)
	}
	f.Add([]byte(`{"hook_event_name":[],"tool_name":{},"tool_input":7,"tool_calls":[7],"effort":1}`), "PostToolBatch")
	a := agent.Full(New())
	f.Fuzz(func(t *testing.T, b []byte, native string) {
		v, err := wire.Parse(b)
		if err != nil {
			return
		}
		ev, _, err := a.Decode(agent.Input{Payload: v, Native: native})
		if err == nil && ev.Name != "" {
			if _, err := wire.Parse(ev.AppendJSON(nil)); err != nil {
				t.Errorf("the handler's input is no JSON: %v", err)
			}
		}
	})
}
