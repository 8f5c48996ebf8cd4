package opencode

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// Name is the agent's name in commands, manifests and the journal.
const Name = "opencode"

// The version that was driven, and the day.
const (
	version = "1.18.33"
	date    = "2026-11-30"
)

// New builds the agent's tables.
func New() *agent.Agent {
	a := &agent.Agent{
		Name:     Name,
		Title:    "OpenCode",
		Level:    agent.Live,
		Versions: []string{version},
		Unit:     agent.Milliseconds,
		Table:    events,
		Tools:    tools(),
		Places:   places,
		Switches: switches,
		Holes:    holes,
		Bridge:   true,
		Setup:    Setup,
		With:     With,
		Gates:    gates,
		Encode:   encode,
	}
	a.Sample = func(c agent.Call) (string, []byte, bool) { return sample(a, c) }
	a.Decode = func(in agent.Input) (hook.Event, *agent.Row, error) { return decode(a, in) }
	return a
}

// Mark returns the sign that only our own bridge for OpenCode makes: the hook's name beside its input.
func Mark(v wire.Value) string {
	if v.Get("hook").Kind() != wire.String {
		return ""
	}
	if v.Get("input").Kind() == wire.Object || v.Get("hook").Str() == "dispose" {
		return "hook"
	}
	return ""
}
