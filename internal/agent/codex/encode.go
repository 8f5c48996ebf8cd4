package codex

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// encode prints an answer: one JSON object on stdout with exit code 0, or nothing. Plain text is
// never printed: it fails on Stop, and is taken for context on others.
func encode(r *agent.Row, s agent.Say) agent.Reply {
	var o wire.ObjectWriter
	if s.End != nil {
		o.Bool("continue", false)
		o.StrIf("stopReason", *s.End)
	}
	if reason, no := block(r, &s); no {
		o.Str("decision", "block")
		o.Str("reason", reason)
	}
	o.StrIf("systemMessage", s.Notice)
	o.Raw("hookSpecificOutput", specific(r, &s))
	if o.Empty() {
		return agent.Reply{}
	}
	return agent.Reply{Stdout: o.Bytes()}
}

// block is the text of decision:"block", which is Codex' word for three of ours: a no to a prompt,
// another result, keep working.
func block(r *agent.Row, s *agent.Say) (string, bool) {
	switch {
	case s.Continue:
		return s.ContinueReason, true
	case s.Output != nil:
		return outputText(s.Output), true
	case s.Verdict == hook.Deny && r.Native == "UserPromptSubmit":
		return s.Reason, true
	}
	return "", false
}

// outputText is the new result as text: a string as it is, Claude's shape of a shell's result and
// MCP's content as the text that they hold, anything else as JSON. It is never blank, since a block
// without a reason fails.
func outputText(raw []byte) string {
	v, err := wire.Parse(raw)
	if err != nil {
		return string(raw)
	}
	text, ok := v.StrOK()
	if !ok {
		text, ok = shellText(v)
	}
	if !ok {
		text, ok = contentText(v)
	}
	switch {
	case !ok:
		return string(v.Raw())
	case strings.TrimSpace(text) == "":
		return "(no output)"
	}
	return text
}

func shellText(v wire.Value) (string, bool) {
	stdout, ok := v.Get("stdout").StrOK()
	if stderr := v.Get("stderr").Str(); stderr != "" {
		return strings.TrimPrefix(stdout+"\n"+stderr, "\n"), true
	}
	return stdout, ok
}

// contentText joins MCP's content blocks where all of them are text.
func contentText(v wire.Value) (string, bool) {
	if v.Kind() == wire.Object {
		v = v.Get("content")
	}
	var parts []string
	for e := range v.Elems() {
		text, ok := e.Get("text").StrOK()
		if !ok {
			return "", false
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n"), len(parts) > 0
}

// specific is hookSpecificOutput, nil where there is nothing for it: on an event that has none in
// Codex' schema it would void the answer.
func specific(r *agent.Row, s *agent.Say) []byte {
	var o wire.ObjectWriter
	switch r.Native {
	case "PreToolUse":
		permission(&o, s)
	case "PermissionRequest":
		o.Raw("decision", dialog(s))
	}
	o.StrIf("additionalContext", s.Context)
	if o.Empty() {
		return nil
	}
	var named wire.ObjectWriter
	named.Str("hookEventName", r.Native)
	return joined(named.Bytes(), o.Bytes())
}

// permission prints a deny or a rewrite. Codex takes updatedInput only beside allow, and asks for
// the new input all the same.
func permission(o *wire.ObjectWriter, s *agent.Say) {
	switch {
	case s.Verdict == hook.Deny:
		o.Str("permissionDecision", "deny")
		o.Str("permissionDecisionReason", s.Reason)
	case s.Input != nil:
		o.Str("permissionDecision", "allow")
		o.Raw("updatedInput", s.Input)
	}
}

// dialog is the decision object of PermissionRequest, nil for no opinion.
func dialog(s *agent.Say) []byte {
	var o wire.ObjectWriter
	switch s.Verdict {
	case hook.Allow:
		o.Str("behavior", "allow")
	case hook.Deny:
		o.Str("behavior", "deny")
		o.Str("message", s.Reason)
	default:
		return nil
	}
	return o.Bytes()
}

// joined joins two objects written by us.
func joined(a, b []byte) []byte {
	out := append([]byte(nil), a[:len(a)-1]...)
	return append(append(out, ','), b[1:]...)
}

// rewrite puts a changed input back. Of the shell's and a patch's input Codex takes command alone,
// and refuses the call without it; other keys, which Claude's shell has and this one has not
// (timeout, run_in_background, description), are left out. All other tools get the whole input.
func rewrite(a *agent.Agent, t *hook.Tool, after wire.Value) ([]byte, []agent.Change, error) {
	native, err := wire.Parse(t.Native)
	if err != nil {
		return nil, nil, agent.ErrRewrite
	}
	before, err := wire.Parse([]byte(t.Input))
	if err != nil {
		return nil, nil, agent.ErrRewrite
	}
	row := known(a, t.NativeName)
	if t.Kind != hook.KindShell && !t.Patch {
		return agent.Lens(row, native, before, after)
	}
	if after.Kind() != wire.Object {
		return nil, nil, agent.ErrRewrite
	}
	var only wire.ObjectWriter
	only.Raw("command", after.Get("command").Raw())
	return agent.Lens(row, native, before, only.Value())
}
