package codex

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// The output schemas of 0.171.0 (and 0.144.5, where it has the event), as they stand in the program:
// members of the top and of hookSpecificOutput. Anything else voids the answer.
var (
	tops = map[string]string{
		"PreToolUse": all + " decision reason", "PostToolUse": all + " decision reason", "UserPromptSubmit": all + " decision reason",
		"PermissionRequest": all, "SessionStart": all, "SubagentStart": all,
		"Stop": all + " decision reason", "SubagentStop": all + " decision reason", "PreCompact": all, "PostCompact": all,
		"Interrupt": "systemMessage",
	}
	specifics = map[string]string{
		"PreToolUse": "hookEventName permissionDecision permissionDecisionReason updatedInput additionalContext", "PostToolUse": "hookEventName additionalContext updatedMCPToolOutput",
		"UserPromptSubmit": "hookEventName additionalContext", "SessionStart": "hookEventName additionalContext",
		"SubagentStart": "hookEventName additionalContext", "PermissionRequest": "hookEventName decision",
	}
)

const all = "continue stopReason suppressOutput systemMessage hookSpecificOutput"

func has(list, word string) bool { return strings.Contains(" "+list+" ", " "+word+" ") }

// effect is what Codex does with an answer.
type effect struct {
	Denied, Rewritten, Allowed, Sent, Ends bool
	Reason, Input, Context, Output, Notice string
}

// reads is Codex' reading of an answer, as measured; the error says that the hook failed, which
// means that the action goes on.
func reads(event string, r agent.Reply) (effect, error) {
	out := strings.TrimSpace(string(r.Stdout))
	switch {
	case r.Exit != 0 || len(r.Stderr) > 0:
		return effect{}, fmt.Errorf("exit %d, stderr %q: we never leave so", r.Exit, r.Stderr)
	case out == "":
		return effect{}, nil
	case tops[event] == "":
		return effect{}, fmt.Errorf("no output counts")
	}
	v, err := wire.Parse([]byte(out))
	if err != nil || v.Kind() != wire.Object {
		return effect{}, fmt.Errorf("no JSON object: %v", err)
	}
	if err := schema(event, v); err != nil {
		return effect{}, err
	}
	return meaning(event, v)
}

func schema(event string, v wire.Value) error {
	for key, m := range v.Members() {
		kind := wire.String
		switch key {
		case "continue", "suppressOutput":
			kind = wire.Bool
		case "hookSpecificOutput":
			kind = wire.Object
		}
		if !has(tops[event], key) || m.Kind() != kind || key == "hookSpecificOutput" && specifics[event] == "" {
			return fmt.Errorf("%s: %s", key, m.Raw())
		}
	}
	h := v.Get("hookSpecificOutput")
	if h.Kind() == wire.Object && h.Get("hookEventName").Str() != event {
		return fmt.Errorf("hookEventName is %s", h.Get("hookEventName").Raw())
	}
	for key, m := range h.Members() {
		if !has(specifics[event], key) {
			return fmt.Errorf("hookSpecificOutput.%s", key)
		}
		if key != "updatedInput" && key != "decision" && m.Kind() != wire.String {
			return fmt.Errorf("hookSpecificOutput.%s: %s", key, m.Raw())
		}
	}
	for key := range h.Get("decision").Members() {
		if !has("behavior message", key) { // the others are reserved, and fail
			return fmt.Errorf("decision.%s", key)
		}
	}
	return nil
}

// meaning is the matrix of answers. What is unsupported on an event is an error there.
func meaning(event string, v wire.Value) (effect, error) {
	h := v.Get("hookSpecificOutput")
	e := effect{Context: h.Get("additionalContext").Str(), Notice: v.Get("systemMessage").Str()}
	if on, ok := v.Get("continue").Bool(); ok && !on {
		if event == "PreToolUse" || event == "PermissionRequest" || event == "PostToolUse" || event == "SubagentStart" {
			return effect{}, fmt.Errorf("continue:false on %s does not end the turn", event)
		}
		e.Ends, e.Reason = true, v.Get("stopReason").Str()
	}
	if d := v.Get("decision"); d.Kind() != wire.Absent {
		reason := v.Get("reason").Str()
		if d.Str() != "block" || strings.TrimSpace(reason) == "" {
			return effect{}, fmt.Errorf("decision %s with reason %q", d.Raw(), reason)
		}
		switch event {
		case "PreToolUse", "UserPromptSubmit":
			e.Denied, e.Reason = true, reason
		case "PostToolUse":
			e.Output = reason
		default:
			e.Sent, e.Reason = true, reason
		}
	} else if v.Has("reason") {
		return effect{}, fmt.Errorf("a reason alone")
	}
	return permissions(event, h, e)
}

