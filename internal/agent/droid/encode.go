package droid

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// encode prints an answer: a no as exit code 2 with the reason on stderr, everything else as one JSON
// object on stdout with exit code 0. Plain text is never printed: it is context on some events.
func encode(r *agent.Row, s agent.Say) agent.Reply {
	if s.Verdict == hook.Deny && s.End == nil {
		// Context counts with exit code 0 only, and a refused prompt or call has no use for it.
		return agent.Reply{Stderr: []byte(s.Reason), Exit: 2}
	}
	var o wire.ObjectWriter
	switch {
	case s.End != nil:
		o.Bool("continue", false)
		o.StrIf("stopReason", lastWords(r, &s))
	case s.Continue:
		o.Str("decision", "block")
		o.Str("reason", s.ContinueReason)
	}
	if s.End == nil || r.Native == "Stop" {
		o.StrIf("systemMessage", s.Notice)
	}
	o.Raw("hookSpecificOutput", specific(r, &s))
	if o.Empty() {
		return agent.Reply{}
	}
	return agent.Reply{Stdout: o.Bytes()}
}

// lastWords is why the run ends. Around a tool Droid shows nothing else of an answer that ends it, so a
// notice stands in it.
func lastWords(r *agent.Row, s *agent.Say) string {
	text := *s.End
	if text == "" {
		text = s.Reason
	}
	switch {
	case s.Notice == "" || r.Native == "Stop":
		return text
	case text == "":
		return s.Notice
	}
	return text + "\n" + s.Notice
}

// specific is the member that belongs to the event, nil where there is nothing for it.
func specific(r *agent.Row, s *agent.Say) []byte {
	var o wire.ObjectWriter
	o.Str("hookEventName", r.Native)
	empty := true
	if s.Verdict == hook.Allow {
		o.Str("permissionDecision", "allow")
		o.StrIf("permissionDecisionReason", s.Reason)
		empty = false
	}
	if s.Input != nil {
		o.Raw("updatedInput", changed(s))
		empty = false
	}
	if s.Context != "" {
		o.Str("additionalContext", s.Context)
		empty = false
	}
	if empty {
		return nil
	}
	return o.Bytes()
}

// changed is the changed keys of the input, which Droid merges into its own. Unchanged ones could undo
// what a hook before ours has changed.
func changed(s *agent.Say) []byte {
	if len(s.Changes) == 0 {
		return s.Input
	}
	var o wire.ObjectWriter
	for _, c := range s.Changes {
		o.Raw(c.Path, c.Value)
	}
	return o.Bytes()
}
