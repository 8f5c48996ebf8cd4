package gemini

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// Name is the agent's name in commands, manifests and the journal.
const Name = "gemini"

// The version that was driven, and the day.
const (
	version = "0.61.0"
	date    = "2026-11-30"
)

// New builds the agent's tables.
func New() *agent.Agent {
	a := &agent.Agent{
		Name:        Name,
		Title:       "Gemini CLI",
		Level:       agent.Live,
		Versions:    []string{version},
		Unit:        agent.Milliseconds,
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
	a.Unecho = WithoutContext
	a.Sample = func(c agent.Call) (string, []byte, bool) { return sample(a, c) }
	a.Decode = func(in agent.Input) (hook.Event, *agent.Row, error) { return decode(a, in) }
	return a
}

// Mark returns the sign that only Gemini makes: an event name of its own, its one type of
// notification, or, on the two events whose names others have as well, a time beside a transcript
// without Claude's permission mode (Copilot sends no transcript there, Qwen sends a mode).
func Mark(v wire.Value) string {
	name := v.Get("hook_event_name").Str()
	switch name {
	case "BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel",
		"BeforeToolSelection", "PreCompress":
		return name
	case "Notification":
		if v.Get("notification_type").Str() == toolPermission {
			return toolPermission
		}
	case "SessionStart", "SessionEnd":
		timed := v.Get("timestamp").Kind() == wire.String && v.Get("transcript_path").Kind() == wire.String
		if timed && !v.Has("permission_mode") {
			return "timestamp beside transcript_path"
		}
	}
	return ""
}

// toolPermission is the type of Gemini's only notification.
const toolPermission = "ToolPermission"
