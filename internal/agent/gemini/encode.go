package gemini

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// encode prints an answer: one JSON object on stdout, exit code 0. Plain text is never printed:
// Gemini decides about it by the exit code and shows it to the user.
func encode(r *agent.Row, s agent.Say) agent.Reply {
	if s.Silent() {
		return agent.Reply{}
	}
	var o wire.ObjectWriter
	if reason, no := refusal(&s); no {
		o.Str("decision", "deny")
		o.Str("reason", reason)
	}
	if s.End != nil {
		o.Bool("continue", false)
		o.StrIf("stopReason", *s.End)
	}
	o.StrIf("systemMessage", message(r, &s))
	o.Raw("hookSpecificOutput", specific(r, &s))
	return agent.Reply{Stdout: o.Bytes()}
}

// refusal is the text of a deny, which is Gemini's word for three of ours: do not do it (before),
// here is another result (after), keep working (at the end).
func refusal(s *agent.Say) (string, bool) {
	switch {
	case s.Verdict == hook.Deny:
		return s.Reason, true
	case s.Continue:
		return s.ContinueReason, true
	case s.Output != nil:
		return result(s), true
	}
	return "", false
}

// result is the text in place of a tool's result. Gemini drops additionalContext then, so context
// stands in it.
func result(s *agent.Say) string {
	text := outputText(s.Output)
	if s.Context == "" {
		return text
	}
	return text + "\n\n" + s.Context
}

// outputText is the new result as text: a string as it is, Claude's shape of a shell's result as
// the output that it holds, anything else as JSON.
func outputText(raw []byte) string {
	v, err := wire.Parse(raw)
	if err != nil {
		return string(raw)
	}
	if s, ok := v.StrOK(); ok {
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

// message is the text for the user. On BeforeAgent the terminal shows it in place of a deny's
// reason, which the user must see.
func message(r *agent.Row, s *agent.Say) string {
	if s.Notice != "" && s.Verdict == hook.Deny && r.Native == "BeforeAgent" {
		return s.Reason + "\n" + s.Notice
	}
	return s.Notice
}

// specific is the member that belongs to the event, nil where there is nothing for it.
func specific(r *agent.Row, s *agent.Say) []byte {
	var o wire.ObjectWriter
	o.Str("hookEventName", r.Native)
	empty := true
	if s.Input != nil {
		o.Raw("tool_input", s.Input)
		empty = false
	}
	if s.Context != "" && s.Output == nil {
		o.Str("additionalContext", s.Context)
		empty = false
	}
	if empty {
		return nil
	}
	return o.Bytes()
}
