package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/status"
)

// statusVerb tells what is wired here, and what is off.
func statusVerb(c *console, args []string) int {
	fl := c.flags("status")
	asJSON := fl.Bool("json", false, "for programs")
	var names string
	listFlag(fl, &names, "agent", "only these agents, with commas between")
	scope := fl.String("scope", "", "only what is registered for the user, or for the project: user or project")
	whole := fl.Bool("all", false, "every agent, event by event")
	rest, code, ok := c.parse(fl, args)
	if !ok {
		return code
	}
	if len(rest) > 0 {
		return c.wrong("status takes no arguments; hookspan status --help")
	}
	agents, code := c.agentsNamed(names)
	if agents == nil {
		return code
	}
	scopes := scopesNamed(*scope)
	if scopes == nil {
		return c.wrong("there is no scope %q; there are user and project", *scope)
	}
	env, err := install.Here()
	if err != nil {
		return c.fail(err)
	}
	r := status.Make(env, agents, scopes)
	show := statusText{c: c, env: env, now: time.Now()}
	switch {
	case *asJSON:
		fmt.Fprintf(c.out, "%s\n", r.JSON())
	default:
		show.report(&r, *whole, names != "")
	}
	if !r.OK() {
		return exitFound
	}
	return exitOK
}

// agentsNamed reads a list of agents' names; "" = all. nil = the usage was wrong.
func (c *console) agentsNamed(names string) ([]*agent.Agent, int) {
	if names == "" {
		return all.Agents(), 0
	}
	var agents []*agent.Agent
	for _, name := range strings.Split(names, ",") {
		a := all.Get(strings.TrimSpace(name))
		if a == nil {
			return nil, c.wrong("there is no agent %q; there are %s", name, strings.Join(all.Names(), ", "))
		}
		agents = append(agents, a)
	}
	return agents, 0
}

// scopesNamed reads a scope's name; "" = both. nil = there is none of that name.
func scopesNamed(name string) []agent.Scope {
	if name == "" {
		return status.Scopes()
	}
	for _, s := range status.Scopes() {
		if s.String() == name {
			return []agent.Scope{s}
		}
	}
	return nil
}

// statusText prints a report for people.
type statusText struct {
	c   *console
	env install.Env
	now time.Time
}

// report prints one line an agent that is here or was asked for, then what is off and what to type.
func (t *statusText) report(r *status.Report, whole, asked bool) {
	t.manifests(r.Manifests)
	rows := [][]string{{"AGENT", "", "HOOKS", "LAST FIRED", "EVIDENCE"}}
	var shown []*status.Agent
	var levels []agent.Level
	for i := range r.Agents {
		a := &r.Agents[i]
		if whole || asked || a.Here != "" || a.Registered() {
			shown = append(shown, a)
			rows = append(rows, []string{a.Title, a.Mark(), a.Summary(), status.Ago(a.Last, t.now), a.Evidence.String()})
			levels = append(levels, a.Evidence)
		}
	}
	if len(shown) == 0 {
		fmt.Fprintln(t.c.out, "no agent that hookspan knows is on this machine; hookspan agents lists them")
	} else {
		table(t.c.out, rows)
	}
	if whole {
		levels = append(levels, t.events(shown)...)
	}
	t.c.caveats(levels)
	t.findings("What is off:", r, shown, true)
	t.findings("To know:", r, shown, false)
}

func (t *statusText) manifests(list []status.Manifest) {
	if len(list) == 0 {
		fmt.Fprint(t.c.out, "There is no hookspan.yaml here and none for the user.\n\n")
		return
	}
	rows := [][]string{{"MANIFEST", "OF", "HOLDS", "STATE"}}
	for i := range list {
		m := &list[i]
		held := "in force"
		switch {
		case len(m.Problems) > 0:
			held = "broken: " + m.Problems[0].Error()
		case m.Untrusted():
			held = "not trusted: only its guards"
		case len(m.Warnings) > 0:
			held = fmt.Sprintf("in force, %d warnings (hookspan trust shows them)", len(m.Warnings))
		}
		rows = append(rows, []string{t.env.Shown(m.Path), m.Scope.String(), fmt.Sprintf("%d guards, %d programs", m.Guards, m.Programs), held})
	}
	table(t.c.out, rows)
	fmt.Fprintln(t.c.out)
}

// events prints agent × event, and returns how what is in it is known.
func (t *statusText) events(agents []*status.Agent) (levels []agent.Level) {
	rows := [][]string{{"AGENT", "EVENT", "NAME", "STATE", "NEVER IN", "LAST FIRED", "EVIDENCE"}}
	for _, a := range agents {
		for _, e := range a.Events {
			name := cmp.Or(e.Name, "–")
			rows = append(rows, []string{a.Name, e.Native, name, e.State.String(), strings.Join(e.NotIn, " "), status.Ago(e.Fired, t.now), e.Evidence.String()})
			levels = append(levels, e.Evidence)
		}
	}
	fmt.Fprintln(t.c.out)
	table(t.c.out, rows)
	return levels
}

func (t *statusText) findings(title string, r *status.Report, agents []*status.Agent, wrong bool) {
	first := true
	print := func(who string, list []status.Finding) {
		for _, f := range list {
			if f.Wrong != wrong {
				continue
			}
			if first {
				fmt.Fprintf(t.c.out, "\n%s\n", title)
				first = false
			}
			fmt.Fprintf(t.c.out, "  %s%s: %s\n", who, f.Kind, f.What)
			if f.Do != "" {
				fmt.Fprintf(t.c.out, "    → %s\n", f.Do)
			}
		}
	}
	for _, a := range agents {
		print(a.Title+": ", a.Findings)
	}
	print("", r.Findings)
}
