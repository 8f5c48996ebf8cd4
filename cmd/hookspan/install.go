package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/splice"
	"github.com/hookspan/hookspan/internal/wire"
)

// wiring is what install and uninstall were asked for.
type wiring struct {
	agents []*agent.Agent // those named; nil = those of this machine
	opt    install.Options
	trust  bool // ask Codex to trust our entry
	noWait bool // make what spares OpenCode its wait
	json   bool // results for programs
	done   *[][]byte
}

// quiet is the console of a run whose results are for programs: what is for people is left out.
func (c *console) quiet(w *wiring) *console {
	w.done = new([][]byte)
	if !w.json {
		return c
	}
	return &console{in: c.in, out: io.Discard, err: c.err}
}

// installVerb registers hookspan in the agents.
func installVerb(c *console, args []string) int {
	fs := c.flags("install")
	var w wiring
	flags := c.wiringFlags(fs, &w)
	fs.BoolVar(&w.opt.Strict, "strict", false, "a failure of hookspan itself counts as a no, where the agent can be told so (user scope)")
	fs.BoolVar(&w.trust, "trust", false, "ask Codex itself to trust our entry")
	fs.BoolVar(&w.noWait, "no-npm-wait", false, "OpenCode: make an empty node_modules and a lock file, so that its start does not wait for npm")
	fs.BoolVar(&w.opt.FollowLinks, "follow-links", false, "change a file although a link to it leads out of the home")
	if code, ok := c.wiringArgs(fs, args, &w, flags); !ok {
		return code
	}
	if w.opt.Strict && w.opt.Scope == agent.ScopeProject {
		return c.wrong("--strict is for user scope: in a shared file it would lock out everybody who has no hookspan")
	}
	e, err := install.Here()
	if err != nil {
		return c.fail(err)
	}
	m, err := e.Manifests()
	if err != nil {
		if w.opt.Scope == agent.ScopeProject {
			return c.fail(err)
		}
		fmt.Fprintf(c.err, "hookspan: %v\n", err) // a user's registration does not depend on it
	}
	people := c
	c = c.quiet(&w)
	agents, skipped := c.chosen(e, w)
	if len(agents) == 0 {
		c.skipped(skipped)
		return c.fail(errors.New("no coding agent was found on this machine; name one: hookspan install --agent claude"))
	}
	code := exitOK
	for _, a := range agents {
		if !c.installOne(e, a, m, w) {
			code = exitFound
		}
	}
	c.skipped(skipped)
	if w.json {
		fmt.Fprintf(people.out, "%s\n", array(*w.done))
	}
	return code
}

// wiringFlags are the flags of install and uninstall alike.
func (c *console) wiringFlags(fs *flag.FlagSet, w *wiring) (named *[2]string) {
	named = new([2]string)
	listFlag(fs, &named[0], "agent", "the agents, A,B,..; default: those of this machine")
	fs.StringVar(&named[1], "scope", "user", "user (every project) or project (files that are committed)")
	fs.BoolVar(&w.opt.DryRun, "dry-run", false, "show what would change, and change nothing")
	fs.BoolVar(&w.json, "json", false, "for programs")
	return named
}

func (c *console) wiringArgs(fs *flag.FlagSet, args []string, w *wiring, named *[2]string) (code int, ok bool) {
	rest, code, ok := c.parse(fs, args)
	if !ok {
		return code, false
	}
	if len(rest) > 0 {
		return c.wrong("%s takes no arguments but flags; hookspan %s --help", fs.Name(), fs.Name()), false
	}
	switch named[1] {
	case "user":
	case "project":
		w.opt.Scope = agent.ScopeProject
	default:
		return c.wrong("--scope is user or project, not %q", named[1]), false
	}
	if named[0] == "" {
		return exitOK, true
	}
	for name := range strings.SplitSeq(named[0], ",") {
		a := all.Get(strings.TrimSpace(name))
		if a == nil || a.Setup == nil {
			return c.wrong("there is no agent %q; hookspan agents lists them", name), false
		}
		if !slices.ContainsFunc(w.agents, func(b *agent.Agent) bool { return b.Name == a.Name }) {
			w.agents = append(w.agents, a)
		}
	}
	return exitOK, true
}

// chosen returns the agents that were named, or those that are used on this machine; and why others are not.
func (c *console) chosen(e install.Env, w wiring) (agents []*agent.Agent, skipped []string) {
	if w.agents != nil {
		return w.agents, nil
	}
	for _, a := range all.Agents() {
		s := a.Setup()
		if len(s.User) == 0 {
			continue
		}
		if e.Uses(&s) != "" {
			agents = append(agents, a)
			continue
		}
		home, err := e.Path(s.Home)
		if err != nil {
			skipped = append(skipped, a.Title+": "+err.Error())
			continue
		}
		skipped = append(skipped, fmt.Sprintf("%s: there is no folder %s and no program %s on PATH", a.Title, e.Shown(home), s.Program))
	}
	return agents, skipped
}

func (c *console) skipped(list []string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(c.out, "\nnot registered, since not found on this machine:")
	for _, s := range list {
		fmt.Fprintln(c.out, "  "+s)
	}
}

