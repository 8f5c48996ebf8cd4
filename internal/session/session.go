package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/wire"
)

// ErrImpossible is wrapped by the error for an agent that cannot be started with hooks for one session.
var ErrImpossible = errors.New("there is no way to start it with hooks for one session")

// Request is what a session shall be.
type Request struct {
	Agent   *agent.Agent
	With    agent.With
	Env     install.Env
	Environ []string // the environment of the agent before ours is added
	Args    []string // the agent's own arguments
	Extra   []string // native events that the user's manifest names and a full registration lacks
}

// Session is an agent that is ready to be started. Close removes what Prepare made.
type Session struct {
	Program string // absolute path
	Args    []string
	Environ []string
	Set     []string // the variables that were added, NAME=value
	Dir     string   // the session's folder, "" if the agent needs no file
}

// Prepare finds the agent's program and makes the session's folder. The errors say what to do.
func Prepare(q Request) (*Session, error) {
	a, setup := q.Agent, q.Agent.Setup()
	way, err := choose(a, q.With, q.Args)
	if err != nil {
		return nil, err
	}
	program, err := q.program(setup.Program)
	if err != nil {
		return nil, err
	}
	s := &Session{Program: program}
	if err := q.fill(s, way); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.Args = append(s.Args, q.Args...)
	s.Environ = with(q.Environ, s.Set)
	return s, nil
}

// choose takes the first way that the person's arguments leave free.
func choose(a *agent.Agent, w agent.With, args []string) (*agent.Way, error) {
	for i := range w.Ways {
		if !slices.ContainsFunc(w.Ways[i].Clash, func(c string) bool { return given(args, c) }) {
			return &w.Ways[i], nil
		}
	}
	return nil, impossible(a, w.Not)
}

func impossible(a *agent.Agent, why string) error {
	return fmt.Errorf("failed to start %s: %w. %s", a.Title, ErrImpossible, why)
}

// given reports whether arguments hold an option: "--settings", alone or with =value, or, where the option
// stands with the beginning of a value ("-c hooks."), with such a value. What follows "--" is no option.
func given(args []string, option string) bool {
	name, begin, _ := strings.Cut(option, " ")
	for i, arg := range args {
		if arg == "--" {
			return false
		}
		value, ok := valueOf(name, arg)
		if ok && arg == name && i+1 < len(args) {
			value = args[i+1]
		}
		if ok && strings.HasPrefix(value, begin) {
			return true
		}
	}
	return false
}

// valueOf reads the value that an argument holds itself: --name=value, -nvalue, -n=value.
func valueOf(name, arg string) (value string, ok bool) {
	rest, ok := strings.CutPrefix(arg, name)
	short := len(name) == 2
	if !ok || rest == "" || rest[0] == '=' || short {
		return strings.TrimPrefix(rest, "="), ok
	}
	return "", false
}

// program finds the agent on PATH.
func (q Request) program(name string) (string, error) {
	at := find(q.Env, name)
	if at == "" {
		return "", fmt.Errorf("failed to find %s: there is no program %q on PATH; install it, or add its folder to PATH", q.Agent.Title, name)
	}
	if same(at, q.Env.Program) {
		return "", fmt.Errorf("failed to start %s: %s is hookspan itself", q.Agent.Title, at)
	}
	return at, nil
}

// find looks for a program in the absolute folders of PATH: what lies in the current folder may be
// anybody's.
func find(e install.Env, name string) string {
	names := []string{name}
	if e.OS == "windows" {
		names = []string{name + ".exe", name + ".cmd", name + ".bat"}
	}
	for _, dir := range filepath.SplitList(e.Get("PATH")) {
		for _, n := range names {
			at := filepath.Join(dir, n)
			info, err := os.Stat(at)
			if filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && (e.OS == "windows" || info.Mode()&0o111 != 0) {
				return at
			}
		}
	}
	return ""
}

func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// fill makes the files, arguments and variables of a way.
func (q Request) fill(s *Session, way *agent.Way) error {
	entries, err := q.Env.Wanted(q.Agent, install.Want{Scope: agent.ScopeUser, Extra: q.Extra})
	if err != nil {
		return err
	}
	if way.Inline != nil {
		hooks, err := plain(q.Agent, entries)
		s.Args = append(s.Args, way.Inline(hooks)...)
		return err
	}
	if s.Dir, err = q.folder(way); err != nil {
		return err
	}
	if err := q.files(s, way, entries); err != nil {
		return err
	}
	for _, arg := range way.Args {
		s.Args = append(s.Args, in(s.Dir, arg))
	}
	for _, v := range way.Env {
		s.Set = append(s.Set, in(s.Dir, v))
	}
	if way.Layer != nil {
		s.Set = append(s.Set, q.beside(way.Layer)...)
	}
	if way.List == nil {
		return nil
	}
	value, err := q.listed(way.List, s.Dir)
	s.Set = append(s.Set, value)
	return err
}

func in(dir, text string) string { return strings.ReplaceAll(text, "{dir}", filepath.ToSlash(dir)) }

// plain reads the entries of a registration as they stand on a command line.
func plain(a *agent.Agent, entries []install.Entry) ([]agent.SessionHook, error) {
	setup := a.Setup()
	var list []agent.SessionHook
	for _, en := range entries {
		v, err := wire.Parse(en.JSON)
		if err != nil {
			return nil, fmt.Errorf("failed to read the registration of %s: %w", en.Native, err)
		}
		for h := range v.Get("hooks").Elems() {
			limit, _ := h.Get(setup.Keys.Timeout).Int()
			list = append(list, agent.SessionHook{Native: en.Native, Command: h.Get(setup.Keys.Command).Str(), Timeout: limit})
		}
	}
	return list, nil
}

// with adds variables to an environment; the last of a name counts.
func with(environ, set []string) []string {
	out := slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.ContainsFunc(set, func(s string) bool { return strings.HasPrefix(s, name+"=") })
	})
	return append(out, set...)
}

// Close removes the session's folder.
func (s *Session) Close() error {
	if s.Dir == "" {
		return nil
	}
	if err := os.RemoveAll(s.Dir); err != nil {
		return fmt.Errorf("failed to remove the session's folder: %w", err)
	}
	return nil
}
