package claude

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// Name is the agent's name in commands, manifests and the journal.
const Name = "claude"

// The versions that were driven, and the day.
const (
	oldVersion = "2.1.220"
	version    = "2.1.332"
	date       = "2026-11-30"
)

// New builds the agent's tables.
func New() *agent.Agent {
	a := &agent.Agent{
		Name:        Name,
		Title:       "Claude Code",
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
		Rewrite:     rewrite,
	}
	a.Decode = func(in agent.Input) (hook.Event, *agent.Row, error) { return decode(a, in) }
	a.Sample = func(c agent.Call) (string, []byte, bool) { return sample(a, c) }
	return a
}

// Mark returns the sign that only Claude makes: session_crons on Stop and SubagentStop, the object
// effort on events of a turn. Many of its payloads carry neither, and look like those of its
// imitators.
func Mark(v wire.Value) string {
	switch {
	case v.Get("session_crons").Kind() == wire.Array:
		return "session_crons"
	case v.Path("effort", "level").Kind() == wire.String:
		return "effort"
	}
	return ""
}
