package antigravity

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// Name is the agent's name in commands, manifests and the journal.
const Name = "antigravity"

// CLI is another name of the same adapter: the command-line program's.
const CLI = "agy"

// date is the day on which the documents and reports were read.
const date = "2026-11-30"

// New builds the agent's tables.
func New() *agent.Agent {
	a := &agent.Agent{
		Name:     Name,
		Title:    "Antigravity",
		Level:    agent.Doc,
		Versions: []string{"doc-1.1"},
		Unit:     agent.Seconds,
		Table:    events,
		Tools:    tools(),
		Places:   places,
		Switches: switches,
		Holes:    holes,
		Setup:    Setup,
		With:     With,
		Encode:   encode,
	}
	a.Decode = func(in agent.Input) (hook.Event, *agent.Row, error) { return decode(a, in) }
	a.Sample = func(c agent.Call) (string, []byte, bool) { return sample(a, c) }
	return a
}

// Mark returns the sign that only Antigravity makes: its spelling of the conversation's id, or the
// object that holds a tool call.
func Mark(v wire.Value) string {
	for _, key := range [...]string{"toolCall", "conversationId"} {
		if v.Has(key) {
			return key
		}
	}
	return ""
}
