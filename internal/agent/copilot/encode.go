package copilot

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// encode prints an answer: one JSON object on stdout or nothing, its members at the top level, where
// Copilot looks under both spellings of an event (hookSpecificOutput counts under one of them only).
// Exit code 2 carries a text for the user on events where it decides nothing.
func encode(r *agent.Row, s agent.Say) agent.Reply {
	var o wire.ObjectWriter
	verdict(&o, r, &s)
	o.Raw("modifiedArgs", s.Input)
	if s.Output != nil {
		o.Raw("modifiedResult", result(s.Output))
	}
	o.StrIf("additionalContext", s.Context)
	var reply agent.Reply
	if !o.Empty() {
		reply.Stdout = o.Bytes()
	}
	if text := message(r, &s); text != "" {
		reply.Stderr, reply.Exit = append([]byte(text), '\n'), 2
	}
	return reply
}

// verdict prints what decides, in the words of the event.
func verdict(o *wire.ObjectWriter, r *agent.Row, s *agent.Say) {
	switch {
	case r.Native == "permissionRequest":
		behavior(o, s)
	case s.Continue:
		block(o, s.ContinueReason)
	case r.Native == "preToolUse" && s.Verdict != hook.NoOpinion:
		o.Str("permissionDecision", s.Verdict.String())
		o.StrIf("permissionDecisionReason", s.Reason)
	case s.Verdict == hook.Deny:
		block(o, s.Reason)
	}
}

func block(o *wire.ObjectWriter, reason string) {
	o.Str("decision", "block")
	o.Str("reason", reason)
}

// behavior prints the decision about a permission question. Ending the turn is a denial that
// interrupts.
func behavior(o *wire.ObjectWriter, s *agent.Say) {
	switch {
	case s.End != nil:
		reason := *s.End
		if reason == "" {
			reason = s.Reason
		}
		o.Str("behavior", "deny")
		o.StrIf("message", reason)
		o.Bool("interrupt", true)
	case s.Verdict == hook.Deny:
		o.Str("behavior", "deny")
		o.StrIf("message", s.Reason)
	case s.Verdict == hook.Allow:
		o.Str("behavior", "allow")
	}
}

// message is the text for the user. Where the agent is about to stop, ending the turn takes no word,
// so its text is all of it.
func message(r *agent.Row, s *agent.Say) string {
	switch {
	case s.End == nil || *s.End == "" || r.Name.Class() != hook.Finish:
		return s.Notice
	case s.Notice == "":
		return *s.End
	}
	return *s.End + "\n" + s.Notice
}

// result is the object that takes a tool's result's place.
func result(raw []byte) []byte {
	var o wire.ObjectWriter
	o.Str("resultType", "success")
	o.Str("textResultForLlm", outputText(raw))
	return o.Bytes()
}

// outputText is the new result as text: a string as it is, Claude's shape of a shell's result and
// Copilot's own as the text that they hold, anything else as JSON.
func outputText(raw []byte) string {
	v, err := wire.Parse(raw)
	if err != nil {
		return string(raw)
	}
	if s, ok := v.StrOK(); ok {
		return s
	}
	if s, ok := either(v, "textResultForLlm", "text_result_for_llm").StrOK(); ok {
		return s
	}
	stdout, ok := v.Get("stdout").StrOK()
	if !ok {
		return string(raw)
	}
	if stderr := v.Get("stderr").Str(); stderr != "" {
		return stdout + "\n" + stderr
	}
	return stdout
}
