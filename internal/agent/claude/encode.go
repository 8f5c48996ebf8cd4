package claude

import (
	"slices"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// encode prints an answer: one JSON object on stdout with exit code 0, but for the events whose
// stdout is taken raw, and those whose only no is exit code 2.
func encode(r *agent.Row, s agent.Say) agent.Reply {
	var reply agent.Reply
	words := s.Words()
	switch {
	case slices.Equal(words, []agent.Word{agent.Continue}) && s.ByExit:
		// Said as JSON it would reach the model twice (2.1.332).
		return agent.Reply{Exit: 2, Stderr: line(s.ContinueReason)}
	case slices.Equal(words, []agent.Word{agent.Context}) && s.Plain && (r.Native == "SessionStart" || r.Native == "UserPromptSubmit"):
		return agent.Reply{Stdout: line(s.Context)}
	}
	switch r.Native {
	case "PreCompact", "WorktreeCreate":
		reply.Stdout = line(s.Context)
	case "PostCompact":
		reply.Stdout = line(s.Notice)
	default:
		reply.Stdout = answer(r, &s)
	}
	if s.Verdict == hook.Deny && r.Cells[agent.Deny].As == asExit {
		reply.Exit, reply.Stderr = 2, line(s.Reason)
	}
	return reply
}

func line(text string) []byte {
	if text == "" {
		return nil
	}
	return []byte(text + "\n")
}

// answer is the JSON object, nil where there is nothing to say.
func answer(r *agent.Row, s *agent.Say) []byte {
	var o object
	if s.End != nil {
		o.Bool("continue", false)
		o.strIf("stopReason", *s.End)
	}
	if reason, no := block(r, s); no {
		o.str("decision", "block")
		o.str("reason", reason)
	}
	o.strIf("systemMessage", s.Notice)
	for _, m := range s.Rest {
		o.own(m)
	}
	if inner := specific(r, s); !inner.Empty() {
		var named object
		named.str("hookEventName", r.Native)
		o.raw("hookSpecificOutput", joined(named.Bytes(), inner.Bytes()))
	}
	if o.Empty() {
		return nil
	}
	return o.Bytes()
}

// block is the text of decision:"block", which is Claude's word for a no, for feedback and for
// keep working.
func block(r *agent.Row, s *agent.Say) (string, bool) {
	switch {
	case s.Verdict == hook.Deny && r.Cells[agent.Deny].As == asBlock:
		return s.Reason, true
	case s.Continue:
		return s.ContinueReason, true
	case s.Feedback != "":
		return s.Feedback, true
	}
	return "", false
}

// specific is hookSpecificOutput without its hookEventName. Events that are not listed have none in
// Claude's schema: there it would void the whole answer.
func specific(r *agent.Row, s *agent.Say) *object {
	var o object
	switch r.Native {
	case "PreToolUse", "PreModelSwitch", "PreSkillShellCommand":
		permission(&o, s)
	case "PermissionRequest":
		if o.raw("decision", dialog(s)); o.Empty() {
			return &o // the schema wants a decision
		}
	case "SessionStart", "Setup", "SubagentStart", "UserPromptSubmit", "UserPromptExpansion", "PostToolUse",
		"PostToolUseFailure", "PostToolBatch", "Stop", "SubagentStop", "PostModelSwitch", "PermissionDenied",
		"Notification", "Elicitation", "ElicitationResult", "CwdChanged", "FileChanged", "MessageDisplay":
	default:
		return &o
	}
	o.strIf("additionalContext", s.Context)
	o.raw("updatedToolOutput", s.Output)
	for _, m := range s.RestSpecific {
		o.own(m)
	}
	return &o
}

// permission prints a verdict on something that is about to happen.
func permission(o *object, s *agent.Say) {
	if s.Verdict != hook.NoOpinion {
		o.str("permissionDecision", s.Verdict.String())
		o.strIf("permissionDecisionReason", s.Reason)
	}
	o.raw("updatedInput", s.Input)
}

// dialog is the decision object of PermissionRequest, nil for no opinion. updatedInput stands only
// beside an allow there. Where no handler allowed the changed input, it must not be granted, and
// the dialog would show the person the unchanged one: so it is refused.
func dialog(s *agent.Say) []byte {
	var o object
	switch {
	case s.Verdict == hook.Deny:
		o.str("behavior", "deny")
		o.strIf("message", s.Reason)
		dialogRest(&o, s, "interrupt")
	case s.Input != nil && s.Verdict != hook.Allow:
		o.str("behavior", "deny")
		o.str("message", "a hook changed the input, and this dialog cannot show the change; make the call with this input instead: "+string(s.Input))
	case s.Verdict == hook.Allow:
		o.str("behavior", "allow")
		o.raw("updatedInput", s.Input)
		dialogRest(&o, s, "updatedPermissions")
	default:
		return nil
	}
	return o.Bytes()
}

func dialogRest(o *object, s *agent.Say, key string) {
	for _, m := range s.RestSpecific {
		if m.Key == "decision."+key {
			o.own(hook.Member{Key: key, Value: m.Value})
		}
	}
}

// object writes members, each key once: a duplicate key voids the answer.
type object struct {
	wire.ObjectWriter
	keys []string
}

func (o *object) str(key, s string) {
	o.keys = append(o.keys, key)
	o.Str(key, s)
}

func (o *object) strIf(key, s string) {
	if s != "" {
		o.str(key, s)
	}
}

func (o *object) raw(key string, raw []byte) {
	if len(raw) != 0 {
		o.keys = append(o.keys, key)
		o.Raw(key, raw)
	}
}

// own adds a key that only Claude knows. What was said by ours stands; a value that the schema does
// not take is left out, because it would void the whole answer, other handlers' words with it.
func (o *object) own(m hook.Member) {
	if slices.Contains(o.keys, m.Key) || strings.Contains(m.Key, ".") {
		return
	}
	if v, err := wire.Parse(m.Value); err == nil && fits(m.Key, v) {
		o.raw(m.Key, m.Value)
	}
}

// fits reports whether Claude's schema takes a value. Keys that it does not know are ignored by it.
func fits(key string, v wire.Value) bool {
	switch key {
	case "async", "asyncTimeout": // says that nobody should wait for this answer, which has words for now
		return false
	case "hookEventName", "hookSpecificOutput", "additionalContext", "permissionDecision", "updatedInput", "continue", "systemMessage":
		return false // words: where they may be said, they were said
	case "suppressOutput", "suppressOriginalPrompt", "reloadSkills", "retry", "interrupt":
		return v.Kind() == wire.Bool
	case "stopReason", "reason", "permissionDecisionReason", "terminalSequence", "sessionTitle", "initialUserMessage",
		"displayContent", "classifierContext":
		return v.Kind() == wire.String
	case "decision":
		return v.Str() == "approve" || v.Str() == "block"
	case "action":
		return v.Str() == "accept" || v.Str() == "decline" || v.Str() == "cancel"
	case "content":
		return v.Kind() == wire.Object
	case "watchPaths":
		return strs(v)
	case "updatedPermissions":
		return v.Kind() == wire.Array
	}
	return true
}

func strs(v wire.Value) bool {
	for e := range v.Elems() {
		if e.Kind() != wire.String {
			return false
		}
	}
	return v.Kind() == wire.Array
}

// joined joins two objects written by us.
func joined(a, b []byte) []byte {
	out := append([]byte(nil), a[:len(a)-1]...)
	return append(append(out, ','), b[1:]...)
}

// rewrite replaces the whole input, as Claude does: a key that the handler left out is gone. An
// unchanged one keeps its bytes.
func rewrite(t *hook.Tool, after wire.Value) ([]byte, []agent.Change, error) {
	before, err := wire.Parse(t.Native)
	if err != nil || before.Kind() != wire.Object || after.Kind() != wire.Object {
		return nil, nil, agent.ErrRewrite
	}
	if wire.Equal(before, after) {
		return t.Native, nil, nil
	}
	var changes []agent.Change
	for key, v := range after.Members() {
		if !wire.Equal(before.Get(key), v) {
			changes = append(changes, agent.Change{Path: key, Value: v.Raw()})
		}
	}
	for key := range before.Members() {
		if !after.Has(key) {
			changes = append(changes, agent.Change{Path: key})
		}
	}
	return after.Raw(), changes, nil
}
