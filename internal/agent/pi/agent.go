package pi

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// Name is the agent's name in commands, manifests and the journal.
const Name = "pi"

// The version that was driven, and the day.
const (
	version = "1.6.0"
	date    = "2026-11-30"
)

// New builds the agent's tables.
func New() *agent.Agent {
	a := &agent.Agent{
		Name:        Name,
		Title:       "Pi",
		Level:       agent.Live,
		Versions:    []string{version},
		Unit:        agent.Milliseconds,
		Table:       events,
		Tools:       tools(),
		Places:      places,
		Switches:    switches,
		Holes:       holes,
		Bridge:      true,
		Setup:       Setup,
		With:        With,
		FolderTrust: doubt,
		Encode:      encode,
	}
	a.Sample = func(c agent.Call) (string, []byte, bool) { return sample(a, c) }
	a.Decode = func(in agent.Input) (hook.Event, *agent.Row, error) { return decode(a, in) }
	return a
}

// Mark returns the sign that only our own bridge for Pi makes: Pi's event object beside the bridge's ctx.
func Mark(v wire.Value) string {
	if v.Path("event", "type").Kind() == wire.String && v.Get("ctx").Kind() == wire.Object {
		return "event.type"
	}
	return ""
}
