package handler

import (
	"fmt"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/wire"
)

// reply is an answer in JSON while it is being read.
type reply struct {
	ev hook.Event
	d  hook.Decision

	decision   string // top-level: approve, block
	reason     string
	hasReason  bool
	stop       bool // continue:false
	stopReason string

	permission       hook.Verdict // hookSpecificOutput
	permissionReason string
	hasPermReason    bool

	err error // the first fault
}

// readReply reads one JSON object by Claude's schema: a value that the schema refuses voids the
// whole answer.
func readReply(ev hook.Event, v wire.Value) (hook.Decision, error) {
	r := &reply{ev: ev}
	for key, value := range v.Members() {
		r.top(key, value)
	}
	r.settle()
	if r.err != nil {
		return hook.Decision{}, r.err
	}
	return r.d, nil
}

func (r *reply) top(key string, v wire.Value) {
	switch key {
	case "continue":
		if on, ok := v.Bool(); ok {
			r.stop = !on
		} else {
			r.refuse(key, v, "true or false")
		}
	case "stopReason":
		r.stopReason = r.text(key, v)
	case "suppressOutput":
		if _, ok := v.Bool(); !ok {
			r.refuse(key, v, "true or false")
		}
		r.rest(key, v)
	case "decision":
		r.decision = r.text(key, v)
		if r.decision != "approve" && r.decision != "block" {
			r.refuse(key, v, `"approve" or "block" (a deny is said in hookSpecificOutput.permissionDecision)`)
		}
	case "reason":
		r.reason, r.hasReason = r.text(key, v), true
	case "systemMessage":
		if text := r.text(key, v); text != "" {
			r.d.Notice = append(r.d.Notice, text)
		}
	case "hookSpecificOutput":
		r.specific(v)
	default:
		r.rest(key, v)
	}
}

// specific reads hookSpecificOutput. Its hookEventName must be the event's own.
func (r *reply) specific(v wire.Value) {
	const key = "hookSpecificOutput"
	if v.Kind() != wire.Object {
		r.refuse(key, v, "an object")
		return
	}
	if r.ev.Name == hook.PreCompact {
		r.fault("%s: PreCompact has none; plain text is added to the summary's instructions", key)
		return
	}
	switch name, ok := v.Get("hookEventName").StrOK(); {
	case !ok:
		r.fault("%s.hookEventName is missing; it must be %q", key, r.ev.Name)
	case name != string(r.ev.Name):
		r.fault("%s.hookEventName is %q; this is a %s event", key, name, r.ev.Name)
	}
	for k, value := range v.Members() {
		if k != "hookEventName" && !r.word(k, value) {
			r.d.RestSpecific = append(r.d.RestSpecific, member(k, value))
		}
	}
}

// word reads one member of hookSpecificOutput; false = this event has no such word.
func (r *reply) word(key string, v wire.Value) bool {
	name := r.ev.Name
	switch {
	case key == "additionalContext":
		if text := r.text(key, v); text != "" {
			r.d.Context = append(r.d.Context, hook.Text{Body: text})
		}
	case key == "permissionDecision" && asks(name):
		r.permit(key, v)
	case key == "permissionDecisionReason" && asks(name):
		r.permissionReason, r.hasPermReason = r.text(key, v), true
	case key == "updatedInput" && asks(name):
		r.input(key, v)
	case key == "decision" && name == hook.PermissionRequest:
		r.dialog(v)
	case key == "updatedToolOutput" && (name == hook.PostToolUse || native(name)):
		r.d.Output = []byte(v.Raw())
	case key == "updatedMCPToolOutput" && name == hook.PostToolUse && r.ofMCP() && r.d.Output == nil:
		r.d.Output = []byte(v.Raw())
	default:
		return false
	}
	return true
}

// asks reports whether permissionDecision and updatedInput are words of the event.
func asks(name hook.Name) bool { return name == hook.PreToolUse || native(name) }

// native reports whether an event has no common name. Its agent decides which words count.
func native(name hook.Name) bool {
	switch name {
	case hook.SessionStart, hook.SessionEnd, hook.UserPromptSubmit, hook.PreToolUse, hook.PostToolUse,
		hook.PostToolUseFailure, hook.PermissionRequest, hook.Stop, hook.SubagentStart, hook.SubagentStop,
		hook.PreCompact, hook.PostCompact, hook.Notification:
		return false
	}
	return true
}

func (r *reply) ofMCP() bool { return r.ev.Tool != nil && r.ev.Tool.Kind == hook.KindMCP }

func (r *reply) permit(key string, v wire.Value) {
	switch v.Str() {
	case "allow":
		r.permission = hook.Allow
	case "ask":
		r.permission = hook.Ask
	case "defer":
		r.permission = hook.Defer
	case "deny":
		r.permission = hook.Deny
	default:
		r.refuse(key, v, `"allow", "deny", "ask" or "defer"`)
	}
}

