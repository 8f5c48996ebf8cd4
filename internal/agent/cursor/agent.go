package cursor

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// Name is the agent's name in commands, manifests and the journal.
const Name = "cursor"

// What was read, and the day. The version of documents is that of the newest probe of the IDE.
const (
	sdkVersion = "sdk-1.0.32"
	docVersion = "3.18.25"
	date       = "2026-11-30"
)

// New builds the agent's tables.
func New() *agent.Agent {
	a := &agent.Agent{
		Name:     Name,
		Title:    "Cursor",
		Level:    agent.Doc,
		Versions: []string{"cli-2026.02.13", "cli-2026.07.23", "cli-2026.08.11", "ide-3.x-docs", sdkVersion},
		Unit:     agent.Seconds,
		Table:    events,
		Tools:    tools(),
		Places:   places,
		Switches: switches,
		Holes:    holes,
		Setup:    Setup,
		With:     With,
	}
	a.Decode = func(in agent.Input) (hook.Event, *agent.Row, error) { return decode(a, in) }
	a.Encode = func(r *agent.Row, s agent.Say) agent.Reply { return encode(a, r, s) }
	a.Sample = func(c agent.Call) (string, []byte, bool) { return sample(a, c) }
	a.Rewrite = func(t *hook.Tool, after wire.Value) ([]byte, []agent.Change, error) { return rewrite(a, t, after) }
	return a
}

// Mark returns the sign that only Cursor makes: its version, in every payload of every surface, also
// of a hook that it found in Claude Code's settings.
func Mark(v wire.Value) string {
	if v.Has("cursor_version") {
		return "cursor_version"
	}
	return ""
}
