package engine

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/wire"
)

// merger folds outcomes into one decision: end-the-turn beats deny beats ask beats allow beats no
// opinion; contexts are joined in order.
type merger struct {
	d        hook.Decision
	by       string // who said the verdict
	rewriter string
	reasons  []string // of those who want more work
}

func (m *merger) add(o Outcome, now hook.Event) {
	d := o.Decision
	if d.Input != nil {
		m.rewriter, m.d.Input = o.Handler, now.Tool.Input
	}
	if d.Verdict > m.d.Verdict {
		m.d.Verdict, m.d.Reason, m.d.ByExit, m.by = d.Verdict, d.Reason, d.ByExit, o.Handler
	}
	if d.Continue {
		m.d.ByExit = d.ByExit && (m.d.ByExit || !m.d.Continue)
		m.d.Continue = true
		m.reasons = append(m.reasons, d.Reason)
	}
	if d.End != nil && m.d.End == nil {
		m.d.End = d.End
	}
	if d.Output != nil && m.d.Output == nil {
		m.d.Output = d.Output
	}
	m.d.Context = append(m.d.Context, named(d.Context, o.Handler)...)
	m.d.Feedback = append(m.d.Feedback, named(d.Feedback, o.Handler)...)
	m.d.Notice = append(m.d.Notice, d.Notice...)
	m.d.Rest = addMembers(m.d.Rest, d.Rest)
	m.d.RestSpecific = addMembers(m.d.RestSpecific, d.RestSpecific)
}

// decision returns the whole. An Allow was given for the input that its handler saw, so it is void
// when another one changed it.
func (m *merger) decision() hook.Decision {
	d := m.d
	if d.Verdict == hook.Allow && m.rewriter != "" && m.rewriter != m.by {
		d.Verdict, d.Reason = hook.NoOpinion, ""
	}
	if d.Continue {
		d.Reason = strings.Join(m.reasons, "\n\n")
	}
	return d
}

func named(texts []hook.Text, from string) []hook.Text {
	for i := range texts {
		if texts[i].From == "" {
			texts[i].From = from
		}
	}
	return texts
}

func addMembers(to, more []hook.Member) []hook.Member {
next:
	for _, m := range more {
		for _, have := range to {
			if have.Key == m.Key {
				continue next
			}
		}
		to = append(to, m)
	}
	return to
}

func same(a, b []byte) bool {
	x, err1 := wire.Parse(a)
	y, err2 := wire.Parse(b)
	return err1 == nil && err2 == nil && wire.Equal(x, y)
}

// withInput returns the event as it would have arrived with another tool input.
func withInput(ev hook.Event, input []byte) hook.Event {
	t := *ev.Tool
	t.Input = input
	in, err := wire.Parse(input)
	if err != nil {
		return ev
	}
	if t.Kind == hook.KindShell {
		t.Command = in.Get("command").Str()
	}
	if t.Patch {
		t.Files = nil
	}
	t.Files = refreshed(t, in, ev)
	ev.Tool = &t
	return ev
}
