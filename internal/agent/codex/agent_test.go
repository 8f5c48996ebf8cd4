package codex

import (
	"bytes"
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
		if v.Get("stdin").Kind() != wire.Object {
			continue // the legacy notify program gets no stdin
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
	parts := []string{string(ev.Name), "row=" + row.Native, "mode=" + ev.Mode, "model=" + ev.Model}
	add := func(key, value string) {
		if value != "" {
			parts = append(parts, fmt.Sprintf("%s=%q", key, value))
		}
	}
	add("subject", ev.Subject)
	add("prompt", ev.Prompt)
	add("call", strings.ReplaceAll(ev.Call, "00000000-0000-7000-8000-00000000000", "…"))
	add("turn", strings.ReplaceAll(ev.Turn, "00000000-0000-7000-8000-00000000000", "…"))
	add("plugin", ev.Plugin)
	if ev.Synthetic {
		add("synthetic", "yes")
	}
	if ev.Transcript == "" {
		add("transcript", "none")
	}
	if ev.Usage != nil {
		add("usage", fmt.Sprint(*ev.Usage))
	}
	if ev.Sub != nil {
		add("sub", ev.Sub.Type)
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
		add("input", string(compact(t.Input)))
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

func compact(raw []byte) []byte {
	v, err := wire.Parse(raw)
	if err != nil {
		return raw
	}
	var o wire.ObjectWriter
	for k, m := range v.Members() {
		o.Raw(k, m.Raw())
	}
	return o.Bytes()
}

// TestRewriteLaws: no change is the identity on the bytes; a changed command changes only it; keys
// that Codex' shell does not have are left out; all else gets the whole input.
func TestRewriteLaws(t *testing.T) {
	a := agent.Full(New())
	commands := 0
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
		if !in.Has("command") {
			continue
		}
		commands++
		native, _ := wire.Parse(ev.Tool.Native)
		want := native.With("command", []byte(`"true"`)).Raw()
		for _, after := range []wire.Value{in.With("command", []byte(`"true"`)), object(t, `{"command":"true"}`),
			object(t, `{"timeout":9000,"command":"true","run_in_background":true}`)} {
			out, changes, err := a.Rewritten(ev.Tool, after)
			if err != nil || len(changes) != 1 || changes[0].Path != "command" || !bytes.Equal(out, want) {
				t.Errorf("%s: %s gives %s, %v, %v", r.file, after.Raw(), out, changes, err)
			}
		}
		if out, changes, err := a.Rewritten(ev.Tool, object(t, `{"timeout":9000}`)); err != nil || len(changes) != 0 || !bytes.Equal(out, ev.Tool.Native) {
			t.Errorf("%s: a key that Codex has not gives %s, %v, %v", r.file, out, changes, err)
		}
		for _, bad := range []string{`{"command":7}`, `{"command":null}`, `[]`, `"x"`} {
			if _, _, err := a.Rewritten(ev.Tool, object(t, bad)); err == nil {
				t.Errorf("%s: %s was taken", r.file, bad)
			}
		}
	}
	if commands < 20 {
		t.Errorf("only %d recordings of a command", commands)
	}
}

func object(t testing.TB, s string) wire.Value {
	t.Helper()
	v, err := wire.Parse([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRewriteOfARenamedKeyGoesBack: prompt is message, subagent_type is agent_type.
func TestRewriteOfARenamedKeyGoesBack(t *testing.T) {
	reply := lowered(t, "0.171.0/PreToolUse-spawn-agent-v1", hook.Decision{Input: []byte(`{"prompt":"do less","subagent_type":"explorer"}`)})
	v := object(t, string(reply.Stdout))
	if got := v.Path("hookSpecificOutput", "updatedInput").Raw(); string(compact(got)) != `{"message":"do less","agent_type":"explorer"}` {
		t.Errorf("updatedInput is %s", got)
	}
}

// TestARewriteIsSaidWithAllow: Codex requires it; an allow alone is silence.
func TestARewriteIsSaidWithAllow(t *testing.T) {
	reply := lowered(t, "0.171.0/PreToolUse-bash", hook.Decision{Verdict: hook.Allow, Input: []byte(`{"command":"ls"}`)})
	const want = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls"}}}`
	if !wire.Equal(object(t, string(reply.Stdout)), object(t, want)) {
		t.Errorf("printed %s", reply.Stdout)
	}
	if reply := lowered(t, "0.171.0/PreToolUse-bash", hook.Decision{Verdict: hook.Allow, Reason: "fine"}); len(reply.Stdout) > 0 || reply.Exit != 0 {
		t.Errorf("an allow alone printed %+v", reply)
	}
}

// TestLowered: what words of handlers become where Codex has none.
func TestLowered(t *testing.T) {
	stop := "build is red"
	for _, c := range []struct {
		name, file string
		d          hook.Decision
		want       string
	}{
		{"ask is a deny that says so", "PreToolUse-bash", hook.Decision{Verdict: hook.Ask, Reason: "publishes"},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"publishes (this needs a person's approval, which cannot be asked for here)"}}`},
		{"end before a tool is a deny", "PreToolUse-bash", hook.Decision{End: &stop},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"build is red"}}`},
		{"feedback leaves the result visible", "PostToolUse-bash", hook.Decision{Feedback: []hook.Text{{Body: "gofmt changed it"}}},
			`{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"gofmt changed it"}}`},
		{"another result takes its place", "PostToolUse-bash", hook.Decision{Output: []byte(`{"stdout":"masked","stderr":"","interrupted":false}`)},
			`{"decision":"block","reason":"masked"}`},
		{"another result of MCP", "PostToolUse-mcp", hook.Decision{Output: []byte(`{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`)},
			`{"decision":"block","reason":"a\nb"}`},
		{"an empty result is not a blank reason", "PostToolUse-bash", hook.Decision{Output: []byte(`" "`)},
			`{"decision":"block","reason":"(no output)"}`},
		{"context on Stop waits", "Stop", hook.Decision{Context: []hook.Text{{Body: "x"}}}, ``},
		{"keep working", "Stop", hook.Decision{Continue: true, Reason: "tests fail"}, `{"decision":"block","reason":"tests fail"}`},
		{"end beats keep working", "Stop", hook.Decision{Continue: true, Reason: "tests fail", End: &stop},
			`{"continue":false,"stopReason":"build is red"}`},
		{"no veto of a compaction", "PreCompact-auto", hook.Decision{Verdict: hook.Deny, Reason: "not now"}, `{"systemMessage":"not now"}`},
		{"an ask is Codex' own question", "PermissionRequest-bash-escalation", hook.Decision{Verdict: hook.Ask, Reason: "x"}, ``},
		{"a rewrite of a question is a no", "PermissionRequest-bash-escalation", hook.Decision{Verdict: hook.Allow, Input: []byte(`{"command":"ls"}`)},
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"run this instead: ls"}}}`},
		{"a prompt is dropped", "UserPromptSubmit", hook.Decision{Verdict: hook.Deny, Reason: "secret"}, `{"decision":"block","reason":"secret"}`},
		{"keys of Claude's are not sent", "Stop", hook.Decision{Rest: []hook.Member{{Key: "suppressOutput", Value: []byte("true")}}}, ``},
		{"nothing before a request", "PreModelRequest", hook.Decision{Verdict: hook.Deny, Reason: "x", Notice: []string{"y"}}, ``},
	} {
		reply := lowered(t, "0.171.0/"+c.file, c.d)
		if len(reply.Stderr) > 0 || reply.Exit != 0 {
			t.Errorf("%s: %+v", c.name, reply)
		}
		if string(reply.Stdout) != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, reply.Stdout, c.want)
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

// TestMarkIsOnlyCodex: the sign stands in all recordings of a turn and in no other agent's.
func TestMarkIsOnlyCodex(t *testing.T) {
	for _, r := range recordings(t, "../*/testdata/*/*.json") {
		marked := Mark(r.payload) != ""
		want := r.agent == Name && r.native != "SessionStart" && r.native != "SessionEnd"
		if marked != want {
			t.Errorf("%s %s: marked %v", r.agent, r.file, marked)
		}
	}
}

// TestPatchesInTheShell: the two forms that Codex carries out as a patch, and what only looks so.
func TestPatchesInTheShell(t *testing.T) {
	const body = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** Delete File: /etc/x\n*** End Patch\nEOF\n"
	for _, c := range []struct{ command, want string }{
		{"apply_patch <<'EOF'\n" + body, "/home/dev/shop/src/a.py update /etc/x delete"},
		{"  applypatch <<EOF\n" + body, "/home/dev/shop/src/a.py update /etc/x delete"},
		{"cd sub && apply_patch <<'EOF'\n" + body, "/home/dev/shop/sub/src/a.py update /etc/x delete"},
		{"cd '/srv/my app' && apply_patch << \"EOF\"\n" + body, "/srv/my app/src/a.py update /etc/x delete"},
		{"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: n", "/home/dev/shop/n create"},
		{"cat > doc <<'EOF'\n" + body, ""},
		{"echo apply_patch <<'EOF'\n" + body, ""},
		{"apply_patch x <<'EOF'\n" + body, ""},
		{"apply_patch <<\n" + body, ""},
		{"cd sub; apply_patch <<'EOF'\n" + body, ""},
		{"ls", ""},
		{"", ""},
	} {
		var got []string
		for _, f := range patchInShell(c.command, "/home/dev/shop") {
			got = append(got, f.Path+" "+string(f.Op))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: %q, want %q", c.command, s, c.want)
		}
	}
}

// TestNoEventIsNamed: what tells no event is an error with a hint; an unknown one keeps its name.
func TestNoEventIsNamed(t *testing.T) {
	a := agent.Full(New())
	for _, c := range []struct {
		payload, native, name string
		err                   bool
	}{
		{`{}`, "", "", true},
		{`{"hook_event_name":["Stop"]}`, "", "", true},
		{`7`, "Stop", "Stop", true},
		{`{"turn_id":7}`, "Stop", "Stop", false},
		{`{"hook_event_name":"Soon"}`, "Stop", "Soon", false},
	} {
		ev, row, err := a.Decode(agent.Input{Payload: object(t, c.payload), Native: c.native})
		if (err != nil) != c.err || string(ev.Name) != c.name || c.name == "Soon" && row != nil {
			t.Errorf("%s: %q, %v, %v", c.payload, ev.Name, row, err)
		}
		if c.err && !strings.Contains(err.Error(), "hookspan run codex") && !strings.Contains(err.Error(), "stdin") {
			t.Errorf("%s: no hint in %q", c.payload, err)
		}
	}
}

// TestTablesAreComplete: each row has its evidence, a limit, and for what cannot be said a reason.
func TestTablesAreComplete(t *testing.T) {
	a := agent.Full(New())
	seen := map[string]bool{}
	for _, r := range a.Events {
		if seen[r.Native] || r.Fires == "" || r.Silence == "" || r.Missing == "" || r.Failing == "" || r.Timeout.Register <= 0 ||
			r.Proof.Version == "" || r.Name != "" && string(r.Name) != r.Native || r.Narrow != agent.NarrowNo {
			t.Errorf("row %+v", r)
		}
		seen[r.Native] = true
		for w := range agent.NumWords {
			if c := r.Cells[w]; c.Can && c.As == "" {
				t.Errorf("%s: no form of %s", r.Native, w)
			}
		}
		if r.Cells[agent.Rest].Can {
			t.Errorf("%s: a key of Claude's voids the answer", r.Native)
		}
	}
	for _, r := range own(t) {
		if !seen[r.native] {
			t.Errorf("%s: recorded, and no row", r.file)
		}
		if tool := r.payload.Get("tool_name").Str(); tool != "" && a.Tool(tool) == nil && !strings.HasPrefix(tool, "mcp__") {
			t.Errorf("%s: no tool %s", r.file, tool)
		}
	}
	for _, p := range a.Places() {
		if p.Path == "" || p.Proof.Version == "" || !p.Read && p.Note == "" {
			t.Errorf("place %+v", p)
		}
	}
	if d := a.Row("SessionEnd").Timeout.Deadline().Milliseconds(); d != 900 {
		t.Errorf("SessionEnd: our deadline is %d ms", d)
	}
}

// TestSamplesAreReadAsMade: what Sample makes, Decode reads as the call it was made from, and it has
// the members of a recording.
func TestSamplesAreReadAsMade(t *testing.T) {
	a := agent.Full(New())
	input := object(t, `{"command":"ls","file_path":"a.go","content":"x\ny\n","old_string":"a","new_string":"b","prompt":"do it"}`)
	for _, name := range hook.Names() {
		for _, tool := range []string{"Bash", "Write", "Edit", "Agent", "mcp__shopdb__lookup", "create_goal"} {
			if !name.OfTool() && tool != "Bash" {
				continue
			}
			native, payload, ok := a.Sample(agent.Call{Event: name, Tool: tool, Input: input, Prompt: "do it", Dir: "/home/dev/shop"})
			if missing := name == hook.PostToolUseFailure || name == hook.Notification; ok == missing {
				t.Errorf("%s: ok is %v", name, ok)
			}
			if !ok {
				continue
			}
			v := object(t, string(payload))
			ev, row, err := a.Decode(agent.Input{Payload: v})
			if err != nil || native != "" || row == nil || ev.Name != name {
				t.Errorf("%s: read as %s, %v", name, ev.Name, err)
			}
			if name.OfTool() {
				sameTool(t, ev.Tool, tool)
			}
			if tool == "Bash" {
				sameKeys(t, name, v)
			}
		}
	}
	for _, tool := range []string{"Read", "Grep", "NotebookEdit"} {
		if _, _, ok := a.Sample(agent.Call{Event: hook.PreToolUse, Tool: tool}); ok {
			t.Errorf("Codex has no %s", tool)
		}
	}
}

func sameTool(t *testing.T, got *hook.Tool, want string) {
	t.Helper()
	if want == "Write" || want == "Edit" {
		op := map[string]hook.Op{"Write": hook.OpCreate, "Edit": hook.OpUpdate}[want]
		if got == nil || !got.Patch || len(got.Files) != 1 || got.Files[0].Path != "/home/dev/shop/a.go" || got.Files[0].Op != op {
			t.Errorf("%s: read as %+v", want, got)
		}
		if want == "Write" && (got.Files[0].NewText == nil || *got.Files[0].NewText != "x\ny\n") {
			t.Errorf("the new text is %v", got.Files[0].NewText)
		}
		return
	}
	if got == nil || got.Name != want {
		t.Errorf("%s: read as %+v", want, got)
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
		if r.native == string(name) {
			if keys(r.payload) == keys(sample) {
				return
			}
			had = append(had, keys(r.payload))
		}
	}
	t.Errorf("%s: the sample has %s; the recordings have\n%s", name, keys(sample), strings.Join(had, "\n"))
}

func FuzzDecodeNeverPanics(f *testing.F) {
	for _, r := range own(f) {
		f.Add(r.payload.Raw(), r.native)
	}
	f.Add([]byte(`{"hook_event_name":{},"tool_name":"Bash","tool_input":{"command":[]},"token_usage":{"input_tokens":"x"}}`), "PreToolUse")
	a := agent.Full(New())
	f.Fuzz(func(t *testing.T, b []byte, native string) {
		v, err := wire.Parse(b)
		if err != nil {
			return
		}
		ev, _, err := a.Decode(agent.Input{Payload: v, Native: native})
		if err == nil && ev.Name != "" {
			if _, err := wire.Parse(ev.AppendJSON(nil)); err != nil {
				t.Errorf("the handler's input is no JSON: %v\n%s", err, ev.AppendJSON(nil))
			}
		}
	})
}
