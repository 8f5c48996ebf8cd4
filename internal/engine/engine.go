package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/manifest"
)

// Source is one manifest's plan and what it may do.
type Source struct {
	Plan    *manifest.Plan
	Trusted bool // its programs may run; its guards always do
}

// Programs starts the programs of handlers.
type Programs interface {
	// Run runs the handler for the event and returns what the program printed. The context's
	// deadline is the handler's. An async one is only started: of its output StartErr alone counts.
	Run(ctx context.Context, p *manifest.Plan, h *manifest.Handler, ev hook.Event) handler.Output
	// Answer reads what it printed. An error is a failed handler.
	Answer(p *manifest.Plan, h *manifest.Handler, ev hook.Event, out handler.Output) (hook.Decision, error)
}

// Output is what a program left, and what it did to the call's file.
type Output struct {
	handler.Output
	Changed bool // the only file of the call has another content than before
}

// Guards are the built-in rules.
type Guards interface {
	// Check returns a guard's decision. base is the folder that its paths are relative to.
	Check(h *manifest.Handler, ev hook.Event, base string) (hook.Decision, error)
}

// Session is what is remembered about the agent's session. Its methods never fail: what cannot be
// remembered is as if it had not happened.
type Session interface {
	// Once claims a key; true the first time in this session.
	Once(key string) bool
	// Sent is how often hooks have sent the agent back in this turn.
	Sent(turn string) int
	// AddSent counts one more, and marks the moment.
	AddSent(turn string)
	// NewTurn forgets the count of a turn that has no key of its own.
	NewTurn(turn string)
	// Worked reports whether the agent called a tool since it was last sent back.
	Worked() bool
}

// Calls makes the same call, arriving through two registrations, get the same answer twice.
type Calls interface {
	// Begin claims a call. The first caller gets nil and must call done with the outputs of its
	// programs; the second waits until deadline and gets them.
	Begin(key string, deadline time.Time) (replay map[string]Output, done func(map[string]Output))
}

// Env is what one run of the engine may use.
type Env struct {
	Programs Programs
	Guards   Guards
	Session  Session
	Calls    Calls
	Chain    []string  // the handlers that we run inside
	Deadline time.Time // our own; it ends before the agent's
}

// Outcome is what became of one handler.
type Outcome struct {
	Handler  string
	File     string // of a run for one file
	Decision hook.Decision
	Err      error // the handler failed
	Exit     int
	Took     time.Duration
	Lost     []string // what it said and does not count, and why
	Guard    bool
	Async    bool   // it was started and not waited for
	Failed   string // what on_failure made of Err: "block" or "allow"
}

// Result is what all handlers together say.
type Result struct {
	Decision hook.Decision
	Outcomes []Outcome
	Repeat   bool     // the answer of the same call's first registration
	First    bool     // programs ran, and others may take their answers
	Skipped  []string // handlers that were not run, with the reason
}

// Run runs the event's handlers in the order of the sources, and merges what they say.
func Run(ctx context.Context, ev hook.Event, sources []Source, env Env) Result {
	r := &run{ctx: ctx, env: env, ev: ev}
	jobs := r.next(sources, 0)
	if len(jobs) == 0 {
		return r.result()
	}
	r.begin(jobs)
	for len(jobs) > 0 {
		at, n := jobs[0].at, 1
		for n < len(jobs) && jobs[n].at == at {
			n++
		}
		if r.group(jobs[:n]) {
			jobs = r.next(sources, at) // the rest was chosen for an input that is no more
			continue
		}
		jobs = jobs[n:]
	}
	r.guardFinal(sources)
	if r.merge.d.Continue && !r.repeat && ev.Name == hook.Stop && env.Session != nil {
		env.Session.AddSent(ev.Turn)
	}
	r.end()
	return r.result()
}

