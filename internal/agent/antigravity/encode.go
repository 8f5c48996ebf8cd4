package antigravity

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// encode prints an answer on stdout with exit code 0. An event that nobody could name gets nothing:
// were it a tool's, an object without a decision would refuse it.
func encode(r *agent.Row, s agent.Say) agent.Reply {
	var o wire.ObjectWriter
	switch r.Native {
	case "PreToolUse":
		decision(&o, &s)
		if o.Empty() {
			return agent.Reply{}
		}
	case "Stop":
		if s.Continue {
			o.Str("decision", "continue")
			o.Str("reason", s.ContinueReason)
		}
	case "PreInvocation":
		if s.Context != "" {
			var step wire.ObjectWriter
			step.Str("ephemeralMessage", s.Context)
			o.Raw("injectSteps", append(append([]byte{'['}, step.Bytes()...), ']'))
		}
	case "PostToolUse", "PostInvocation", "SessionStart":
	default:
		return agent.Reply{}
	}
	return agent.Reply{Stdout: o.Bytes()}
}

func decision(o *wire.ObjectWriter, s *agent.Say) {
	switch s.Verdict {
	case hook.Deny:
		o.Str("decision", "deny")
		o.StrIf("reason", s.Reason)
	case hook.Ask:
		o.Str("decision", "force_ask")
		o.StrIf("reason", s.Reason)
	}
}
