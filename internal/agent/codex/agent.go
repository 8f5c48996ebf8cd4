package codex

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// Name is the agent's name in commands, manifests and the journal.
const Name = "codex"

// The versions that were driven, and the day.
const (
	oldVersion = "0.144.5"
	version    = "0.171.0"
	date       = "2026-11-30"
)

// New builds the agent's tables.
func New() *agent.Agent {
	a := &agent.Agent{
		Name:        Name,
		Title:       "Codex CLI",
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
	a.Rewrite = func(t *hook.Tool, after wire.Value) ([]byte, []agent.Change, error) { return rewrite(a, t, after) }
	return a
}

// Mark returns the sign that only Codex makes: turn_id on events of a turn. Claude's MessageDisplay
// has one too, with a message_id. SessionStart and SessionEnd carry no sign: they look like Claude's.
func Mark(v wire.Value) string {
	if v.Has("turn_id") && !v.Has("message_id") {
		return "turn_id"
	}
	return ""
}
