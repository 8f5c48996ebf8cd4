package droid

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// Name is the agent's name in commands, manifests and the journal.
const Name = "droid"

// The versions that were driven, and the day.
const (
	oldVersion = "0.215.0"
	version    = "0.225.2"
	date       = "2026-11-30"
)

// New builds the agent's tables.
func New() *agent.Agent {
	a := &agent.Agent{
		Name:        Name,
		Title:       "Factory Droid",
		Level:       agent.Live,
		Versions:    []string{oldVersion, version},
		Unit:        agent.Seconds,
		Table:       events,
		Tools:       tools(),
		Places:      places,
		Switches:    switches,
		Holes:       holes,
		Setup:       Setup,
		With:        With,
		Gates:       gates,
		FolderTrust: doubt,
		Encode:      encode,
	}
	a.Decode = func(in agent.Input) (hook.Event, *agent.Row, error) { return decode(a, in) }
	a.Sample = func(c agent.Call) (string, []byte, bool) { return sample(a, c) }
	return a
}

// Mark returns the sign that only Droid makes: its own words for the permission mode, which every
// event carries.
func Mark(v wire.Value) string {
	switch mode := v.Get("permission_mode").Str(); mode {
	case "off", "spec", "auto-low", "auto-medium", "auto-high":
		return "permission_mode " + mode
	}
	return ""
}
