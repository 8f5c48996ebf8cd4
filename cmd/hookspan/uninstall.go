package main

import (
	"context"
	"fmt"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/splice"
)

// uninstallVerb takes the registration out again, of all agents where none is named: what is registered
// is found without the agent's being there.
func uninstallVerb(c *console, args []string) int {
	fs := c.flags("uninstall")
	var w wiring
	flags := c.wiringFlags(fs, &w)
	if code, ok := c.wiringArgs(fs, args, &w, flags); !ok {
		return code
	}
	e, err := install.Here()
	if err != nil {
		return c.fail(err)
	}
	if w.agents == nil {
		w.agents = registrable(w.opt.Scope)
	}
	people := c
	c = c.quiet(&w)
	code, found := exitOK, false
	for _, a := range w.agents {
		files, err := e.Uninstall(context.Background(), a, w.opt)
		*w.done = append(*w.done, resultJSON(a, files, err))
		if err != nil {
			fmt.Fprintf(c.err, "hookspan: %s: still registered: %v\n", a.Name, err)
			code = exitFound
			continue
		}
		for _, f := range files {
			found = true
			c.tookOut(e, a.Name, f, w.opt)
		}
	}
	if w.json {
		fmt.Fprintf(people.out, "%s\n", array(*w.done))
	}
	if !found && code == exitOK {
		fmt.Fprintln(c.out, "nothing was registered")
	}
	return code
}

// registrable lists the agents of which it is known where a registration goes: nothing of ours is anywhere else.
func registrable(scope agent.Scope) []*agent.Agent {
	var list []*agent.Agent
	for _, a := range all.Agents() {
		if s := a.Setup(); len(s.Carriers(scope)) > 0 {
			list = append(list, a)
		}
	}
	return list
}

// tookOut tells what was taken out of one file.
func (c *console) tookOut(e install.Env, name string, f install.File, o install.Options) {
	switch {
	case o.DryRun:
		fmt.Fprintf(c.out, "%s: would change %s\n%s", name, e.Shown(f.Path), splice.Diff(f.Path, f.Before, f.After))
	case f.After == nil:
		fmt.Fprintf(c.out, "%s: removed %s, which install had made\n", name, e.Shown(f.Path))
	default:
		fmt.Fprintf(c.out, "%s: taken out of %s\n", name, e.Shown(f.Path))
	}
}