func permissions(event string, h wire.Value, e effect) (effect, error) {
	d, in, reason := h.Get("permissionDecision"), h.Get("updatedInput"), h.Get("permissionDecisionReason").Str()
	switch {
	case d.Str() == "deny" && strings.TrimSpace(reason) != "" && in.Kind() == wire.Absent:
		e.Denied, e.Reason = true, reason
	case d.Str() == "allow" && in.Kind() == wire.Object:
		e.Rewritten, e.Input = true, string(in.Raw())
	case d.Kind() != wire.Absent || in.Kind() != wire.Absent:
		return effect{}, fmt.Errorf("permissionDecision %s, reason %q, updatedInput %s", d.Raw(), reason, in.Raw())
	}
	if p := h.Get("decision"); p.Kind() == wire.Object {
		e.Allowed, e.Denied = p.Get("behavior").Str() == "allow", p.Get("behavior").Str() == "deny"
		e.Reason = p.Get("message").Str()
		if !e.Allowed && !e.Denied {
			return effect{}, fmt.Errorf("behavior %s", p.Get("behavior").Raw())
		}
	}
	return e, nil
}

// add says a word.
func add(say *agent.Say, w agent.Word) {
	end := "STOP"
	switch w {
	case agent.Allow:
		say.Verdict = hook.Allow
	case agent.Ask:
		say.Verdict, say.Reason = hook.Ask, "REASON"
	case agent.Defer:
		say.Verdict = hook.Defer
	case agent.Deny:
		say.Verdict, say.Reason = hook.Deny, "REASON"
	case agent.Rewrite:
		say.Input = []byte(`{"command":"true"}`)
	case agent.Context:
		say.Context = "CTX"
	case agent.Feedback:
		say.Feedback = "FEEDBACK"
	case agent.Output:
		say.Output = []byte(`"NEW"`)
	case agent.Continue:
		say.Continue, say.ContinueReason = true, "REASON"
	case agent.End:
		say.End = &end
	case agent.Notice:
		say.Notice = "NOTICE"
	case agent.Rest:
		say.Rest = []hook.Member{{Key: "suppressOutput", Value: []byte("true")}}
	}
}

// TestEveryWordIsTakenByCodex: a word that a row allows is printed so that Codex does it; Print
// refuses the rest, and prints nothing then.
func TestEveryWordIsTakenByCodex(t *testing.T) {
	a := agent.Full(New())
	for i := range a.Events {
		r := &a.Events[i]
		for w := range agent.NumWords {
			say := agent.Say{Event: r.Name, Native: r.Native}
			add(&say, w)
			reply, err := agent.Print(a, r, say)
			if r.Can(w, "") != (err == nil) {
				t.Errorf("%s %s: the table says %v, Print %v", r.Native, w, r.Can(w, ""), err)
			}
			if err != nil {
				if len(reply.Stdout) > 0 {
					t.Errorf("%s %s: refused, and printed %s", r.Native, w, reply.Stdout)
				}
				continue
			}
			e, fault := reads(r.Native, reply)
			if fault != nil || !heard(e, w, r) {
				t.Errorf("%s %s: printed %s, Codex does %+v (%v)", r.Native, w, reply.Stdout, e, fault)
			}
		}
	}
}

func heard(e effect, w agent.Word, r *agent.Row) bool {
	switch w {
	case agent.Allow:
		return e == effect{Allowed: true}
	case agent.Ask:
		return e == effect{} && r.Cells[w].As == asNothing
	case agent.Deny:
		return e == effect{Denied: true, Reason: "REASON"}
	case agent.Rewrite:
		return e == effect{Rewritten: true, Input: `{"command":"true"}`}
	case agent.Context:
		return e == effect{Context: "CTX"}
	case agent.Output:
		return e == effect{Output: "NEW"}
	case agent.Continue:
		return e == effect{Sent: true, Reason: "REASON"}
	case agent.End:
		return e == effect{Ends: true, Reason: "STOP"}
	case agent.Notice:
		return e == effect{Notice: "NOTICE"}
	}
	return false
}

// TestEveryCombinationOfWordsIsTaken: no word voids another one.
func TestEveryCombinationOfWordsIsTaken(t *testing.T) {
	a := agent.Full(New())
	for i := range a.Events {
		r := &a.Events[i]
		for mask := range 1 << agent.NumWords {
			say := agent.Say{Event: r.Name, Native: r.Native}
			for w := range agent.NumWords {
				if mask&(1<<w) != 0 && r.Can(w, "") {
					add(&say, w)
				}
			}
			if say.Verdict == hook.Deny {
				say.Input = nil // Lower never sends a denied call's rewrite
			}
			reply, err := agent.Print(a, r, say)
			if err != nil {
				t.Fatal(err)
			}
			e, fault := reads(r.Native, reply)
			if fault != nil {
				t.Fatalf("%s %v: printed %s: %v", r.Native, say.Words(), reply.Stdout, fault)
			}
			if say.Verdict == hook.Deny && !e.Denied || say.Notice != e.Notice || say.Context != e.Context {
				t.Fatalf("%s %v: printed %s, Codex does %+v", r.Native, say.Words(), reply.Stdout, e)
			}
		}
	}
}
