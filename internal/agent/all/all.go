// Package all is the registry of agents, one line each, and decides who called.
//
// Invariant: an inherited variable never decides who called; a registered name does, unless the
// payload carries the positive mark of another agent.
package all

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/antigravity"
	"github.com/hookspan/hookspan/internal/agent/claude"
	"github.com/hookspan/hookspan/internal/agent/codex"
	"github.com/hookspan/hookspan/internal/agent/copilot"
	"github.com/hookspan/hookspan/internal/agent/cursor"
	"github.com/hookspan/hookspan/internal/agent/droid"
	"github.com/hookspan/hookspan/internal/agent/gemini"
	"github.com/hookspan/hookspan/internal/agent/opencode"
	"github.com/hookspan/hookspan/internal/agent/pi"
	"github.com/hookspan/hookspan/internal/agent/qwen"
	"github.com/hookspan/hookspan/internal/wire"
)

// entry is one agent: what it is called, the sign in a payload that only it makes, its tables.
type entry struct {
	name, alias string
	mark        func(wire.Value) string
	new         func() *agent.Agent
}

// The order is that of tables for people; the first is the protocol's own agent.
var entries = [...]entry{
	{claude.Name, "", claude.Mark, claude.New},
	{codex.Name, "", codex.Mark, codex.New},
	{gemini.Name, "", gemini.Mark, gemini.New},
	{qwen.Name, "", qwen.Mark, qwen.New},
	{opencode.Name, "", opencode.Mark, opencode.New},
	{pi.Name, "", pi.Mark, pi.New},
	{copilot.Name, "", copilot.Mark, copilot.New},
	{droid.Name, "", droid.Mark, droid.New},
	{cursor.Name, "", cursor.Mark, cursor.New},
	{antigravity.Name, antigravity.CLI, antigravity.Mark, antigravity.New},
}

// Names lists the agents.
func Names() []string {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.name
	}
	return names
}

// Get returns an agent by its name or another name of the same adapter, nil if there is none.
func Get(name string) *agent.Agent {
	if e := find(name); e != nil {
		return agent.Full(e.new())
	}
	return nil
}

// Row returns the row of an agent's native event, nil if there is none. It makes no more of the tables than
// it must.
func Row(name, native string) *agent.Row {
	if e := find(name); e != nil {
		return e.new().Row(native)
	}
	return nil
}

// Agents returns all agents with their whole tables.
func Agents() []*agent.Agent {
	list := make([]*agent.Agent, len(entries))
	for i, e := range entries {
		list[i] = agent.Full(e.new())
	}
	return list
}

func find(name string) *entry {
	if name == "" {
		return nil
	}
	for i := range entries {
		if e := &entries[i]; e.name == name || e.alias == name {
			return e
		}
	}
	return nil
}

// Who is the answer to "who called".
type Who struct {
	Agent      *agent.Agent
	By         string // why: "registered", "mark: cursor_version", ...
	Known      bool   // false: a caller of nobody's shape, answered in Claude's dialect
	Registered bool   // the command named an agent
}

// Detect says who called. named is the agent of the registered command, "" where none was named.
func Detect(named string, v wire.Value, env func(string) string) Who {
	if e := find(named); e != nil {
		return registered(e, v)
	}
	if e, why := marked(v); e != nil {
		return Who{Agent: e.new(), By: "mark: " + why, Known: true}
	}
	// A seed of this field sets this variable in scripts that dispatch to hooks. Weak, so last.
	if e := find(env("HERMES_HOOK_CLI")); e != nil && named == "" {
		return Who{Agent: e.new(), By: "HERMES_HOOK_CLI", Known: true}
	}
	first := &entries[0]
	if shaped(v) {
		return Who{Agent: first.new(), By: "shape", Known: true}
	}
	return Who{Agent: first.new(), By: "nobody's shape", Known: false}
}

// shaped reports whether an unmarked payload has the shape of the protocol's own agent. Look-alikes
// that send a timestamp (Gemini CLI, Qwen Code, Copilot CLI) have not.
func shaped(v wire.Value) bool { return v.Has("hook_event_name") && !v.Has("timestamp") }

func registered(e *entry, v wire.Value) Who {
	if e.mark(v) == "" {
		if other, why := marked(v); other != nil {
			return Who{Agent: other.new(), By: "mark: " + why, Known: true, Registered: true}
		}
	}
	return Who{Agent: e.new(), By: "registered", Known: true, Registered: true}
}

func marked(v wire.Value) (*entry, string) {
	for i := range entries {
		if why := entries[i].mark(v); why != "" {
			return &entries[i], why
		}
	}
	return nil, ""
}

// Common returns the hook names of the common events that an agent's payload may stand for; it is
// the vocabulary's view of a native event name.
func Common(native string) (hook.Name, bool) {
	for _, a := range Agents() {
		if r := a.Row(native); r != nil && r.Name != "" {
			return r.Name, true
		}
	}
	return "", false
}
