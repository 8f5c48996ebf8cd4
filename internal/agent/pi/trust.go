package pi

import (
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// doubt: the closest entry counts, and without one the default; -p never asks.
func doubt(l agent.Look) *agent.Doubt {
	if !l.InProject {
		return nil
	}
	const home = "${PI_CODING_AGENT_DIR:-~/.pi/agent}/"
	trusted := l.Doc(home+"settings.json").Get("defaultProjectTrust").Str() == "always"
	entries := l.Doc(home + "trust.json")
	for _, dir := range agent.Above(l.Dir) {
		if v := entries.Get(dir); v.Kind() == wire.Bool {
			trusted = v.True()
			break
		}
	}
	if trusted {
		return nil
	}
	return &agent.Doubt{Wrong: true, What: "the project is not trusted: " + howToTrust, Do: "start pi here and trust the project"}
}
