package main

import (
	"context"
	"fmt"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/install"
)

// askTrust has Codex trust our entries. Where that is not possible, it says what to do by hand.
func (c *console) askTrust(e install.Env, a *agent.Agent, files []install.File, o install.Options, gate string) bool {
	n, err := e.AskTrust(context.Background(), a, files, o)
	if err != nil {
		fmt.Fprintf(c.err, "hookspan: %s: %v; by hand: %s\n", a.Name, err, gate)
		return false
	}
	fmt.Fprintf(c.out, "  its own gate  %s trusts our %d entries now, it says\n", a.Title, n)
	return true
}

// noWait spares OpenCode its wait for npm.
func (c *console) noWait(e install.Env, a *agent.Agent, w wiring, files *[]install.File) bool {
	f, done, err := e.SpareNPM(context.Background(), a, w.opt)
	if err != nil {
		fmt.Fprintf(c.err, "hookspan: %s: failed to spare it the wait for npm: %v\n", a.Name, err)
		return false
	}
	if !done {
		fmt.Fprintf(c.out, "%s: %s has npm dependencies of its own, so its wait for npm stays\n", a.Name, e.Shown(f.Path))
		return true
	}
	if f.Changed {
		*files = append(*files, f)
	}
	return true
}
