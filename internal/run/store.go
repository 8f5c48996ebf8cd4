package run

import (
	"strings"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/engine"
	"github.com/hookspan/hookspan/internal/manifest"
	"github.com/hookspan/hookspan/internal/state"
	"github.com/hookspan/hookspan/internal/trust"
)

// planVersion is part of the key of compiled manifests: plans of another compiler are not read.
const planVersion = "1"

// store is what a run remembers. A dry one reads and forgets.
type store struct {
	*state.Store
	dry bool
}

func openStore(env func(string) string, dry bool) *store {
	dir, _ := state.Dir(env) // no folder: nothing is remembered, which changes no answer
	return &store{Store: state.Open(dir), dry: dry}
}

func (s *store) lastGood(path string) []byte {
	b, _ := s.Good(path)
	return b
}

// cachedPlan is kept by the manifest's bytes and place: the same bytes at another place are a manifest
// of their own, whose last good version must be known too.
func (s *store) cachedPlan(hash, path string) []byte {
	b, _ := s.Plan(planKey(hash, path))
	return b
}

func planKey(hash, path string) string { return planVersion + "-" + hash + "-" + path }

// keepPlan remembers a manifest that was compiled just now, also as the last good one of its path.
func (s *store) keepPlan(hash, path string, content []byte, p *manifest.Plan) {
	if s.dry {
		return
	}
	_ = s.PutPlan(planKey(hash, path), p.Encode())
	_ = s.PutGood(path, content)
}

func (s *store) trusts(path string, content []byte) bool {
	return trust.Open(s.Store).Trusted(path, content)
}

// session returns the engine's view of the agent's session, nil in a dry run or where the agent
// names none.
func (s *store) session(ev hook.Event) engine.Session {
	if s.dry {
		return nil
	}
	return session{Session: s.of(ev), ev: ev}
}

func (s *store) of(ev hook.Event) *state.Session { return s.Session(ev.From.Name, ev.Session) }

type session struct {
	*state.Session
	ev hook.Event
}

// Worked reports whether anything was done since the agent was last sent back: it called a tool, or
// a file of the project changed.
func (s session) Worked() bool {
	return s.Session.Worked() || changedSince(s.ev, s.LastSent(s.ev.Turn))
}

// calls returns the engine's view of repeated calls, nil in a dry run.
func (s *store) calls(ev hook.Event) engine.Calls {
	if s.dry {
		return nil
	}
	return calls{s, ev}
}

type calls struct {
	s  *store
	ev hook.Event
}

// Begin claims the call, or waits for the one who has.
func (c calls) Begin(key string, deadline time.Time) (map[string]engine.Output, func(map[string]engine.Output)) {
	call, err := c.s.Claim(deadline, c.ev.From.Name, c.ev.Session, string(c.ev.Name), key)
	if err != nil {
		return nil, nil // nobody knows of another copy: run
	}
	if b, ok := call.Answer(); ok {
		if outs, ok := decodeOutputs(b); ok {
			return outs, nil
		}
	}
	return nil, func(outs map[string]engine.Output) { _ = call.Store(encodeOutputs(outs)) }
}

// waiting marks a kept text as one for the model; the others are for the user.
const waiting = "\x00model\x00"

// addWaiting adds texts of earlier events that this one can carry.
func (s *store) addWaiting(d hook.Decision, r *agent.Row, ev hook.Event) hook.Decision {
	if s.dry || r == nil || ev.Session == "" {
		return d
	}
	notices, context := r.Can(agent.Notice, ev.From.Surface), r.Can(agent.Context, ev.From.Surface) && ev.Name.Class() != hook.Finish
	if !notices && !context {
		return d
	}
	ses := s.of(ev)
	for _, text := range ses.TakeNotices() {
		body, forModel := strings.CutPrefix(text, waiting)
		switch {
		case forModel && context:
			d.Context = append([]hook.Text{{Body: body}}, d.Context...)
		case !forModel && notices:
			d.Notice = append(d.Notice, body)
		default:
			_ = ses.PushNotice(text)
		}
	}
	return d
}

// keepWaiting keeps what could not be said now and must not be lost.
func (s *store) keepWaiting(losses []agent.Loss, ev hook.Event) {
	if s.dry || ev.Session == "" {
		return
	}
	for _, l := range losses {
		if l.To != agent.Later || l.Text == "" {
			continue
		}
		text := l.Text
		if l.Word != agent.Notice {
			text = waiting + text
		}
		_ = s.of(ev).PushNotice(text)
	}
}

// Names under which a session's last words to the agent are kept.
const (
	saidContext  = "context"
	saidContinue = "continue"
)

// unecho recognises our own words in a prompt: context that the agent put in front of it, and the
// reason with which a hook sent the agent back, which some agents raise as a prompt of its own.
func (c *call) unecho() {
	ev := &c.rep.Event
	if ev.Name != hook.UserPromptSubmit || ev.Session == "" {
		return
	}
	ses := c.store.of(*ev)
	if f := c.rep.Who.Agent.Unecho; f != nil {
		ev.Prompt = f(ev.Prompt, ses.Said(saidContext))
	}
	if ev.Prompt != "" && ev.Prompt == ses.Said(saidContinue) {
		ev.Synthetic = true
	}
}

// keepSaid remembers what unecho needs.
func (c *call) keepSaid() {
	ev, say := c.rep.Event, c.rep.Say
	if c.store.dry || ev.Session == "" {
		return
	}
	if say.Context != "" && ev.Name == hook.SessionStart && c.rep.Who.Agent.Unecho != nil {
		_ = c.store.of(ev).Say(saidContext, say.Context)
	}
	if say.Continue {
		_ = c.store.of(ev).Say(saidContinue, say.ContinueReason)
	}
}

// relate turns the Stop of a session that is known to be a subagent's into SubagentStop: some agents
// tell the parent only when the child is made (OpenCode 1.18.33, session.created).
func (c *call) relate() {
	ev := &c.rep.Event
	if ev.Name != hook.Stop || ev.Session == "" {
		return
	}
	parent := c.store.of(*ev).Facts()[state.FactParent]
	if parent == "" {
		return
	}
	ev.Name = hook.SubagentStop
	if ev.Sub == nil {
		ev.Sub = &hook.Subagent{ID: ev.Session, Parent: parent}
	}
}

// remember notes what the session's later events need to know.
func (c *call) remember() {
	ev := c.rep.Event
	if c.store.dry || ev.Session == "" {
		return
	}
	ses := c.store.of(ev)
	if ev.Name == hook.PreToolUse || ev.Name == hook.PostToolUse {
		ses.MarkWork()
	}
	switch ev.Name {
	case hook.SessionStart, hook.SubagentStart, hook.Stop, hook.SubagentStop, hook.SessionEnd:
		_ = ses.Note(facts(ev))
	}
}

func facts(ev hook.Event) state.Facts {
	f := state.Facts{state.FactProject: ev.Project}
	if ev.Model != "" {
		f[state.FactModel] = ev.Model
	}
	if ev.Sub != nil && ev.Sub.Parent != "" {
		f[state.FactParent] = ev.Sub.Parent
	}
	return f
}
