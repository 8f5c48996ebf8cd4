package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/engine"
	"github.com/hookspan/hookspan/internal/guard"
	"github.com/hookspan/hookspan/internal/manifest"
	"github.com/hookspan/hookspan/internal/wire"
)

// Request is one call of an agent, or one that a person wants explained.
type Request struct {
	Agent    string // as registered; "" = nobody said
	Native   string // the event named on the command line; "" = none
	Project  string // the checkout that registered us (--project)
	Manifest string // a manifest to use instead of all others (--manifest)
	Stdin    io.Reader
	Environ  []string // the agent's environment
	Dry      bool     // explain and try: nothing is claimed, counted or remembered

	programs engine.Programs // answers in place of programs, in tests; nil = start them
}

// Report is everything that is known about a call when it is over.
type Report struct {
	Request  Request
	Who      all.Who
	Native   string // the event's own name, "" where nobody told
	Notes    wire.Notes
	Event    hook.Event
	Row      *agent.Row
	Sources  []engine.Source
	Problems []manifest.Problem // of manifests that are not in force as they stand
	Result   engine.Result
	Decision hook.Decision // merged, with what waited for this event
	Say      agent.Say
	Losses   []agent.Loss
	Reply    agent.Reply
	Err      error // why the call could not be served in full
	Start    time.Time
	Took     time.Duration
}

// Do serves one call. It never panics and always returns an answer in the agent's own words; an
// input that cannot be read is answered as the strictest handler of its event wants.
func Do(ctx context.Context, q Request) (rep Report) {
	c := &call{rep: &rep, env: lookup(q.Environ)}
	rep.Request, rep.Start = q, time.Now()
	defer func() {
		if p := recover(); p != nil {
			c.crashed(p)
		}
		rep.Took = time.Since(rep.Start)
	}()
	c.serve(ctx)
	return rep
}

// call is one call being served.
type call struct {
	rep   *Report
	env   func(string) string
	store *store
}

func (c *call) serve(ctx context.Context) {
	q := c.rep.Request
	c.store = openStore(c.env, q.Dry)
	v, notes, err := c.readPayload(ctx)
	c.rep.Notes = notes
	if err != nil || v.Kind() != wire.Object {
		c.unreadable(v, err)
		return
	}
	c.rep.Who = all.Detect(q.Agent, v, c.env)
	if err := c.decode(v); err != nil {
		c.unreadable(v, err)
		return
	}
	if c.rep.Native == "" && c.rep.Event.Name == "" {
		c.unreadable(v, errors.New("the payload names no event, and neither does the command"))
		return
	}
	if c.rep.Event.Name == "" {
		c.answer(hook.Decision{}) // not an event for handlers: silence
		return
	}
	c.relate()
	c.unecho()
	c.rep.Sources = c.sources(c.rep.Event)
	if c.rep.Notes.Trailing && c.refused(errors.New("something stands behind its first JSON object, which may be what was meant")) {
		return
	}
	c.rep.Result = c.engine(ctx)
	c.remember()
	c.answer(c.rep.Result.Decision)
}

func (c *call) decode(v wire.Value) error {
	a := c.rep.Who.Agent
	ev, row, err := a.Decode(agent.Input{Native: c.rep.Request.Native, Payload: v, Env: c.env})
	if err != nil {
		return fmt.Errorf("failed to read the payload of %s: %w", a.Name, err)
	}
	ev.From.Name = a.Name
	if !c.rep.Who.Known {
		ev.From.Name = "unknown"
	}
	c.rep.Event, c.rep.Row, c.rep.Native = ev, row, ev.From.Native
	return nil
}

func (c *call) engine(ctx context.Context) engine.Result {
	ev := c.rep.Event
	deadline := c.deadline() // without a timer: the engine sets one for what takes time
	chain := chainOf(c.env, c.store)
	start := c.rep.Request.programs
	if start == nil {
		start = programs{environ: c.rep.Request.Environ, chain: chain, store: c.store}
	}
	return engine.Run(ctx, ev, c.rep.Sources, engine.Env{
		Programs: start,
		Guards:   guard.Rules{},
		Session:  c.store.session(ev),
		Calls:    c.store.calls(ev),
		Chain:    chain,
		Deadline: deadline,
	})
}

