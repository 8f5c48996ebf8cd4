package session

import (
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
)

// Of returns how an agent is started for one session, by its name.
func Of(name string) agent.With {
	for _, e := range []struct {
		name string
		with func() agent.With
	}{
		{"claude", claude.With}, {"codex", codex.With}, {"copilot", copilot.With}, {"cursor", cursor.With},
		{"droid", droid.With}, {"gemini", gemini.With}, {"opencode", opencode.With}, {"pi", pi.With},
		{"qwen", qwen.With}, {"antigravity", antigravity.With},
	} {
		if e.name == name {
			return e.with()
		}
	}
	return agent.With{Not: "Nothing is known about how to do that"}
}
