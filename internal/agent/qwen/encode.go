package qwen

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// encode prints an answer: one JSON object on stdout, exit code 0. Plain text is never printed: it
// would be context on some events and a message on others.
func encode(r *agent.Row, s agent.Say) agent.Reply {
	if s.Silent() {
		return agent.Reply{}
	}
	var o wire.ObjectWriter
	top(&o, r, &s)
	o.StrIf("systemMessage", message(r, &s))
	o.Raw("hookSpecificOutput", specific(r, &s))
	if o.Empty() {
		return agent.Reply{}
	}
	return agent.Reply{Stdout: o.Bytes()}
}

// top writes the words that stand outside hookSpecificOutput.
func top(o *wire.ObjectWriter, r *agent.Row, s *agent.Say) {
	switch {
	case s.Continue:
		block(o, s.ContinueReason)
	case s.Output != nil:
		halt(o, result(s))
	case s.End != nil && r.Name.Class() != hook.Finish:
		halt(o, *s.End)
	case s.Verdict == hook.Deny && r.Name == hook.PreToolUse:
		// Qwen lets the permissionDecision of the last hook win, an allow over a deny and over an
		// exit 2. It looks for continue:false after that, and nobody can take this word back.
		halt(o, s.Reason)
	case s.Verdict == hook.Deny && r.Name != hook.PermissionRequest:
		block(o, s.Reason)
	}
}

func block(o *wire.ObjectWriter, reason string) {
	o.Str("decision", "block")
	o.Str("reason", reason)
}

func halt(o *wire.ObjectWriter, reason string) {
	o.Bool("continue", false)
	o.StrIf("stopReason", reason)
}

// message is the text for the user. Where the agent is about to stop, ending the turn takes no word,
// so the text is all of it.
func message(r *agent.Row, s *agent.Say) string {
	switch {
	case s.End == nil || r.Name.Class() != hook.Finish || *s.End == "":
		return s.Notice
	case s.Notice == "":
		return *s.End
	}
	return *s.End + "\n" + s.Notice
}

// specific is the member that belongs to the event, nil where there is nothing for it.
func specific(r *agent.Row, s *agent.Say) []byte {
	var o wire.ObjectWriter
	o.Str("hookEventName", r.Native)
	empty := true
	if word := s.Verdict.String(); s.Verdict != hook.NoOpinion {
		switch {
		case r.Name == hook.PreToolUse:
			o.Str("permissionDecision", word)
			o.StrIf("permissionDecisionReason", s.Reason)
			empty = false
		case r.Name == hook.PermissionRequest && s.Verdict != hook.Ask:
			o.Raw("decision", behavior(s))
			empty = false
		}
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

func behavior(s *agent.Say) []byte {
	var o wire.ObjectWriter
	o.Str("behavior", s.Verdict.String())
	if s.Verdict == hook.Deny {
		o.StrIf("message", s.Reason)
	}
	return o.Bytes()
}

// result is the text in place of a tool's result. Qwen drops additionalContext then, so context
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
