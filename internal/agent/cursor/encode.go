package cursor

import (
	"fmt"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// encode prints an answer: one JSON object on stdout, exit code 0. Where something can be refused,
// no opinion is an object too. An event that stands in no table, or that nobody could name, gets one
// that every event takes.
func encode(a *agent.Agent, r *agent.Row, s agent.Say) agent.Reply {
	var o wire.ObjectWriter
	switch {
	case a.Row(r.Native) == nil:
		o.Str("permission", "allow")
		o.Bool("continue", true)
	case permits(r.Native):
		permission(&o, &s)
	case r.Native == beforeSubmitPrompt:
		o.Bool("continue", s.Verdict != hook.Deny)
		if s.Verdict == hook.Deny {
			o.Str("user_message", s.Reason)
		}
	case s.Continue:
		o.Str("followup_message", s.ContinueReason)
	}
	o.Raw("updated_input", s.Input)
	o.Raw("updated_mcp_tool_output", s.Output)
	o.StrIf("additional_context", fit(s.Context))
	o.StrIf("user_message", s.Notice)
	if o.Empty() {
		return agent.Reply{}
	}
	return agent.Reply{Stdout: o.Bytes()}
}

const beforeSubmitPrompt = "beforeSubmitPrompt"

// permits reports whether an event is answered with a permission.
func permits(native string) bool {
	switch native {
	case "preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "beforeTabFileRead", "subagentStart":
		return true
	}
	return false
}

// permission prints the verdict. The model gets user_message (sdk-1.0.32), by the documents
// agent_message, so a reason stands in both.
func permission(o *wire.ObjectWriter, s *agent.Say) {
	word := "allow"
	switch s.Verdict {
	case hook.Deny:
		word = "deny"
	case hook.Ask:
		word = "ask"
	}
	o.Str("permission", word)
	if word != "allow" {
		o.StrIf("user_message", s.Reason)
		o.StrIf("agent_message", s.Reason)
	}
}

// contextLimit is where Cursor drops additional_context as a whole. It counts as JavaScript does,
// where a character beyond the basic plane is two.
const contextLimit = 10000

// fit cuts a text that was cut by characters already, where Cursor counts more of them.
func fit(text string) string {
	chars, double := 0, 0
	for _, r := range text {
		chars++
		if r > 0xffff {
			double++
		}
	}
	if chars+double <= contextLimit {
		return text
	}
	return agent.Shorten(text, max(contextLimit-double, contextLimit/2))
}

// rewrite puts a changed input back. A key that Cursor ignores is refused: the original would run.
func rewrite(a *agent.Agent, t *hook.Tool, after wire.Value) ([]byte, []agent.Change, error) {
	native, err := wire.Parse(t.Native)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: the input is no object", agent.ErrRewrite)
	}
	before, err := wire.Parse([]byte(t.Input))
	if err != nil {
		return nil, nil, fmt.Errorf("%w: the input is no object", agent.ErrRewrite)
	}
	raw, changes, err := agent.Lens(known(a, t.NativeName), native, before, after)
	if err != nil || t.Kind == hook.KindMCP {
		return raw, changes, err
	}
	for _, c := range changes {
		if !honoured(t.NativeName, c.Path) {
			return nil, nil, fmt.Errorf("%w: Cursor ignores a changed %q of %s. Call %s with this input instead: %s",
				agent.ErrRewrite, c.Path, t.NativeName, t.NativeName, raw)
		}
	}
	return raw, changes, nil
}