// readLimit is how long the payload may take to arrive. Agents write it at once; some in two parts,
// seconds apart. Without a limit a pipe that nobody writes to would hold the agent.
const readLimit = 8 * time.Second

// patience is how long is waited before it is looked up how long may be waited. It is less than any limit,
// and by then nearly every payload is there: most runs need not look into the tables for it.
const patience = 200 * time.Millisecond

func (c *call) readPayload(ctx context.Context) (wire.Value, wire.Notes, error) {
	if r, ok := timed(c.rep.Request.Stdin, c.rep.Start.Add(patience), c.readEnd); ok {
		return wire.Read(ctx, r, wire.Limits{})
	}
	return wire.Read(ctx, c.rep.Request.Stdin, wire.Limits{Time: max(time.Until(c.readEnd()), time.Millisecond)})
}

// readEnd is when the payload must be there: in time for an answer, if the command names the agent and an
// event with a limit of its own.
func (c *call) readEnd() time.Time {
	limit := readLimit
	if r := all.Row(c.rep.Request.Agent, c.rep.Request.Native); r != nil && r.Timeout.Deadline() > 0 {
		limit = min(limit, r.Timeout.Deadline())
	}
	return c.rep.Start.Add(limit)
}

// maxRun is our deadline where the agent's limit is not known.
const maxRun = 10 * time.Minute

func (c *call) deadline() time.Time {
	if r := c.rep.Row; r != nil {
		if d := r.Timeout.Deadline(); d > 0 {
			return c.rep.Start.Add(d)
		}
	}
	return c.rep.Start.Add(maxRun)
}

// answer lowers a decision and prints it. What waits for this session and can be said now is added;
// what cannot be said now waits.
func (c *call) answer(d hook.Decision) {
	r, ev := c.rep.Row, c.rep.Event
	d.Notice = append(d.Notice, c.brokenManifests(ev)...)
	d = c.store.addWaiting(d, r, ev)
	c.rep.Decision = d
	c.lower(d)
	c.store.keepWaiting(c.rep.Losses, ev)
	c.keepSaid()
}

// brokenManifests tells the person, once a session, of manifests that are not in force as they stand.
func (c *call) brokenManifests(ev hook.Event) []string {
	var list []string
	for _, p := range c.rep.Problems {
		text := p.Error()
		if c.store.dry || c.store.of(ev).Once("problem:"+text) {
			list = append(list, "hookspan: "+text)
		}
	}
	if n := len(list); n > 0 {
		list[n-1] += ". Until it is mended the last good version is in force, if there was one."
	}
	return list
}

func (c *call) lower(d hook.Decision) {
	a := c.rep.Who.Agent
	c.rep.Say, c.rep.Losses = agent.Lower(a, c.rep.Row, c.rep.Event, d, agent.Options{AskNone: c.askNone()})
	reply, err := agent.Print(a, c.rep.Row, c.rep.Say)
	if err != nil && c.rep.Err == nil {
		c.rep.Err = err
	}
	c.rep.Reply = reply
}

// askNone reports whether an ask that cannot be asked is dropped. Only who is trusted may say so: dropping
// it lets the action pass, and nothing that a repository ships may switch off what the user has set up.
func (c *call) askNone() bool {
	for _, s := range c.rep.Sources {
		if s.Trusted && s.Plan.Ask == "none" {
			return true
		}
	}
	return false
}

// crashed answers after a fault of ours: as a failed handler would be answered.
func (c *call) crashed(p any) {
	defer func() {
		if recover() != nil { // the very encoder is broken: say nothing rather than something wrong
			c.rep.Reply = agent.Reply{}
		}
	}()
	c.unreadable(wire.Value{}, fmt.Errorf("hookspan crashed: %v", p))
}
