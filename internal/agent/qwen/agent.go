package qwen

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// Name is the agent's name in commands, manifests and the journal.
const Name = "qwen"

// The version that was driven, and the day.
const (
	version = "0.24.4"
	date    = "2026-11-30"
)

// New builds the agent's tables.
func New() *agent.Agent {
	a := &agent.Agent{
		Name:        Name,
		Title:       "Qwen Code",
		Level:       agent.Live,
		Versions:    []string{version},
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
	a.Sample = func(c agent.Call) (string, []byte, bool) { return sample(a, c) }
	a.Decode = func(in agent.Input) (hook.Event, *agent.Row, error) { return decode(a, in) }
	return a
}

// Mark returns the sign that only Qwen makes: Claude's permission mode in a payload with Gemini's
// time beside a transcript. Each of them alone is sent by others as well.
func Mark(v wire.Value) string {
	for _, key := range [...]string{"hook_event_name", "timestamp", "transcript_path", "permission_mode"} {
		if v.Get(key).Kind() != wire.String {
			return ""
		}
	}
	return "timestamp beside permission_mode"
}