func (r *reply) input(key string, v wire.Value) {
	if v.Kind() != wire.Object {
		r.refuse(key, v, "an object")
		return
	}
	r.d.Input = []byte(v.Raw())
}

// dialog reads PermissionRequest's decision object.
func (r *reply) dialog(v wire.Value) {
	if v.Kind() != wire.Object {
		r.refuse("hookSpecificOutput.decision", v, `an object: {"behavior": "allow"} or {"behavior": "deny"}`)
		return
	}
	switch v.Get("behavior").Str() {
	case "allow":
		r.d.Verdict = hook.Allow
	case "deny":
		r.d.Verdict = hook.Deny
		r.d.Reason = noGrant
	default:
		r.refuse("decision.behavior", v.Get("behavior"), `"allow" or "deny"`)
	}
	if b := v.Get("interrupt"); b.Kind() != wire.Absent && b.Kind() != wire.Bool {
		r.refuse("decision.interrupt", b, "true or false")
	}
	for key, value := range v.Members() {
		switch {
		case key == "behavior":
		case key == "message" && r.d.Verdict == hook.Deny:
			if text := r.text("decision.message", value); text != "" {
				r.d.Reason = text
			}
		case key == "updatedInput" && r.d.Verdict == hook.Allow:
			r.input("decision.updatedInput", value)
		default:
			r.d.RestSpecific = append(r.d.RestSpecific, member("decision."+key, value))
		}
	}
}

// settle joins the words that have several keys.
func (r *reply) settle() {
	r.settlePermission()
	r.settleDecision()
	r.settleEnd()
}

func (r *reply) settlePermission() {
	if r.permission != hook.NoOpinion {
		r.d.Verdict, r.d.Reason = r.permission, r.permissionReason
		if r.permission == hook.Deny && r.d.Reason == "" {
			r.d.Reason = noReason
		}
		return
	}
	if r.hasPermReason {
		r.d.RestSpecific = append(r.d.RestSpecific, stringMember("permissionDecisionReason", r.permissionReason))
	}
}

// settleDecision applies the top-level decision. A deny beside an allow stands. PermissionRequest
// and the events that only observe do not know it.
func (r *reply) settleDecision() {
	class, name := r.ev.Name.Class(), r.ev.Name
	if r.decision == "" || class == hook.Observe || name == hook.PermissionRequest {
		r.keepDecision()
		return
	}
	if r.decision == "approve" {
		if asks(name) && r.permission == hook.NoOpinion {
			r.d.Verdict, r.d.Reason = hook.Allow, r.reason
		}
		return
	}
	why := r.reason
	if why == "" {
		why = noReason
	}
	switch {
	case class == hook.After:
		r.d.Feedback = []hook.Text{{Body: why}}
	case class == hook.Finish:
		r.d.Continue, r.d.Reason = true, why
	case r.d.Verdict != hook.Deny:
		r.d.Verdict, r.d.Reason = hook.Deny, why
	}
}

func (r *reply) keepDecision() {
	if r.decision != "" {
		r.d.Rest = append(r.d.Rest, stringMember("decision", r.decision))
	}
	if r.hasReason {
		r.d.Rest = append(r.d.Rest, stringMember("reason", r.reason))
	}
}

// settleEnd applies continue:false. Claude ignores it where there is no turn to end.
func (r *reply) settleEnd() {
	switch {
	case r.stop && r.endsTurns():
		text := r.stopReason
		r.d.End = &text
	case r.stop:
		r.d.Rest = append(r.d.Rest, hook.Member{Key: "continue", Value: []byte("false")})
		fallthrough
	default:
		if r.stopReason != "" {
			r.d.Rest = append(r.d.Rest, stringMember("stopReason", r.stopReason))
		}
	}
}

func (r *reply) endsTurns() bool {
	switch r.ev.Name {
	case hook.PermissionRequest, hook.PreCompact:
		return false
	}
	return r.ev.Name.Class() != hook.Observe
}

// text reads a string. The schema knows no null.
func (r *reply) text(key string, v wire.Value) string {
	s, ok := v.StrOK()
	if !ok {
		r.refuse(key, v, "a string")
	}
	return s
}

// refuse notes a value that Claude's schema does not accept.
func (r *reply) refuse(key string, v wire.Value, want string) {
	got := v.Kind().String()
	if raw := string(v.Raw()); raw != "" && len(raw) <= 40 && v.Kind() != wire.Object && v.Kind() != wire.Array {
		got = raw
	}
	r.fault("%s is %s; it must be %s", key, got, want)
}

func (r *reply) fault(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("the answer is not valid: "+format, args...)
	}
}

func (r *reply) rest(key string, v wire.Value) { r.d.Rest = append(r.d.Rest, member(key, v)) }

func member(key string, v wire.Value) hook.Member {
	return hook.Member{Key: key, Value: []byte(v.Raw())}
}

func stringMember(key, s string) hook.Member {
	return hook.Member{Key: key, Value: wire.AppendString(nil, s)}
}
