package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/session"
	"github.com/hookspan/hookspan/internal/status"
)

// withVerb starts an agent with hooks for one session. What stands behind the agent's name is the agent's.
func withVerb(c *console, args []string) int {
	fl := c.flags("with")
	dry := fl.Bool("dry-run", false, "show what would be started, and start nothing")
	quiet := fl.Bool("quiet", false, "no notes on standard error")
	rest, code, ok := c.parseHead(fl, args)
	if !ok {
		return code
	}
	if len(rest) == 0 {
		return c.wrong("with wants an agent: hookspan with AGENT [its arguments]; there are %s", strings.Join(all.Names(), ", "))
	}
	a := all.Get(rest[0])
	if a == nil || a.Setup == nil {
		return c.wrong("there is no agent %q; there are %s", rest[0], strings.Join(all.Names(), ", "))
	}
	env, err := install.Here()
	if err != nil {
		return c.fail(err)
	}
	q := session.Request{Agent: a, With: session.Of(a.Name), Env: env, Environ: os.Environ(), Args: rest[1:]}
	notes := c.sessionNotes(&q)
	s, err := session.Prepare(q)
	if err != nil {
		return c.fail(err)
	}
	if *dry {
		return c.showSession(s)
	}
	if !*quiet {
		for _, n := range notes {
			fmt.Fprintf(c.err, "hookspan: %s\n", n)
		}
	}
	exit, err := s.Run()
	if err != nil {
		return max(c.fail(err), exit)
	}
	return exit
}

// sessionNotes are what people should know before the agent fills the screen.
func (c *console) sessionNotes(q *session.Request) []string {
	notes := append([]string{}, q.With.Notes...)
	found, err := q.Env.Manifests()
	switch {
	case err != nil:
		notes = append(notes, err.Error()+"; its last good version stays in force")
	case found.User == nil && found.Project == nil:
		notes = append(notes, "no hookspan.yaml here and none for the user: the hooks are on and have nothing to do (hookspan init makes one)")
	}
	q.Extra = append(install.Natives(q.Agent, found.User), install.Natives(q.Agent, found.Project)...)
	for _, m := range status.Manifests(q.Env) {
		if m.Untrusted() {
			notes = append(notes, fmt.Sprintf("%s is not trusted: its guards guard, its programs do not run (hookspan trust)", q.Env.Shown(m.Path)))
		}
	}
	for _, f := range status.Closed(q.Env, q.Agent) {
		notes = append(notes, fmt.Sprintf("no hook will run: %s (%s)", f.What, f.Do))
	}
	for _, scope := range status.Scopes() {
		for _, file := range status.FilesOf(q.Env, q.Agent, scope) {
			notes = append(notes, fmt.Sprintf("hookspan is registered in %s as well: what arrives twice is answered the same twice, and programs run once", q.Env.Shown(file)))
		}
	}
	return notes
}

// showSession prints what a session would be.
func (c *console) showSession(s *session.Session) int {
	words := []string{s.Program}
	for _, a := range s.Args {
		words = append(words, quoted(a))
	}
	fmt.Fprintf(c.out, "starts  %s\n", strings.Join(words, " "))
	for _, v := range s.Set {
		fmt.Fprintf(c.out, "sets    %s\n", v)
	}
	if err := errors.Join(c.showFiles(s.Dir), s.Close()); err != nil {
		return c.fail(err)
	}
	return exitOK
}

func (c *console) showFiles(dir string) error {
	if dir == "" {
		return nil
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".pid") {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(c.out, "\n%s, for as long as the session lasts:\n%s\n", path, strings.TrimRight(string(text), "\n"))
		return err
	})
}

// parseHead reads the flags in front of the first argument; what follows it belongs to somebody else.
func (c *console) parseHead(fl *flag.FlagSet, args []string) (rest []string, code int, ok bool) {
	switch err := fl.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		c.help(fl)
		return nil, exitOK, false
	case err != nil:
		return nil, c.wrong("%s: %v; hookspan %s --help", fl.Name(), err, fl.Name()), false
	}
	return fl.Args(), exitOK, true
}

// quoted makes one word for a POSIX shell.
func quoted(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\$`&|;<>()[]{}*?!#~") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
