package run

import (
	"fmt"
	"os"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/manifest"
	"github.com/hookspan/hookspan/internal/wire"
)

// unreadable answers a call whose input selects no handler. What counts is the strictest on_failure
// among the handlers of the event: with a guard there it is refused, else it goes on.
func (c *call) unreadable(v wire.Value, err error) {
	if err == nil {
		err = fmt.Errorf("the input is %s, not an object", v.Kind())
	}
	c.rep.Err = err
	if c.rep.Who.Agent == nil {
		c.rep.Who = all.Detect(c.rep.Request.Agent, v, c.env)
		c.rep.Who.Known = c.rep.Who.Registered // no mark has told, and variables may be anybody's
	}
	c.event(v)
	c.rep.Sources = c.sources(c.placed(c.rep.Event, v))
	if !c.refused(err) {
		c.lower(c.rep.Decision)
	}
}

// placed gives an event that could not be read a folder, so that its project's guards are found: what the
// beginning of the input tells, the variables that agents set, our own folder. All of that may be wrong,
// which does no harm: what is found can only refuse.
func (c *call) placed(ev hook.Event, v wire.Value) hook.Event {
	if ev.Cwd == "" {
		ev.Cwd = v.Get("cwd").Str()
	}
	for _, key := range []string{"cwd", "directory", "worktree"} {
		if ev.Cwd == "" {
			ev.Cwd = salvage(c.rep.Notes.Head, key)
		}
	}
	for _, name := range []string{"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "COPILOT_PROJECT_DIR", "FACTORY_PROJECT_DIR", "CURSOR_PROJECT_DIR"} {
		if ev.Project == "" {
			ev.Project = c.env(name)
		}
	}
	if ev.Project == "" {
		ev.Project, _ = os.Getwd()
	}
	return ev
}

// refused refuses an input that cannot be trusted to be what was sent, if a handler of its event wants
// that; false = nobody does.
func (c *call) refused(err error) bool {
	h := c.strictest()
	if h == nil {
		return false
	}
	c.rep.Err = err
	c.rep.Decision = refusal(c.rep.Event.Name, fmt.Sprintf("hookspan could not read what %s sent (%v), and %s must not be passed unseen",
		c.rep.Who.Agent.Title, err, h.Name))
	c.lower(c.rep.Decision)
	return true
}

// event finds out which event it was, from the command line or from what did arrive.
func (c *call) event(v wire.Value) {
	if c.rep.Event.Name != "" {
		return
	}
	native := c.rep.Request.Native
	if native == "" {
		native = v.Get("hook_event_name").Str()
	}
	if native == "" {
		native = salvage(c.rep.Notes.Head, "hook_event_name")
	}
	ev := hook.Event{Name: hook.Name(native)}
	ev.From.Name, ev.From.Native = c.rep.Who.Agent.Name, native
	c.rep.Row = c.rep.Who.Agent.Row(native)
	if r := c.rep.Row; r != nil && r.Name != "" {
		ev.Name = r.Name
	}
	c.rep.Event, c.rep.Native = ev, native
}

// salvage finds a string member in a text that is not JSON as a whole. It decides only in which
// words a failure is answered.
func salvage(raw string, key string) string {
	_, rest, ok := strings.Cut(raw, `"`+key+`"`)
	if !ok {
		return ""
	}
	rest = strings.TrimLeft(rest, " \t\r\n:")
	if len(rest) == 0 || rest[0] != '"' {
		return ""
	}
	if i := strings.IndexByte(rest[1:], '"'); i > 0 && i < 1024 {
		return rest[1 : 1+i]
	}
	return ""
}

// strictest returns a handler of the event that wants failures to block, nil if there is none.
func (c *call) strictest() *manifest.Handler {
	for _, s := range c.rep.Sources {
		for gi := range s.Plan.Groups {
			g := &s.Plan.Groups[gi]
			if g.Event != c.rep.Event.Name {
				continue
			}
			for hi := range g.Handlers {
				if h := &g.Handlers[hi]; c.strict(h, s.Trusted) {
					return h
				}
			}
		}
	}
	return nil
}

// strict reports whether a handler wants a call refused that it cannot be shown. Where nobody knows who
// called, it may be any agent that the handler is meant for. An async handler blocks nothing.
func (c *call) strict(h *manifest.Handler, trusted bool) bool {
	return h.OnFailure == manifest.Block && h.Mode != manifest.Warn && !h.Async && (trusted || h.Type == manifest.Guard) &&
		(!c.rep.Who.Known || h.For(c.rep.Event.From.Name))
}

// refusal is a no in the meaning of the event.
func refusal(name hook.Name, text string) hook.Decision {
	switch name.Class() {
	case hook.Gate:
		return hook.Decision{Verdict: hook.Deny, Reason: text}
	case hook.After:
		return hook.Decision{Feedback: []hook.Text{{Body: text}}}
	}
	// Sending an agent back over an input that cannot be read would never end.
	return hook.Decision{Notice: []string{text}}
}
