package copilot

import (
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

func decoded(t testing.TB, native, payload string) (hook.Event, *agent.Row, error) {
	t.Helper()
	v, err := wire.Parse([]byte(payload))
	if err != nil {
		t.Fatalf("%s: %v", payload, err)
	}
	return agent.Full(New()).Decode(agent.Input{Native: native, Payload: v})
}

// TestDecodeOfPayloadsThatAreOff: a wrong type is as if the member was not there; arguments that are
// cut are an error, so that a guard can refuse what it cannot see.
func TestDecodeOfPayloadsThatAreOff(t *testing.T) {
	for _, c := range []struct {
		payload, native string
		name            hook.Name
		row, fails      bool
	}{
		{payload: `{"sessionId":5,"timestamp":{},"cwd":[],"toolName":"bash","toolArgs":{"command":7}}`, native: "preToolUse", name: hook.PreToolUse, row: true},
		{payload: `{"toolName":7,"toolArgs":{}}`, native: "preToolUse", name: hook.PreToolUse, row: true},
		{payload: `{"toolName":"bash","toolArgs":null}`, native: "preToolUse", name: hook.PreToolUse, row: true},
		{payload: `{"toolName":"list_bash","toolArgs":""}`, native: "preToolUse", name: hook.PreToolUse, row: true},
		{payload: `{"toolName":"bash","toolArgs":"{\"command\":\"rm"}`, native: "preToolUse", name: hook.PreToolUse, row: true, fails: true},
		{payload: `{"toolName":"bash","toolArgs":"rm -rf x"}`, native: "preToolUse", name: hook.PreToolUse, row: true, fails: true},
		{payload: `{"toolName":"bash","toolArgs":"[1]"}`, native: "preToolUse", name: hook.PreToolUse, row: true, fails: true},
		{payload: `{"toolName":"bash","toolArgs":"{\"command\":\"a\",\"command\":\"b\"}"}`, native: "preToolUse", name: hook.PreToolUse, row: true, fails: true},
		{payload: `{"toolName":"srv-do","toolArgs":"{\"a\":"}`, native: "preToolUse", name: hook.PreToolUse, row: true, fails: true},
		{payload: `{"toolName":"freeform","toolArgs":"bare text"}`, native: "preToolUse", name: hook.PreToolUse, row: true},
		{payload: `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":7}`, name: hook.PreToolUse, row: true},
		{payload: `{"hook_event_name":"Stop","session_id":"s","agent_id":5}`, name: hook.Stop, row: true},
		{payload: `{"hook_event_name":"Stop","session_id":"s","agent_id":"a"}`, name: hook.SubagentStop, row: true},
		{payload: `{"sessionId":"s","error":{"message":"x"},"toolName":"view","toolArgs":{}}`, native: "postToolUseFailure", name: hook.PostToolUseFailure, row: true},
		{payload: `{"hook_event_name":"BeforeDream"}`, name: "BeforeDream"},
		{payload: `{"hook_event_name":{}}`, fails: true},
		{payload: `{"sessionId":"s"}`, fails: true},
		{payload: `[1]`, native: "preToolUse", name: hook.PreToolUse, row: true, fails: true},
		{payload: `"preToolUse"`, fails: true},
	} {
		ev, row, err := decoded(t, c.native, c.payload)
		if ev.Name != c.name || (row != nil) != c.row || (err != nil) != c.fails {
			t.Errorf("%s: %q, row %v, %v", c.payload, ev.Name, row != nil, err)
		}
	}
}

// TestArgumentsInEveryForm: an object, JSON text, the text of a patch, a patch inside an object.
func TestArgumentsInEveryForm(t *testing.T) {
	for _, args := range []string{`{"command":"rm \"x\""}`, `"{\"command\":\"rm \\\"x\\\"\"}"`, `" {\"command\": \"rm \\\"x\\\"\"} "`} {
		ev, _, err := decoded(t, "preToolUse", `{"sessionId":"s","toolName":"bash","toolArgs":`+args+`}`)
		if err != nil || ev.Tool.Command != `rm "x"` {
			t.Errorf("%s: %q, %v", args, ev.Tool.Command, err)
		}
	}
	const p = `*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n`
	for _, args := range []string{`"` + p + `"`, `{"input":"` + p + `"}`, `"{\"patch\":\"` + strings.ReplaceAll(p, `\n`, `\\n`) + `\"}"`} {
		for _, form := range []string{`{"sessionId":"s","cwd":"/w","toolName":"apply_patch","toolArgs":` + args + `}`} {
			ev, _, err := decoded(t, "preToolUse", form)
			if err != nil || len(ev.Tool.Files) != 1 || ev.Tool.Files[0].Path != "/w/a.txt" || ev.Tool.Files[0].Op != hook.OpDelete {
				t.Errorf("%s: %+v, %v", args, ev.Tool, err)
			}
		}
	}
}

// TestThePermissionQuestionTellsTheFile: a creation comes as an edit with a diff, whose paths have lost
// their first slash.
func TestThePermissionQuestionTellsTheFile(t *testing.T) {
	for file, want := range map[string]string{"permissionRequest-create": "/home/dev/shop/new.txt", "PermissionRequest-pascal-create": "/home/dev/shop/new.txt",
		"permissionRequest-apply_patch": "/home/dev/shop/p.txt"} {
		ev, _ := recorded(t, file).decode(t, agent.Full(New()))
		f := ev.Tool.Files[0]
		if len(ev.Tool.Files) != 1 || f.Path != want || f.Op != hook.OpCreate || f.NewText == nil || *f.NewText == "" {
			t.Errorf("%s: %+v", file, ev.Tool.Files)
		}
	}
}

// TestAnUnnamedEventIsToldByItsShape: a hook registered for Claude Code names no event on its command
// line, and three events do not name themselves under a Pascal key.
func TestAnUnnamedEventIsToldByItsShape(t *testing.T) {
	a := agent.Full(New())
	for _, r := range own(t) {
		want, _ := r.decode(t, a)
		ev, _, err := a.Decode(agent.Input{Payload: r.payload})
		if err != nil || ev.Name != want.Name || ev.From.Native != want.From.Native {
			t.Errorf("%s: told %s (%s), want %s (%s): %v", r.file, ev.Name, ev.From.Native, want.Name, want.From.Native, err)
		}
	}
}

// TestBothLanguagesGiveOneKey: the pairs are one occurrence in both languages, made from recordings.
func TestBothLanguagesGiveOneKey(t *testing.T) {
	const camel, snake = `"sessionId":"s","timestamp":1700000000123,"cwd":"/w"`, `"session_id":"s","timestamp":"2023-11-14T22:13:20.123Z","cwd":"/w"`
	keys := map[string]string{}
	for _, c := range []struct{ native, camel, snake string }{
		{"preToolUse", `"toolName":"bash","toolArgs":"{\"command\": \"\\u00e9\", \"initial_wait\": 1.0}"`,
			`"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"é","initial_wait":1}`},
		{"preToolUse", `"toolName":"edit","toolArgs":{"path":"a","old_str":"x","new_str":"y"}`,
			`"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"path":"a","old_str":"x","new_str":"y"}`},
		{"preToolUse", `"toolName":"apply_patch","toolArgs":"*** Begin Patch\n"`,
			`"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":"*** Begin Patch\n"`},
		{"preToolUse", `"toolName":"rg","toolArgs":{"pattern":"x"}`, `"hook_event_name":"PreToolUse","tool_name":"Grep","tool_input":{"pattern":"x"}`},
		{"postToolUse", `"toolName":"bash","toolArgs":{"command":"é"},"toolResult":{"textResultForLlm":"1"}`,
			`"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"é"},"tool_result":{"text_result_for_llm":"1"}`},
		{"userPromptSubmitted", `"prompt":"do it"`, `"hook_event_name":"UserPromptSubmit","prompt":"do it"`},
		{"agentStop", `"stopReason":"end_turn"`, `"hook_event_name":"Stop","stop_reason":"end_turn"`},
		{"sessionEnd", `"reason":"complete"`, `"hook_event_name":"SessionEnd","reason":"complete"`},
		{"sessionStart", `"source":"new","initialPrompt":"x"`, `"hook_event_name":"SessionStart","source":"new","initial_prompt":"x"`},
	} {
		one, _, err1 := decoded(t, c.native, "{"+camel+","+c.camel+"}")
		two, _, err2 := decoded(t, "", "{"+snake+","+c.snake+"}")
		if err1 != nil || err2 != nil || one.Call == "" || one.Call != two.Call {
			t.Errorf("%s: %q and %q, %v %v", c.camel, one.Call, two.Call, err1, err2)
		}
		if before := keys[one.Call]; before != "" {
			t.Errorf("%s and %s have one key", before, c.camel)
		}
		keys[one.Call] = c.camel
	}
	later, _, _ := decoded(t, "agentStop", strings.Replace("{"+camel+`,"stopReason":"end_turn"}`, "123,", "124,", 1))
	if keys[later.Call] != "" {
		t.Error("another time is the same call")
	}
	if untimed, _, _ := decoded(t, "preToolUse", `{"sessionId":"s","toolName":"bash","toolArgs":{}}`); untimed.Call != "" {
		t.Errorf("without a time nothing identifies the call, got %q", untimed.Call)
	}
}

// TestAParentIsNotItsOwnChild: subagentStart carries the parent's session; noting that session as a
// child's would turn the parent's own Stop into SubagentStop.
func TestAParentIsNotItsOwnChild(t *testing.T) {
	for _, r := range own(t) {
		ev, _ := r.decode(t, agent.Full(New()))
		if ev.Sub != nil && ev.Sub.Parent == ev.Session {
			t.Errorf("%s: session %s is its own parent", r.file, ev.Session)
		}
	}
	if ev, _ := recorded(t, "agentStop-subagent").decode(t, agent.Full(New())); ev.Sub.Parent == "" || ev.Sub.ID != ev.Session {
		t.Errorf("in a subagent: %+v, session %s", ev.Sub, ev.Session)
	}
}

// TestTheEnvironmentTellsTheVersion, the plugin, and the project where the payload has no folder.
func TestTheEnvironmentTellsTheVersion(t *testing.T) {
	env := map[string]string{"COPILOT_CLI_BINARY_VERSION": "1.0.102", "COPILOT_PLUGIN_ROOT": "/p", "COPILOT_PROJECT_DIR": "/root"}
	get := func(k string) string { return env[k] }
	v, _ := wire.Parse([]byte(`{"sessionId":"s","cwd":"/root/sub"}`))
	ev, _, _ := agent.Full(New()).Decode(agent.Input{Native: "agentStop", Payload: v, Env: get})
	if ev.From.Version != "1.0.102" || ev.From.VersionFrom != "environment" || ev.Plugin != "/p" || ev.Project != "/root/sub" {
		t.Errorf("%+v %q %q", ev.From, ev.Plugin, ev.Project)
	}
	ev, _, _ = agent.Full(New()).Decode(agent.Input{Native: "agentStop", Payload: v.Without("cwd"), Env: get})
	if ev.Project != "/root" || ev.Cwd != "" {
		t.Errorf("project %q, cwd %q", ev.Project, ev.Cwd)
	}
}

// TestTablesAreWhole: what installers and people read is filled in.
func TestTablesAreWhole(t *testing.T) {
	a := agent.Full(New())
	for _, r := range a.Events {
		if r.Fires == "" || r.Silence == "" || r.Missing == "" || r.Failing == "" || r.Proof.Date == "" || !r.Timeout.Opens {
			t.Errorf("%s: an empty column: %+v", r.Native, r)
		}
		if s := r.Timeout.Register.Seconds(); s < 60 {
			t.Errorf("%s: registered with %v s", r.Native, s)
		}
		for w := agent.Allow; w < agent.NumWords; w++ {
			if c := r.Cells[w]; c.Can && (c.As == "" || c.Else != 0) {
				t.Errorf("%s %s: %+v", r.Native, w, c)
			}
		}
		if r.Can(agent.Notice, "") && (r.Native == "preToolUse" || r.Native == "permissionRequest" || r.Native == "postToolUseFailure") {
			t.Errorf("%s: exit 2 decides there", r.Native)
		}
	}
	for _, p := range a.Places() {
		if p.Path == "" || p.Proof.Version == "" || !p.Read && p.Note == "" {
			t.Errorf("place %+v", p)
		}
	}
}

// FuzzDecodeNeverPanics: any JSON gives an event whose input for handlers is valid JSON again.
func FuzzDecodeNeverPanics(f *testing.F) {
	for _, r := range own(f) {
		f.Add(r.payload.Raw(), r.native)
	}
	f.Add([]byte(`{"toolName":"apply_patch","toolArgs":"{","timestamp":"2024"}`), "preToolUse")
	a := agent.Full(New())
	f.Fuzz(func(t *testing.T, b []byte, native string) {
		v, err := wire.Parse(b)
		if err != nil {
			return
		}
		ev, row, _ := a.Decode(agent.Input{Native: native, Payload: v, Env: func(string) string { return "" }})
		if _, err := wire.Parse(ev.AppendJSON(nil)); err != nil {
			t.Fatalf("%s\ngives %s\n%v", b, ev.AppendJSON(nil), err)
		}
		say, _ := agent.Lower(a, row, ev, hook.Decision{Verdict: hook.Deny, Reason: "no", Context: text("c")}, agent.Options{})
		if _, err := agent.Print(a, row, say); err != nil {
			t.Fatal(err)
		}
	})
}
