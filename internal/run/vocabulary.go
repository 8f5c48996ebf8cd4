package run

import (
	"strings"

	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/guard"
	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/manifest"
)

// Vocabulary is what manifests may name: the agents' tools and events, and the built-in guards.
type Vocabulary struct{}

// AgentNames lists the agents.
func (Vocabulary) AgentNames() []string { return all.Names() }

// ToolHint returns the name to write for a tool that an agent calls otherwise. known is false for a
// tool that no agent is known to have.
func (Vocabulary) ToolHint(name string) (claude string, known bool) {
	fold := ""
	for _, a := range all.Agents() {
		for _, t := range a.Tools {
			switch {
			case t.Name == name || t.Native == name && t.Name == "":
				return name, true
			case t.Native == name:
				claude, known = t.Name, true
			case strings.EqualFold(t.Name, name) && t.Name != "":
				fold = t.Name
			}
		}
	}
	if !known && fold != "" {
		return fold, true
	}
	return claude, known
}

// EventHint returns the common name under which an agent's own event arrives. native is true for
// a name that some agent's event has and that stays as it is.
func (Vocabulary) EventHint(name string) (common string, native bool) {
	for _, a := range all.Agents() {
		r := a.Row(name)
		switch {
		case r == nil:
		case r.Name == "" || string(r.Name) == name:
			return "", true
		default:
			common = string(r.Name)
		}
	}
	return common, false
}

// Guards lists the built-in guards.
func (Vocabulary) Guards() []manifest.GuardSpec { return guard.Specs() }

// CheckURL says why an http handler must not post to a URL.
func (Vocabulary) CheckURL(url string) error { return handler.CheckURL(url) }
