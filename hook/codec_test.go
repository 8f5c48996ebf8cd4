package hook

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func full() Event {
	return Event{
		Name: PreToolUse, Session: "s1", Transcript: "/t.jsonl", Cwd: "/shop", Mode: "default",
		Tool: &Tool{Name: "Edit", NativeName: "apply_patch", Kind: KindEdit, ID: "c1", Input: json.RawMessage(`{"command":"x"}`),
			Command: "", MCP: &MCP{Server: "db", Tool: "query"}, Files: []File{{Path: "/shop/a.go", Op: OpMove, MovedTo: "/shop/b.go"}}},
		From: Agent{Name: "codex", Surface: "cli", Version: "0.171.0", VersionFrom: "environment", Native: "PreToolUse"}, Project: "/shop", Model: "m",
		Usage: &Usage{Input: 1, CachedInput: 2, Output: 3, Reasoning: 4, Total: 10}, Sub: &Subagent{ID: "a1", Type: "Explore", Parent: "s0"},
		Call: "c1", Fields: []Member{{Key: "turn_id", Value: json.RawMessage(`"7"`)}}, Payload: json.RawMessage(`{"z":1.0,"a":2}`),
	}
}

// What is written for a handler reads back as the same event.
func TestAHandlersInputReadsBack(t *testing.T) {
	want := full()
	got, err := Decode(want.AppendJSON(nil))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

// A hook that was written for Claude Code alone gets no "hookspan"; its input is an event all the same.
func TestAClaudePayloadIsAnEvent(t *testing.T) {
	ev, err := Decode([]byte(`{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`))
	if err != nil || ev.Tool == nil || ev.Tool.Command != "ls" || ev.From.Name != "" {
		t.Fatalf("%+v %v", ev, err)
	}
}

func TestDecodeRefusesWhatIsNoInput(t *testing.T) {
	for _, in := range []string{"", "x", "[]", "{}", `{"hook_event_name":""}`, `{"hook_event_name":"Stop"}{}`} {
		if _, err := Decode([]byte(in)); err == nil {
			t.Errorf("%q was read", in)
		}
	}
}

// A plain payload is handed on byte for byte, with what is ours behind it.
func TestAPlainPayloadIsHandedOn(t *testing.T) {
	payload := `{"hook_event_name": "PreToolUse",  "n":1.50, "tool_name":"Bash","tool_input":{"command":"ls"},"extra":{"b":1,"a":2}}`
	ev := Event{Name: PreToolUse, Plain: true, Payload: json.RawMessage(payload),
		Tool: &Tool{Name: "Bash", Input: json.RawMessage(`{"command":"ls"}`)}, From: Agent{Name: "claude"}}
	out := string(ev.AppendJSON(nil))
	if !strings.HasPrefix(out, strings.TrimSuffix(payload, "}")) || !strings.Contains(out, `"hookspan"`) {
		t.Errorf("%s", out)
	}
	ev.Tool.Input = json.RawMessage(`{"command":"pwd"}`) // a rewrite of an earlier group
	if out := string(ev.AppendJSON(nil)); !strings.Contains(out, `"tool_input":{"command":"pwd"},"extra":{"b":1,"a":2}`) {
		t.Errorf("%s", out)
	}
}

func TestEncode(t *testing.T) {
	end := "enough"
	for _, tt := range []struct {
		name Name
		d    Decision
		want string
	}{
		{PreToolUse, Decision{}, ``},
		{PreToolUse, Decision{Verdict: Deny, Reason: "r"}, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}`},
		{PreToolUse, Decision{Input: json.RawMessage(`{"command":"ls"}`)}, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls"}}}`},
		{UserPromptSubmit, Decision{Verdict: Deny, Reason: "r"}, `{"decision":"block","reason":"r"}`},
		{PostToolUse, Decision{Feedback: []Text{{Body: "f"}}}, `{"decision":"block","reason":"f"}`},
		{Stop, Decision{Continue: true, Reason: "r"}, `{"decision":"block","reason":"r"}`},
		{PermissionRequest, Decision{Verdict: Deny, Reason: "r"}, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"r"}}}`},
		{Stop, Decision{End: &end, Notice: []string{"a", "b"}}, `{"continue":false,"stopReason":"enough","systemMessage":"a\nb"}`},
	} {
		got, err := tt.d.Encode(tt.name)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s %+v\n got %s, %v\nwant %s", tt.name, tt.d, got, err, tt.want)
		}
	}
	if _, err := (Decision{Verdict: Ask}).Encode(UserPromptSubmit); err == nil {
		t.Error("UserPromptSubmit has no word for ask, and nobody was told")
	}
}

// What Decode accepts is written as JSON that Decode accepts again, with the same meaning.
func FuzzAHandlersInputReadsBack(f *testing.F) {
	f.Add(full().AppendJSON(nil))
	f.Add([]byte(`{"hook_event_name":"Stop","stop_hook_active":true,"hookspan":{"tool":7}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		ev, err := Decode(in)
		if err != nil {
			return
		}
		again, err := Decode(ev.AppendJSON(nil))
		if err != nil {
			t.Fatalf("%v\n%s", err, ev.AppendJSON(nil))
		}
		if again.Name != ev.Name || again.Session != ev.Session || again.StopActive != ev.StopActive || (again.Tool == nil) != (ev.Tool == nil) {
			t.Fatalf("\n got %+v\nwant %+v", again, ev)
		}
	})
}
