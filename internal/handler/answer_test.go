package handler

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/wire"
)

func says(text string) []hook.Text { return []hook.Text{{Body: text}} }

// printed is context that was said as plain text.
func printed(text string) []hook.Text { return []hook.Text{{Body: text, Plain: true}} }

func rest(pairs ...string) []hook.Member {
	var list []hook.Member
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, hook.Member{Key: pairs[i], Value: json.RawMessage(pairs[i+1])})
	}
	return list
}

// specific is an answer with a hookSpecificOutput of the event.
func specific(name hook.Name, members string) string {
	return `{"hookSpecificOutput":{"hookEventName":"` + string(name) + `",` + members + `}}`
}

type answerCase struct {
	event          hook.Name
	stdout, stderr string
	exit           int
	want           hook.Decision
	err            string // part of the error; "" = none
}

const (
	pre   = hook.PreToolUse
	post  = hook.PostToolUse
	ask   = hook.PermissionRequest
	start = hook.SessionStart
)

var end = "enough"

// The rows of Claude Code's response matrix (2.1.220, 2.1.332), and what Claude loses in silence.
var answerCases = []answerCase{
	// Exit codes.
	{pre, "", "", 0, hook.Decision{}, ""},
	{pre, " \n", "noise", 0, hook.Decision{}, ""},
	{pre, "checked 3 files\n", "", 0, hook.Decision{}, ""},
	{pre, "[INFO] checked 3 files {ok}\n", "", 0, hook.Decision{}, ""},
	{pre, "", "", 1, hook.Decision{}, "exit code 1"},
	{pre, "text", "a\nb", 3, hook.Decision{}, "exit code 3: a\nb"},
	{pre, "", "sh: 1: x: not found", 127, hook.Decision{}, "exit code 127 (a program was not found): sh: 1: x: not found"},
	{pre, "", "", 126, hook.Decision{}, "cannot be executed"},
	{pre, "", "panic", -1, hook.Decision{}, "exit code -1"},
	{pre, "", " no rm\n", 2, hook.Decision{Verdict: hook.Deny, Reason: "no rm", ByExit: true}, ""},
	{pre, "ignored", "", 2, hook.Decision{Verdict: hook.Deny, Reason: noStderr, ByExit: true}, ""},
	{pre, "{bad", "no", 2, hook.Decision{Verdict: hook.Deny, Reason: "no", ByExit: true}, ""},
	{pre, `{"decision":"deny"}`, "no", 2, hook.Decision{Verdict: hook.Deny, Reason: "no", ByExit: true}, ""},
	{pre, specific(post, `"permissionDecision":"allow"`), "", 2, hook.Decision{Verdict: hook.Deny, Reason: noStderr, ByExit: true}, ""},
	{pre, specific(pre, `"permissionDecision":"deny","permissionDecisionReason":"json"`), "stderr", 2, hook.Decision{Verdict: hook.Deny, Reason: "json"}, ""},
	{pre, `{"decision":"block","reason":"json"}`, "stderr", 2, hook.Decision{Verdict: hook.Deny, Reason: "json"}, ""},
	{pre, specific(pre, `"permissionDecision":"allow","updatedInput":{"a":1}`), "no", 2, hook.Decision{Verdict: hook.Deny, Reason: "no", ByExit: true}, ""},
	{pre, specific(pre, `"permissionDecision":"ask"`), "no", 2, hook.Decision{Verdict: hook.Deny, Reason: "no", ByExit: true}, ""},
	{pre, specific(pre, `"additionalContext":"ctx"`), "no", 2, hook.Decision{Verdict: hook.Deny, Reason: "no", ByExit: true, Context: says("ctx")}, ""},
	{pre, specific(pre, `"permissionDecision":"deny","permissionDecisionReason":"json"`), "", 1, hook.Decision{Verdict: hook.Deny, Reason: "json"}, ""},
	{pre, specific(pre, `"additionalContext":"ctx"`), "", 1, hook.Decision{Context: says("ctx")}, ""},
	{pre, `{"decision":"maybe"}`, "", 1, hook.Decision{}, "the answer is not valid"},
	{pre, `{"decision":"de`, "", 1, hook.Decision{}, "exit code 1"},

	// Words before a tool.
	{pre, specific(pre, `"permissionDecision":"allow","permissionDecisionReason":"fine"`), "", 0, hook.Decision{Verdict: hook.Allow, Reason: "fine"}, ""},
	{pre, specific(pre, `"permissionDecision":"deny","permissionDecisionReason":"no"`), "", 0, hook.Decision{Verdict: hook.Deny, Reason: "no"}, ""},
	{pre, specific(pre, `"permissionDecision":"deny"`), "", 0, hook.Decision{Verdict: hook.Deny, Reason: noReason}, ""},
	{pre, specific(pre, `"permissionDecision":"ask","permissionDecisionReason":"sure?"`), "", 0, hook.Decision{Verdict: hook.Ask, Reason: "sure?"}, ""},
	{pre, specific(pre, `"permissionDecision":"ask"`), "", 0, hook.Decision{Verdict: hook.Ask}, ""},
	{pre, specific(pre, `"permissionDecision":"defer"`), "", 0, hook.Decision{Verdict: hook.Defer}, ""},
	{pre, specific(pre, `"updatedInput":{"command":"ls","n":1.50}`), "", 0, hook.Decision{Input: json.RawMessage(`{"command":"ls","n":1.50}`)}, ""},
	{pre, specific(pre, `"additionalContext":"ctx"`), "", 0, hook.Decision{Context: says("ctx")}, ""},
	{pre, specific(pre, `"permissionDecision":"deny","permissionDecisionReason":"no","additionalContext":"ctx","x":[1]`), "", 0,
		hook.Decision{Verdict: hook.Deny, Reason: "no", Context: says("ctx"), RestSpecific: rest("x", "[1]")}, ""},
	{pre, specific(pre, `"permissionDecisionReason":"lonely"`), "", 0, hook.Decision{RestSpecific: rest("permissionDecisionReason", `"lonely"`)}, ""},
	{pre, `{"decision":"approve","reason":"ok"}`, "", 0, hook.Decision{Verdict: hook.Allow, Reason: "ok"}, ""},
	{pre, `{"decision":"block","reason":"no"}`, "", 0, hook.Decision{Verdict: hook.Deny, Reason: "no"}, ""},
	{pre, `{"decision":"block"}`, "", 0, hook.Decision{Verdict: hook.Deny, Reason: noReason}, ""},
	{pre, `{"decision":"block","reason":"no","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`, "", 0,
		hook.Decision{Verdict: hook.Deny, Reason: "no"}, ""},
	{pre, `{"decision":"approve","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", 0,
		hook.Decision{Verdict: hook.Deny, Reason: "no"}, ""},
	{pre, `{"continue":false,"stopReason":"enough"}`, "", 0, hook.Decision{End: &end}, ""},
	{pre, `{"continue":true}`, "", 0, hook.Decision{}, ""},
	{pre, `{"systemMessage":"hi"}`, "", 0, hook.Decision{Notice: []string{"hi"}}, ""},
	{pre, `{"systemMessage":""}`, "", 0, hook.Decision{}, ""},
	{pre, "{}", "", 0, hook.Decision{}, ""},
	{pre, `{"foo":1,"additionalContext":"top","suppressOutput":true,"reason":"r","stopReason":"s"}`, "", 0,
		hook.Decision{Rest: rest("foo", "1", "additionalContext", `"top"`, "suppressOutput", "true", "reason", `"r"`, "stopReason", `"s"`)}, ""},
	{pre, "\ufeff{\n  \"decision\": \"block\",\n  \"reason\": \"pretty\"\n}\n", "", 0, hook.Decision{Verdict: hook.Deny, Reason: "pretty"}, ""},
	{pre, "{\"decision\":\"block\",\"reason\":\"a\xffb\"}", "", 0, hook.Decision{Verdict: hook.Deny, Reason: "a\ufffdb"}, ""},
	{pre, "", "a\xffb", 2, hook.Decision{Verdict: hook.Deny, Reason: "a\ufffdb", ByExit: true}, ""},

	// What Claude's schema refuses.
	{pre, `{"decision":"deny"}`, "", 0, hook.Decision{}, `decision is "deny"; it must be "approve" or "block"`},
	{pre, specific(pre, `"permissionDecision":"maybe"`), "", 0, hook.Decision{}, `permissionDecision is "maybe"`},
	{pre, specific(pre, `"permissionDecision":1`), "", 0, hook.Decision{}, "permissionDecision is 1"},
	{pre, `{"continue":"false"}`, "", 0, hook.Decision{}, `continue is "false"; it must be true or false`},
	{pre, `{"suppressOutput":1}`, "", 0, hook.Decision{}, "suppressOutput is 1"},
	{pre, `{"reason":null}`, "", 0, hook.Decision{}, "reason is null; it must be a string"},
	{pre, `{"systemMessage":["a"]}`, "", 0, hook.Decision{}, "systemMessage is array; it must be a string"},
	{pre, `{"hookSpecificOutput":"x"}`, "", 0, hook.Decision{}, "it must be an object"},
	{pre, `{"hookSpecificOutput":{"permissionDecision":"deny"}}`, "", 0, hook.Decision{}, `hookEventName is missing; it must be "PreToolUse"`},
	{pre, specific(post, `"permissionDecision":"deny"`), "", 0, hook.Decision{}, `hookEventName is "PostToolUse"; this is a PreToolUse event`},
	{pre, specific(pre, `"updatedInput":"ls"`), "", 0, hook.Decision{}, `updatedInput is "ls"; it must be an object`},
	{pre, specific(pre, `"additionalContext":{}`), "", 0, hook.Decision{}, "additionalContext is object"},
	{hook.PreCompact, specific(hook.PreCompact, `"additionalContext":"x"`), "", 0, hook.Decision{}, "PreCompact has none"},

	// What Claude takes as text, so that a deny is lost.
	{pre, "{bad", "", 0, hook.Decision{}, "the answer is not one JSON object: "},
	{pre, `{"decision":"de`, "", 0, hook.Decision{}, "truncated"},
	{pre, `[1,2]`, "", 0, hook.Decision{}, "JSON array"},
	{pre, `[{"decision":"block"}]`, "", 0, hook.Decision{}, "JSON array"},
	{pre, "loading profile\n" + `{"decision":"block","reason":"x"}`, "", 0, hook.Decision{}, "text before the JSON"},
	{pre, `ready {"decision":"block"} done`, "", 0, hook.Decision{}, "text before the JSON"},
	{pre, "loading\n" + `{ "x": 1, "hookSpecificOutput" : {`, "", 0, hook.Decision{}, "text before the JSON"},
	{pre, "loading\n{\"hookSpec", "", 0, hook.Decision{}, "text before the JSON"},
	{pre, `{"decision":"block"}` + "\ndone", "", 0, hook.Decision{}, "more text"},
	{pre, `{"decision":"block"}` + "\n" + `{"decision":"block"}`, "", 0, hook.Decision{}, "more text"},
	{pre, `{"decision":"block","decision":"approve"}`, "", 0, hook.Decision{}, "duplicate"},
	{pre, `{"session_id":"s","hook_event_name":"PreToolUse","tool_input":{}}`, "", 0, hook.Decision{}, "printed back"},
	{hook.SessionEnd, `{"hook_event_name":"SessionEnd","reason":"clear"}`, "", 0, hook.Decision{}, "printed back"},
	{start, "loading\n" + `{"systemMessage":"x"}`, "", 0, hook.Decision{}, "text before the JSON"},
	{start, "{branch", "", 0, hook.Decision{}, "not one JSON object"},
	{pre, `{"hook_event_name":"PreToolUse","decision":"block","reason":"merged into the input"}`, "", 0,
		hook.Decision{Verdict: hook.Deny, Reason: "merged into the input", Rest: rest("hook_event_name", `"PreToolUse"`)}, ""},

	// Nobody waits.
	{pre, `{"async":true}`, "no", 2, hook.Decision{}, ""},
	{pre, `{"async":true,"asyncTimeout":5}` + "\n" + specific(pre, `"permissionDecision":"deny","additionalContext":"late"`), "", 0, hook.Decision{Context: says("late")}, ""},
	{pre, `{"async":true}` + "\nrubbish {", "", 1, hook.Decision{}, ""},
	{pre, `{"async":false}`, "", 0, hook.Decision{Rest: rest("async", "false")}, ""},

	// After a tool.
	{post, "", "lint", 2, hook.Decision{Feedback: says("lint"), ByExit: true}, ""},
	{post, "", "", 2, hook.Decision{Feedback: says(noStderr), ByExit: true}, ""},
	{post, `{"decision":"block","reason":"json"}`, "lint", 2, hook.Decision{Feedback: says("json")}, ""},
	{post, `{"decision":"block"}`, "", 1, hook.Decision{Feedback: says(noReason)}, ""},
	{post, `{"decision":"approve"}`, "", 0, hook.Decision{}, ""},
	{post, specific(post, `"additionalContext":"ctx"`), "", 0, hook.Decision{Context: says("ctx")}, ""},
	{post, specific(post, `"updatedToolOutput":{"stdout":"x"}`), "", 0, hook.Decision{Output: json.RawMessage(`{"stdout":"x"}`)}, ""},
	{post, specific(post, `"updatedMCPToolOutput":"x"`), "", 0, hook.Decision{RestSpecific: rest("updatedMCPToolOutput", `"x"`)}, ""},
	{post, specific(post, `"permissionDecision":"maybe"`), "", 0, hook.Decision{RestSpecific: rest("permissionDecision", `"maybe"`)}, ""},
	{post, `{"continue":false}`, "", 0, hook.Decision{End: new(string)}, ""},
	{hook.PostToolUseFailure, specific(hook.PostToolUseFailure, `"updatedToolOutput":{}`), "", 0, hook.Decision{RestSpecific: rest("updatedToolOutput", "{}")}, ""},
	{hook.PostToolUseFailure, "text", "", 0, hook.Decision{}, ""},

	// A prompt.
	{hook.UserPromptSubmit, "branch main\n", "", 0, hook.Decision{Context: printed("branch main")}, ""},
	{hook.UserPromptSubmit, "[main] 3 files", "", 0, hook.Decision{Context: printed("[main] 3 files")}, ""},
	{hook.UserPromptSubmit, "branch main\n", "", 1, hook.Decision{}, "exit code 1"},
	{hook.UserPromptSubmit, "dropped", "no", 2, hook.Decision{Verdict: hook.Deny, Reason: "no", ByExit: true}, ""},
	{hook.UserPromptSubmit, `{"decision":"block","reason":"no","suppressOriginalPrompt":true}`, "", 0,
		hook.Decision{Verdict: hook.Deny, Reason: "no", Rest: rest("suppressOriginalPrompt", "true")}, ""},
	{hook.UserPromptSubmit, specific(hook.UserPromptSubmit, `"additionalContext":"ctx","sessionTitle":"t"`), "", 0,
		hook.Decision{Context: says("ctx"), RestSpecific: rest("sessionTitle", `"t"`)}, ""},
	{hook.UserPromptSubmit, `{"additionalContext":"top"}`, "", 0, hook.Decision{Rest: rest("additionalContext", `"top"`)}, ""},
	{hook.UserPromptSubmit, `{"decision":"approve"}`, "", 0, hook.Decision{}, ""},
	{hook.UserPromptSubmit, `{"continue":false,"stopReason":"enough"}`, "", 0, hook.Decision{End: &end}, ""},

	// The end of a turn.
	{hook.Stop, "tests are green", "", 0, hook.Decision{}, ""},
	{hook.Stop, "", "tests fail", 2, hook.Decision{Continue: true, ByExit: true, Reason: "tests fail"}, ""},
	{hook.Stop, "", "", 2, hook.Decision{Continue: true, ByExit: true, Reason: noStderr}, ""},
	{hook.Stop, `{"decision":"block","reason":"json"}`, "x", 2, hook.Decision{Continue: true, Reason: "json"}, ""},
	{hook.SubagentStop, `{"decision":"block"}`, "", 0, hook.Decision{Continue: true, Reason: noReason}, ""},
	{hook.Stop, `{"decision":"approve"}`, "", 0, hook.Decision{}, ""},
	{hook.Stop, specific(hook.Stop, `"additionalContext":"ctx"`), "", 0, hook.Decision{Context: says("ctx")}, ""},
	{hook.Stop, `{"continue":false,"stopReason":"enough","decision":"block","reason":"r"}`, "", 0, hook.Decision{End: &end, Continue: true, Reason: "r"}, ""},

	// Events that only observe.
	{start, "branch main", "", 0, hook.Decision{Context: printed("branch main")}, ""},
	{start, "dropped", "told", 2, hook.Decision{Notice: []string{"told"}}, ""},
	{start, "dropped", "", 2, hook.Decision{}, ""},
	{start, specific(start, `"additionalContext":"ctx"`), "", 1, hook.Decision{Context: says("ctx")}, ""},
	{start, specific(start, `"additionalContext":"ctx","initialUserMessage":"go"`), "", 0,
		hook.Decision{Context: says("ctx"), RestSpecific: rest("initialUserMessage", `"go"`)}, ""},
	{start, `{"decision":"block","reason":"r","continue":false,"stopReason":"s"}`, "", 0,
		hook.Decision{Rest: rest("decision", `"block"`, "reason", `"r"`, "continue", "false", "stopReason", `"s"`)}, ""},
	{hook.Notification, "text", "", 0, hook.Decision{}, ""},
	{hook.SessionEnd, "", "", 2, hook.Decision{}, ""},

	// A compaction.
	{hook.PreCompact, "keep the names", "", 0, hook.Decision{Context: printed("keep the names")}, ""},
	{hook.PreCompact, "", "not now", 2, hook.Decision{Verdict: hook.Deny, Reason: "not now", ByExit: true}, ""},
	{hook.PreCompact, `{"decision":"block","reason":"not now"}`, "", 0, hook.Decision{Verdict: hook.Deny, Reason: "not now"}, ""},
	{hook.PreCompact, `{"continue":false}`, "", 0, hook.Decision{Rest: rest("continue", "false")}, ""},

	// A permission dialog: only its own decision object counts.
	{ask, specific(ask, `"decision":{"behavior":"allow"}`), "", 0, hook.Decision{Verdict: hook.Allow}, ""},
	{ask, specific(ask, `"decision":{"behavior":"allow","updatedInput":{"a":1},"updatedPermissions":[1]}`), "", 0,
		hook.Decision{Verdict: hook.Allow, Input: json.RawMessage(`{"a":1}`), RestSpecific: rest("decision.updatedPermissions", "[1]")}, ""},
	{ask, specific(ask, `"decision":{"message":"no","behavior":"deny","interrupt":true}`), "", 0,
		hook.Decision{Verdict: hook.Deny, Reason: "no", RestSpecific: rest("decision.interrupt", "true")}, ""},
	{ask, specific(ask, `"decision":{"behavior":"deny"}`), "", 0, hook.Decision{Verdict: hook.Deny, Reason: noGrant}, ""},
	{ask, specific(ask, `"decision":{"behavior":"ask"}`), "", 0, hook.Decision{}, `decision.behavior is "ask"`},
	{ask, specific(ask, `"decision":{}`), "", 0, hook.Decision{}, "decision.behavior is absent"},
	{ask, specific(ask, `"decision":"allow"`), "", 0, hook.Decision{}, "must be an object"},
	{ask, specific(ask, `"decision":{"behavior":"deny","message":1}`), "", 0, hook.Decision{}, "decision.message is 1"},
	{ask, specific(ask, `"decision":{"behavior":"deny","interrupt":"x"}`), "", 0, hook.Decision{}, "decision.interrupt"},
	{ask, specific(ask, `"permissionDecision":"allow"`), "", 0, hook.Decision{RestSpecific: rest("permissionDecision", `"allow"`)}, ""},
	{ask, `{"decision":"approve","reason":"r"}`, "", 0, hook.Decision{Rest: rest("decision", `"approve"`, "reason", `"r"`)}, ""},
	{ask, `{"decision":"block"}`, "", 0, hook.Decision{Rest: rest("decision", `"block"`)}, ""},
	{ask, `{"continue":false}`, "", 0, hook.Decision{Rest: rest("continue", "false")}, ""},
	{ask, specific(ask, `"decision":{"behavior":"allow"}`), "no", 2, hook.Decision{Verdict: hook.Deny, Reason: "no", ByExit: true}, ""},

	// An event of one agent alone.
	{"beforeReadFile", specific("beforeReadFile", `"permissionDecision":"deny","permissionDecisionReason":"no"`), "", 0, hook.Decision{Verdict: hook.Deny, Reason: "no"}, ""},
	{"beforeReadFile", `{"decision":"block","reason":"no"}`, "", 0, hook.Decision{Verdict: hook.Deny, Reason: "no"}, ""},
	{"beforeReadFile", "text", "", 0, hook.Decision{}, ""},
	{"beforeReadFile", "", "no", 2, hook.Decision{Verdict: hook.Deny, Reason: "no", ByExit: true}, ""},
}

func TestAnswer(t *testing.T) {
	for _, tt := range answerCases {
		got, err := Answer(hook.Event{Name: tt.event}, []byte(tt.stdout), []byte(tt.stderr), tt.exit)
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s exit %d %q %q\n got %+v\nwant %+v", tt.event, tt.exit, tt.stdout, tt.stderr, got, tt.want)
		}
		if tt.err == "" && err != nil {
			t.Errorf("%s exit %d %q: error %v", tt.event, tt.exit, tt.stdout, err)
		}
		if tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%s exit %d %q: error %v, want one with %q", tt.event, tt.exit, tt.stdout, err, tt.err)
		}
	}
}

