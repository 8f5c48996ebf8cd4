package status

import (
	"time"

	"github.com/hookspan/hookspan/internal/agent"
)

// State is what is true of an event in an agent.
type State uint8

// The states, best first. Of two registrations of an event the better one counts.
const (
	Registered State = iota // in force, as far as can be seen
	Stale                   // starts another program, or one that is gone
	Gated                   // a switch is off
	Untrusted               // the agent's own trust is missing
	Shadowed                // another file defines the event, and the agent reads only that
	Missing                 // wanted, and not there although others are
	Off                     // nothing is registered in the agent
	Unasked                 // no registration has it: no common name, once per chunk, or harmful
)

// String returns the state in one word.
func (s State) String() string {
	return [...]string{"registered", "stale", "gated", "untrusted", "shadowed", "missing", "off", "not registered by default"}[s]
}

// Finding is one thing that people should know.
type Finding struct {
	Wrong bool   // something is off; else a note
	Kind  string // one word: "stale", "shadowed", "duplicated", "untrusted", "gated", "missing", "dead", ...
	What  string
	Do    string // what to type or to do; "" = nothing
}

// Report is everything.
type Report struct {
	Agents    []Agent
	Manifests []Manifest
	Findings  []Finding // of no single agent
}

// Agent is one agent on this machine.
type Agent struct {
	Name, Title string
	Evidence    agent.Level
	Here        string   // why it counts as used: its folder or its program; "" = it is not here
	Files       []string // that carry our registration
	Scopes      []string // in which it is registered
	Events      []Event
	Last        time.Time // when anything last came from it; zero = never
	Findings    []Finding
}

// Event is one event of an agent.
type Event struct {
	Native   string
	Name     string // the common name, "" if none
	Evidence agent.Level
	State    State
	Why      string   // of a state that is not Registered
	Files    []string // in which it is registered
	NotIn    []string // modes in which the agent never raises it
	Fired    time.Time
}

// Registered reports whether the agent has any entry of ours.
func (a *Agent) Registered() bool { return len(a.Files) > 0 }

// OK reports whether nothing is off.
func (r *Report) OK() bool {
	if anyWrong(r.Findings) {
		return false
	}
	for i := range r.Agents {
		if anyWrong(r.Agents[i].Findings) {
			return false
		}
	}
	for i := range r.Manifests {
		if len(r.Manifests[i].Problems) > 0 {
			return false
		}
	}
	return true
}

func anyWrong(list []Finding) bool {
	for _, f := range list {
		if f.Wrong {
			return true
		}
	}
	return false
}

// Count returns how many of an agent's events are in a state.
func (a *Agent) Count(s State) int {
	n := 0
	for i := range a.Events {
		if a.Events[i].State == s {
			n++
		}
	}
	return n
}
