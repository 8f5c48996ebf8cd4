package copilot

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// Name is the agent's name in commands, manifests and the journal.
const Name = "copilot"

// The versions that were driven, and the day.
const (
	oldVersion = "1.0.50"
	midVersion = "1.0.73"
	version    = "1.0.102"
	date       = "2026-11-30"
)

// New builds the agent's tables.
func New() *agent.Agent {
	a := &agent.Agent{
		Name:        Name,
		Title:       "Copilot CLI",
		Level:       agent.Live,
		Versions:    []string{oldVersion, midVersion, version},
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

// Mark returns the sign that only Copilot makes: sessionId beside a time in milliseconds (camelCase),
// or a named event with a time as text and without Claude's permission mode. Of the latter, events
// with a transcript count only under the names that Gemini, which sends both as well, has not.
func Mark(v wire.Value) string {
	if v.Get("sessionId").Kind() == wire.String && v.Get("timestamp").Kind() == wire.Number {
		return "sessionId beside timestamp"
	}
	name := v.Get("hook_event_name").Str()
	if name == "" || v.Get("timestamp").Kind() != wire.String || v.Has("permission_mode") {
		return ""
	}
	if !v.Has("transcript_path") || name == "Stop" || name == "SubagentStop" || name == "PreCompact" {
		return "timestamp without permission_mode"
	}
	return ""
}