// run is the state of one Run.
type run struct {
	mu      sync.Mutex // guards record
	ctx     context.Context
	env     Env
	ev      hook.Event // as it arrived, with the rewrites so far
	merge   merger
	out     []Outcome
	skipped []skipped
	told    []*manifest.Plan // those that the person was told of as not trusted
	replay  map[string]Output
	record  map[string]Output
	done    func(map[string]Output)
	repeat  bool
	worried bool // guards must see the input again
}

func (r *run) result() Result {
	return Result{Decision: r.merge.decision(), Outcomes: r.out, Repeat: r.repeat, First: r.done != nil, Skipped: words(r.skipped)}
}

// begin claims the call if a program is going to run. Guards are pure and simply run again. Only programs
// rewrite, so none that a rewrite brings in is the first of its call.
func (r *run) begin(jobs []job) {
	if r.ev.Call == "" || r.env.Calls == nil {
		return
	}
	for _, j := range jobs {
		if j.h.Type != manifest.Guard {
			r.replay, r.done = r.env.Calls.Begin(r.ev.Call, r.env.Deadline)
			r.repeat = r.replay != nil
			return
		}
	}
}

func (r *run) end() {
	if r.done != nil {
		r.done(r.record)
	}
}

// group runs the handlers of one group side by side, and merges them in order; true = one of them has
// rewritten the input.
func (r *run) group(jobs []job) bool {
	outs := make([][]Outcome, len(jobs))
	if len(jobs) == 1 {
		outs[0] = r.job(jobs[0])
	} else {
		r.parallel(jobs, outs)
	}
	rewrote := ""
	for i, j := range jobs {
		for _, o := range outs[i] {
			rewrote = r.take(j, o, rewrote)
		}
	}
	r.worried = r.worried || rewrote != ""
	return rewrote != ""
}

// take merges one outcome. A rewrite is what the next group sees; of two in one group the first wins.
func (r *run) take(j job, o Outcome, rewrote string) string {
	if o.Decision.Input != nil {
		switch {
		case o.File != "":
			o.Lost = append(o.Lost, "a rewrite from a run for one file of several cannot be put back")
			o.Decision.Input = nil
			r.refuseRewrite(j, &o)
		case rewrote != "":
			o.Lost = append(o.Lost, "its rewrite: "+rewrote+" of the same group came first")
			o.Decision.Input = nil
		case r.ev.Tool == nil:
			o.Decision.Input = nil
		case same(r.ev.Tool.Input, o.Decision.Input):
			o.Decision.Input = nil
		default:
			rewrote = o.Handler
			r.ev = withInput(r.ev, o.Decision.Input)
		}
	}
	r.merge.add(o, r.ev)
	r.out = append(r.out, o)
	return rewrote
}

// refuseRewrite treats a rewrite that cannot be put back as a failure: the handler meant that the
// original must not happen as it stands.
func (r *run) refuseRewrite(j job, o *Outcome) {
	text := o.Handler + " changed the input for " + o.File + ", which cannot be put back into a call of several files"
	if j.h.OnFailure == manifest.Block && r.ev.Name.Class() == hook.Gate {
		o.Decision.Verdict, o.Decision.Reason = hook.Deny, text
		return
	}
	o.Decision.Notice = append(o.Decision.Notice, text)
}

// guardFinal shows guards the input that will really be used.
func (r *run) guardFinal(sources []Source) {
	if !r.worried {
		return
	}
	jobs, _ := r.choose(sources, 0)
	for _, j := range jobs {
		if j.h.Type != manifest.Guard {
			continue
		}
		for _, o := range r.job(j) {
			if o.Decision.Verdict == hook.NoOpinion && o.Err == nil && !r.warnsNow(o) {
				continue
			}
			o.Handler += " (on the rewritten input)"
			r.merge.add(o, r.ev)
			r.out = append(r.out, o)
		}
	}
}

// warnsNow reports whether a guard in the mode warn says what it did not say of the earlier input.
func (r *run) warnsNow(o Outcome) bool {
	return len(o.Lost) > 0 && !slices.ContainsFunc(r.out, func(p Outcome) bool {
		return p.Handler == o.Handler && slices.Equal(p.Lost, o.Lost)
	})
}
