package install

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// defaultLimit is registered where a row names no limit.
const defaultLimit = time.Minute

// Entry is one entry that a registration has.
type Entry struct {
	Native  string
	Matcher string // "" = none
	Command string // the command line, as this system's shell gets it
	JSON    []byte // the element of the event's list
	keys    []key  // of the handler: what a moved program or a new version changes
}

// key is a member of a handler that holds a command line.
type key struct{ name, line string }

// Want says what a registration shall have.
type Want struct {
	Scope  agent.Scope
	Strict bool
	Needs  *Needs // of a project's manifest; nil = everything
	Extra  []string
}

// Wanted returns the entries of a registration, in the order of the common events: the order of a table must not
// change what is written.
func (e Env) Wanted(a *agent.Agent, w Want) ([]Entry, error) {
	s := a.Setup()
	var list []Entry
	for i := range a.Events {
		r := &a.Events[i]
		matcher, ok := w.takes(&s, r)
		if !ok {
			continue
		}
		en, err := e.entry(a, &s, r, w, matcher)
		if err != nil {
			return nil, err
		}
		list = append(list, en)
	}
	rank := func(en Entry) int {
		if i := slices.Index(hook.Names(), a.Row(en.Native).Name); i >= 0 {
			return i
		}
		return len(hook.Names())
	}
	slices.SortStableFunc(list, func(x, y Entry) int { return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(x.Native, y.Native)) })
	return list, nil
}

// takes reports whether an event is registered, and for which tools.
func (w Want) takes(s *agent.Setup, r *agent.Row) (matcher string, ok bool) {
	if w.Needs != nil {
		tools, ok := w.Needs.events[r.Native]
		return narrowed(s, r, tools), ok
	}
	return "", s.Takes(r) || slices.Contains(w.Extra, r.Native) && r.Danger == ""
}

// narrowed is the matcher for exact tool names; none = all tools.
func narrowed(s *agent.Setup, r *agent.Row, tools []string) string {
	if len(tools) == 0 {
		return ""
	}
	switch narrow(s, r) {
	case agent.NarrowExact:
		return strings.Join(tools, "|")
	case agent.NarrowRegex:
		return "^(" + strings.Join(tools, "|") + ")$"
	}
	return ""
}

func narrow(s *agent.Setup, r *agent.Row) agent.Narrow {
	if r.Narrow == agent.NarrowNo && ofTool(r) {
		return s.Narrow
	}
	return r.Narrow
}

func (e Env) entry(a *agent.Agent, s *agent.Setup, r *agent.Row, w Want, matcher string) (Entry, error) {
	en := Entry{Native: r.Native, Matcher: matcher}
	if s.Layout == agent.Generated {
		return en, nil
	}
	var err error
	if en.keys, err = e.lines(a, s, w.Scope, r.Native); err != nil {
		return en, err
	}
	en.Command = en.keys[0].line
	grouped := s.Layout == agent.Grouped || s.Layout == agent.ToolsGrouped && ofTool(r)
	if en.Matcher == "" && ofTool(r) {
		en.Matcher = s.All
	}
	var h wire.ObjectWriter
	if s.Keys.Type {
		h.Str("type", "command")
	}
	for _, k := range en.keys {
		h.Str(k.name, k.line)
	}
	h.Raw(s.Keys.Timeout, limit(a, r))
	if w.Strict && s.Keys.Strict != "" && r.Cells[agent.Deny].Can {
		h.Raw(s.Keys.Strict, []byte(s.Keys.StrictJSON))
	}
	if !grouped {
		h.StrIf("matcher", en.Matcher)
		en.JSON = escaped(h.Bytes(), s.Escape)
		return en, nil
	}
	var g wire.ObjectWriter
	g.StrIf("matcher", en.Matcher)
	g.Raw("hooks", slices.Concat([]byte{'['}, h.Bytes(), []byte{']'}))
	en.JSON = escaped(g.Bytes(), s.Escape)
	return en, nil
}

func ofTool(r *agent.Row) bool {
	switch r.Name {
	case hook.PreToolUse, hook.PostToolUse, hook.PostToolUseFailure, hook.PermissionRequest:
		return true
	}
	return false
}

// lines are the command lines of an entry, the one of this system first.
func (e Env) lines(a *agent.Agent, s *agent.Setup, scope agent.Scope, native string) ([]key, error) {
	sh := agent.POSIX
	if e.OS == "windows" && scope == agent.ScopeUser && s.Keys.PowerShell == "" {
		sh = s.Windows
	}
	first, err := e.line(a, s, scope, native, sh)
	if err != nil {
		return nil, err
	}
	list := []key{{s.Keys.Command, first}}
	more := s.Keys.PowerShell
	if more == "" && scope == agent.ScopeProject {
		more = s.Keys.Windows
	}
	if more != "" {
		second, err := e.line(a, s, scope, native, agent.PowerShell)
		if err != nil {
			return nil, err
		}
		list = append(list, key{more, second})
	}
	return list, nil
}

// limit is the time limit in the agent's unit, as a JSON number.
func limit(a *agent.Agent, r *agent.Row) []byte {
	d := r.Timeout.Register
	if d <= 0 {
		d = defaultLimit
	}
	unit := time.Second
	if a.Unit == agent.Milliseconds {
		unit = time.Millisecond
	}
	if d%unit == 0 {
		return strconv.AppendInt(nil, int64(d/unit), 10)
	}
	return strconv.AppendFloat(nil, float64(d)/float64(unit), 'f', -1, 64)
}

// escaped spells the slashes of texts that the agent would take for comments.
func escaped(json []byte, texts []string) []byte {
	for _, t := range texts {
		json = bytes.ReplaceAll(json, []byte(t), []byte(strings.ReplaceAll(t, "/", `\u002f`)))
	}
	return json
}

// Document returns a whole settings file that registers us, as install writes it into an empty folder.
func (e Env) Document(a *agent.Agent, w Want) ([]byte, error) {
	s := a.Setup()
	if s.Layout == agent.Generated {
		return e.generated(a, &s, w)
	}
	entries, err := e.Wanted(a, w)
	if err != nil {
		return nil, err
	}
	c := s.Carriers(w.Scope)[0]
	doc, err := read(c, c.Path, nil)
	if err != nil {
		return nil, err
	}
	ed := editor{doc: doc, carrier: c, setup: &s, names: names(a, &s)}
	if err := ed.install(entries, nil); err != nil {
		return nil, fmt.Errorf("failed to write the registration of %s: %w", a.Title, err)
	}
	return doc.Bytes(), nil
}

// generated makes the file of an agent that runs functions.
func (e Env) generated(a *agent.Agent, s *agent.Setup, w Want) ([]byte, error) {
	if s.Bridge == nil {
		return nil, fmt.Errorf("failed to register %s: it has no generator for its file", a.Title)
	}
	entries, err := e.Wanted(a, w)
	if err != nil {
		return nil, err
	}
	b := agent.Bridge{Program: e.Program, Block: w.Strict}
	if w.Scope == agent.ScopeProject {
		b.Program, b.Project = Name, s.Checkout
	}
	for _, en := range entries {
		b.Events = append(b.Events, en.Native)
	}
	if w.Needs != nil {
		b.Tools = w.Needs.tools()
	}
	return s.Bridge(b), nil
}

// names lists what an agent is called in a registered command.
func names(a *agent.Agent, s *agent.Setup) []string { return s.Names(a) }
