package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/run"
	"github.com/hookspan/hookspan/internal/support"
)

// caveat is what people should know of a fact that nobody saw in a run; "" = it was seen.
func caveat(l agent.Level) string {
	switch l {
	case agent.Doc:
		return "doc: known from documents only, never run by us"
	case agent.Source:
		return "source: read in the shipped program, never seen in a run"
	}
	return ""
}

// caveats explains the levels that a table shows, one line each.
func (c *console) caveats(levels []agent.Level) {
	for _, l := range []agent.Level{agent.Doc, agent.Source} {
		if slices.Contains(levels, l) {
			fmt.Fprintln(c.out, caveat(l))
		}
	}
}

// registeredOn says how an agent's answer to our registration is known, where that is less than a run: of
// the whole agent, or of some of the events that were registered. "" = all was seen.
func registeredOn(a *agent.Agent, files []install.File) string {
	if a.Level != agent.Live {
		return caveat(a.Level)
	}
	weak := map[agent.Level][]string{}
	for _, f := range files {
		for _, native := range f.Events {
			if r := a.Row(native); r != nil && !slices.Contains(weak[r.Proof.Level], native) {
				weak[r.Proof.Level] = append(weak[r.Proof.Level], native)
			}
		}
	}
	var parts []string
	for _, l := range []agent.Level{agent.Doc, agent.Source} {
		if len(weak[l]) > 0 {
			parts = append(parts, caveat(l)+": "+strings.Join(weak[l], " "))
		}
	}
	return strings.Join(parts, "; ")
}

// evidence is how the agent and event of a call are known; "" where nobody knows who called.
func evidence(rep run.Report) string {
	if !rep.Who.Known || rep.Row == nil {
		return ""
	}
	text := support.Evidence(rep.Row.Proof)
	if _, why, ok := strings.Cut(caveat(rep.Row.Proof.Level), ": "); ok {
		text += ": " + why
	}
	return text
}
