package session

import (
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
)

// Of returns how an agent is started for one session, by its name.
func Of(name string) agent.With {
	a := all.Get(name)
	if a == nil {
		return agent.With{Not: "Nothing is known about how to do that"}
	}
	return a.With()
}
