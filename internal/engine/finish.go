package engine

import (
	"fmt"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/handler"
)

// defaultContinues is how often one turn may be sent back where the manifest names no number. It is
// Claude Code's own cap (2.1.332), which agents without one lack (Gemini CLI 0.61.0, Codex 0.171.0).
const defaultContinues = 8

// Uncounted is what Session.Sent returns where nothing can be remembered: more than any limit, since an
// agent that works for ever costs money and a gate that is passed too early does not.
const Uncounted = 1 << 30

// gate reads a gate's program by its exit code alone: a failing one sends the agent back with the
// end of the output.
func gate(name string, out handler.Output) (hook.Decision, error) {
	switch {
	case out.StartErr != nil:
		return hook.Decision{}, out.StartErr
	case out.TimedOut:
		return hook.Decision{}, fmt.Errorf("it did not end in time and was stopped after %s", out.Took.Round(time.Millisecond))
	case out.Exit == 0:
		return hook.Decision{}, nil
	case out.Exit == 126 || out.Exit == 127: // the shell's words for a program that it cannot start
		return hook.Decision{}, fmt.Errorf("the shell could not start it: %s", handler.Tail(out.Stderr, 3, 300))
	}
	text := handler.Tail(append(append([]byte(nil), out.Stdout...), out.Stderr...), 60, 4000)
	return hook.Decision{Continue: true, Reason: fmt.Sprintf("%s failed with exit code %d. The end of its output:\n%s", name, out.Exit, text)}, nil
}

// counted limits how often a turn is sent back. The count is ours: per session and turn, not reset
// by tool calls, and it holds where the agent has no limit of its own.
func (r *run) counted(j job, o Outcome) Outcome {
	if !o.Decision.Continue || r.env.Session == nil || r.ev.Name != hook.Stop {
		return o
	}
	if r.ev.StopKnown && !r.ev.StopActive && !r.repeat {
		r.env.Session.NewTurn(r.ev.Turn)
	}
	limit := j.h.MaxContinues
	if limit == 0 {
		limit = defaultContinues
	}
	sent := r.env.Session.Sent(r.ev.Turn)
	if r.repeat && sent > 0 {
		sent-- // the first registration's answer has counted this very event
	}
	switch {
	case sent >= Uncounted && r.ev.StopKnown && !r.ev.StopActive:
		return o // once: the agent itself will say that it comes back from here
	case sent >= Uncounted:
		return r.stopped(o, o.Handler+" is not content, but how often it has sent the agent back cannot be remembered (the state folder cannot be written); the turn ends")
	case sent >= limit:
		return r.stopped(o, fmt.Sprintf("%s has sent the agent back %d times in this turn and still is not content; the turn ends", o.Handler, sent))
	case j.h.Gate && sent > 0 && r.ev.StopKnown && r.ev.StopActive && !r.env.Session.Worked():
		return r.stopped(o, o.Handler+" still fails, and nothing was done since it sent the agent back; the turn ends")
	}
	return o
}

// stopped lets the turn end, and tells the person why it ends red.
func (r *run) stopped(o Outcome, why string) Outcome {
	o.Lost = append(o.Lost, "continue: "+why)
	o.Decision.Continue = false
	o.Decision.Notice = append(o.Decision.Notice, "hookspan: "+why+"\n"+o.Decision.Reason)
	o.Decision.Reason = ""
	return o
}
