package pi

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// encode prints the operations of an answer, one JSON object, exit code 0:
//
//	{"op":"block","reason":…}            do not do it; the model (of a prompt: the user) reads why
//	{"op":"ask","reason":…}              ask the person, and block at a no
//	{"op":"set","path":[…],"value":…}    change one value of the event
//	{"op":"output","text":…}             another result of the tool
//	{"op":"context","text":…}            text for the model
//	{"op":"prompt","text":…}             keep working: the next message
//	{"op":"end","text":…}                end the turn; text for the user
//	{"op":"notice","text":…}             text for the user
//
// An allow is nothing: Pi has no question of its own that it could spare.
func encode(r *agent.Row, s agent.Say) agent.Reply {
	var ops operations
	switch s.Verdict {
	case hook.Deny:
		ops.add("block", "reason", s.Reason)
	case hook.Ask:
		ops.add("ask", "reason", s.Reason)
	}
	for _, c := range s.Changes {
		ops.set(c)
	}
	if s.Output != nil {
		ops.add("output", "text", outputText(s.Output))
	}
	for _, text := range [...]string{s.Feedback, s.Context} {
		if text != "" {
			ops.add("context", "text", text)
		}
	}
	if s.Continue {
		ops.add("prompt", "text", s.ContinueReason)
	}
	if s.End != nil {
		ops.end(r, *s.End)
	}
	if s.Notice != "" {
		ops.add("notice", "text", s.Notice)
	}
	return ops.reply()
}

// operations is the list being written.
type operations struct{ list []byte }

func (o *operations) raw(op []byte) {
	if len(o.list) > 0 {
		o.list = append(o.list, ',')
	}
	o.list = append(o.list, op...)
}

// add appends an operation with one text.
func (o *operations) add(op, key, text string) {
	var w wire.ObjectWriter
	w.Str("op", op)
	w.Str(key, text)
	o.raw(w.Bytes())
}

// set changes one argument of a tool call. A change names one key: the lens is shallow.
func (o *operations) set(c agent.Change) {
	var w wire.ObjectWriter
	w.Str("op", "set")
	w.Strs("path", []string{"input", c.Path})
	w.Raw("value", c.Value)
	o.raw(w.Bytes())
}

// end ends the turn. Where it is about to end anyway there is nothing to abort.
func (o *operations) end(r *agent.Row, text string) {
	if !r.Cells[agent.Continue].Can {
		o.add("end", "text", text)
	} else if text != "" {
		o.add("notice", "text", text)
	}
}

func (o *operations) reply() agent.Reply {
	if len(o.list) == 0 {
		return agent.Reply{}
	}
	var w wire.ObjectWriter
	w.Raw("ops", append(append([]byte{'['}, o.list...), ']'))
	return agent.Reply{Stdout: w.Bytes()}
}

// outputText is the new result as text: a string as it is, Claude's shape of a shell's result as the
// output that it holds, anything else as JSON.
func outputText(raw []byte) string {
	v, err := wire.Parse(raw)
	if err != nil {
		return string(raw)
	}
	if s, ok := v.StrOK(); ok {
		return s
	}
	for _, key := range [...]string{"stdout", "output"} {
		if s, ok := v.Get(key).StrOK(); ok {
			if stderr := v.Get("stderr").Str(); stderr != "" {
				return s + "\n" + stderr
			}
			return s
		}
	}
	return string(raw)
}