func TestAnswerOfMCPTool(t *testing.T) {
	ev := hook.Event{Name: post, Tool: &hook.Tool{Kind: hook.KindMCP}}
	d, err := Answer(ev, []byte(specific(post, `"updatedMCPToolOutput":"x"`)), nil, 0)
	if err != nil || string(d.Output) != `"x"` {
		t.Errorf("%+v, %v", d, err)
	}
	d, err = Answer(ev, []byte(specific(post, `"updatedToolOutput":"a","updatedMCPToolOutput":"x"`)), nil, 0)
	if err != nil || string(d.Output) != `"a"` || len(d.RestSpecific) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestOwnPayloadPrintedBackIsNoAnswer(t *testing.T) {
	ev := hook.Event{Name: pre, Payload: json.RawMessage(`{"toolName":"bash","n":1.0}`)}
	for out, isError := range map[string]bool{`{ "toolName": "bash", "n": 1.0 }`: true, `{"toolName":"bash"}`: false, `{"hookspan":{}}`: true} {
		if _, err := Answer(ev, []byte(out), nil, 0); (err != nil) != isError {
			t.Errorf("%s: %v", out, err)
		}
	}
	if _, err := Answer(hook.Event{Name: pre, Payload: json.RawMessage("{}")}, []byte("{}"), nil, 0); err != nil {
		t.Errorf("an empty answer to an empty payload: %v", err)
	}
}

// A decision that was read, written in Claude's words and read again says the same.
func TestAnswerOfWhatWasAnswered(t *testing.T) {
	for _, tt := range answerCases {
		if tt.err != "" || tt.want.ByExit || tt.event == ask || tt.event == hook.PreCompact {
			continue
		}
		text, err := tt.want.Encode(tt.event)
		if err != nil {
			t.Fatal(err)
		}
		tt.want.Context = slices.Clone(tt.want.Context)
		for i := range tt.want.Context {
			tt.want.Context[i].Plain = false // written as additionalContext by now
		}
		again, err := Answer(hook.Event{Name: tt.event}, text, nil, 0)
		if err != nil || !sameMeaning(again, tt.want) {
			t.Errorf("%s %s\n got %+v, %v\nwant %+v", tt.event, text, again, err, tt.want)
		}
	}
}

// sameMeaning compares without regard to the order of unknown keys.
func sameMeaning(a, b hook.Decision) bool {
	for _, d := range []*hook.Decision{&a, &b} {
		d.Rest, d.RestSpecific = slices.Clone(d.Rest), slices.Clone(d.RestSpecific)
		for _, list := range [][]hook.Member{d.Rest, d.RestSpecific} {
			slices.SortFunc(list, func(x, y hook.Member) int { return strings.Compare(x.Key, y.Key) })
		}
	}
	return reflect.DeepEqual(a, b)
}

// No grant follows an error, exit code 2 is never an error and never a grant, and every no has its
// reason.
func FuzzAnswer(f *testing.F) {
	for _, tt := range answerCases {
		f.Add(string(tt.event), []byte(tt.stdout), []byte(tt.stderr), tt.exit)
	}
	f.Fuzz(func(t *testing.T, event string, stdout, stderr []byte, exit int) {
		ev := hook.Event{Name: hook.Name(event)}
		d, err := Answer(ev, stdout, stderr, exit)
		if err != nil && !reflect.DeepEqual(d, hook.Decision{}) {
			t.Errorf("error %v with %+v", err, d)
		}
		if exit == 2 && (err != nil || d.Verdict == hook.Allow || d.Input != nil) {
			t.Errorf("exit 2: %+v, %v", d, err)
		}
		_, async := background(clean(stdout))
		if exit == 2 && ev.Name.Class() == hook.Gate && d.Verdict != hook.Deny && !async {
			t.Errorf("exit 2 is no no: %+v", d)
		}
		if (d.Verdict == hook.Deny || d.Continue) && d.Reason == "" {
			t.Errorf("a no without a reason: %+v", d)
		}
		for _, raw := range []json.RawMessage{d.Input, d.Output} {
			if _, perr := wire.Parse(raw); raw != nil && perr != nil {
				t.Errorf("%s is not JSON", raw)
			}
		}
	})
}

func TestTail(t *testing.T) {
	tests := []struct {
		in           string
		lines, bytes int
		want         string
	}{
		{"", 3, 10, ""},
		{"one\ntwo\n", 3, 100, "one\ntwo"},
		{"one\ntwo\nthree\nfour", 2, 100, "…three\nfour"},
		{"one\ntwo", 2, 100, "one\ntwo"},
		{"abcdefgh", 2, 3, "…fgh"},
		{"aäöü", 2, 3, "…ü"},
		{strings.Repeat("x", 100), 1, 5, "…xxxxx"},
		{strings.Repeat("ä", 100), 1, 5, "…ää"},
		{"a\xff", 1, 10, "a\ufffd"},
		{"x\n\n\n", 1, 10, "x"},
		{"abc", 0, 10, ""},
		{"abc", 1, 0, ""},
	}
	for _, tt := range tests {
		if got := Tail([]byte(tt.in), tt.lines, tt.bytes); got != tt.want {
			t.Errorf("Tail(%q, %d, %d) = %q, want %q", tt.in, tt.lines, tt.bytes, got, tt.want)
		}
	}
}
