package run

import (
	"github.com/hookspan/hookspan/internal/engine"
	"github.com/hookspan/hookspan/internal/state"
)

// journal writes the call's record. Failing changes nothing: the answer is already out.
func journal(rep Report) {
	s := openStore(lookup(rep.Request.Environ), false)
	_ = s.Append(record(rep, s))
	s.Sweep()
}

func record(rep Report, s *store) *state.Record {
	ev := rep.Event
	r := &state.Record{
		Time: rep.Start, Agent: "unknown", DetectedBy: rep.Who.By, Registered: rep.Who.Registered,
		Surface: ev.From.Surface, Version: ev.From.Version, Event: string(ev.Name), Native: rep.Native,
		Session: ev.Session, Turn: ev.Turn, Call: ev.Call, Model: ev.Model, Project: ev.Project,
		Verdict: engine.Verdict(engine.Outcome{Decision: rep.Decision}), Reason: rep.Decision.Reason,
		Took: rep.Took, Exit: rep.Reply.Exit,
		Chain: chainOf(lookup(rep.Request.Environ), s), Notes: notes(rep),
	}
	if rep.Who.Known {
		r.Agent = rep.Who.Agent.Name
	}
	r.Repeat = repeated(rep, s, r.Agent)
	if ev.Sub != nil {
		r.Subagent = ev.Sub.ID
	}
	if t := ev.Tool; t != nil {
		r.Tool, r.Kind = t.Name, string(t.Kind)
		for _, f := range t.Files {
			r.Paths = append(r.Paths, f.Path)
		}
	}
	if rep.Err != nil {
		r.Error = rep.Err.Error()
	}
	for _, o := range rep.Result.Outcomes {
		r.Handlers = append(r.Handlers, handlerRecord(o))
	}
	for _, l := range rep.Losses {
		r.Losses = append(r.Losses, l.String())
	}
	for _, s := range rep.Sources {
		r.Manifests = append(r.Manifests, s.Plan.Hash)
		if s.Plan.Journal == "full" && s.Trusted {
			r.Payload, r.Reply = ev.Payload, string(rep.Reply.Stdout)
		}
	}
	return r
}

// repeated reports whether another run has served the same call: it has left its programs' answers, or,
// where no program ran, a record. A call that concerns no handler is not worth the look.
func repeated(rep Report, s *store, agent string) bool {
	return rep.Result.Repeat || len(rep.Result.Outcomes) > 0 && !rep.Result.First && s.Seen(agent, string(rep.Event.Name), rep.Event.Call)
}

func handlerRecord(o engine.Outcome) state.HandlerRecord {
	h := state.HandlerRecord{Name: o.Handler, File: o.File, Verdict: engine.Verdict(o), Took: o.Took, Exit: o.Exit, Lost: o.Lost}
	if o.Err != nil {
		h.Error = o.Err.Error() // what on_failure makes of it says the same
	} else {
		h.Reason = engine.Reason(o)
	}
	return h
}

func notes(rep Report) []string {
	var list []string
	if rep.Notes.UTF16 {
		list = append(list, "the input was UTF-16")
	}
	if rep.Notes.BOMs > 0 {
		list = append(list, "byte order marks in front of the input")
	}
	if rep.Notes.Replaced > 0 {
		list = append(list, "broken characters in the input were replaced")
	}
	if rep.Notes.Trailing {
		list = append(list, "something stood behind the input's first JSON object")
	}
	list = append(list, rep.Result.Skipped...)
	for _, p := range rep.Problems {
		list = append(list, p.Error())
	}
	return list
}