// installOne registers in one agent and says what was done. It reports whether all is well.
func (c *console) installOne(e install.Env, a *agent.Agent, m install.Manifests, w wiring) bool {
	files, err := e.Install(context.Background(), a, m, w.opt)
	defer func() { *w.done = append(*w.done, resultJSON(a, files, err)) }()
	if err != nil {
		fmt.Fprintf(c.err, "hookspan: %s: not registered: %v\n", a.Name, err)
		return false
	}
	s := a.Setup()
	ok := true
	if w.noWait && s.NPMLock != "" {
		ok = c.noWait(e, a, w, &files)
	}
	c.wrote(e, a, files, w.opt)
	rows := [][]string{}
	if how := registeredOn(a, files); how != "" {
		rows = append(rows, []string{"  evidence", how})
	}
	if w.opt.DryRun {
		table(c.out, rows)
		return ok
	}
	for _, f := range files {
		if walk := loaded(e, a, w.opt.Scope, f.Path); walk != "" {
			rows = append(rows, []string{"  counts in", walk})
			break
		}
	}
	gate := s.UserGate
	if w.opt.Scope == agent.ScopeProject {
		gate = s.ProjectGate
	}
	if w.trust && s.HookTrust != nil {
		ok, gate = c.askTrust(e, a, files, w.opt, gate) && ok, ""
	}
	if gate != "" {
		rows = append(rows, []string{"  its own gate", gate})
	}
	if w.opt.Scope == agent.ScopeProject {
		if s.CheckoutNote != "" {
			rows = append(rows, []string{"  trust", s.CheckoutNote})
		}
		if m.Project == nil {
			rows = append(rows, []string{"  note", "there is no hookspan.yaml in " + e.Shown(e.Project) + " yet, so all events are registered; hookspan init makes one, then install again"})
		}
	}
	if other := otherScope(w.opt.Scope); e.Registered(a, other) {
		rows = append(rows, []string{"  note", "registered at " + other.String() + " scope as well: a call arrives twice and gets the same answer twice"})
	}
	for _, n := range s.Notes {
		rows = append(rows, []string{"  note", n})
	}
	table(c.out, rows)
	return c.dead(e, a, m) && ok
}

func otherScope(s agent.Scope) agent.Scope {
	if s == agent.ScopeUser {
		return agent.ScopeProject
	}
	return agent.ScopeUser
}

// wrote tells which files were changed, and shows the change in a dry run.
func (c *console) wrote(e install.Env, a *agent.Agent, files []install.File, o install.Options) {
	for _, f := range files {
		switch {
		case o.DryRun && f.Changed:
			fmt.Fprintf(c.out, "%s: would change %s\n%s", a.Name, e.Shown(f.Path), splice.Diff(f.Path, f.Before, f.After))
		case !f.Changed:
			fmt.Fprintf(c.out, "%s: already registered in %s, nothing changed\n", a.Name, e.Shown(f.Path))
		case len(f.Events) > 0:
			fmt.Fprintf(c.out, "%s: registered in %s: %s\n", a.Name, e.Shown(f.Path), strings.Join(f.Events, " "))
		default:
			fmt.Fprintf(c.out, "%s: changed %s\n", a.Name, e.Shown(f.Path))
		}
	}
}

// loaded tells in which folders a registration counts.
func loaded(e install.Env, a *agent.Agent, scope agent.Scope, path string) string {
	if scope == agent.ScopeUser {
		return "every folder"
	}
	for _, p := range a.Places() {
		at, err := e.Path(p.Path)
		if err == nil && p.Scope == scope && p.Walk != "" && (at == path || strings.HasSuffix(p.Path, "/") && filepath.Dir(path) == at) {
			return p.Walk
		}
	}
	return e.Shown(e.Project)
}

// dead tells which handlers never run in the agent. Those that are there to refuse make it a fault.
func (c *console) dead(e install.Env, a *agent.Agent, m install.Manifests) bool {
	ok := true
	for _, d := range append(install.DeadIn(a, m.User), install.DeadIn(a, m.Project)...) {
		word, never := "note", "never runs"
		switch {
		case d.Partly:
			never = "does not always run"
		case d.Guards:
			word, ok = "GUARD THAT NEVER RUNS HERE", false
		}
		fmt.Fprintf(c.out, "  %s: %s (%s:%d) %s: %s\n", word, d.Handler, e.Shown(d.Path), d.Line, never, d.Why)
	}
	return ok
}

// resultJSON is one agent's result, for programs.
func resultJSON(a *agent.Agent, files []install.File, err error) []byte {
	var o wire.ObjectWriter
	o.Str("agent", a.Name)
	o.Str("evidence", a.Level.String())
	if err != nil {
		o.Str("error", err.Error())
	}
	var list [][]byte
	for _, f := range files {
		var fo wire.ObjectWriter
		fo.Str("path", f.Path)
		fo.Bool("changed", f.Changed)
		fo.Strs("events", f.Events)
		fo.StrIf("backup", f.Backup)
		list = append(list, fo.Bytes())
	}
	o.Raw("files", array(list))
	return o.Bytes()
}
