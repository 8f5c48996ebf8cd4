package install

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/manifest"
	"github.com/hookspan/hookspan/internal/run"
)

// Needs is what of an agent's events and tools a manifest watches, rounded up: what comes too much is
// filtered again by every run.
type Needs struct {
	events map[string][]string // native event -> native tools; empty = all
	wide   bool                // some event of tools is needed for all of them
}

// tools lists the tools of all events together; nil = all.
func (n *Needs) tools() []string {
	if n.wide {
		return nil
	}
	var list []string
	for _, tools := range n.events {
		for _, t := range tools {
			if !slices.Contains(list, t) {
				list = append(list, t)
			}
		}
	}
	slices.Sort(list)
	return list
}

// NeedsOf returns what a manifest needs of an agent.
func NeedsOf(a *agent.Agent, p *manifest.Plan) *Needs {
	s := a.Setup()
	n := &Needs{events: map[string][]string{}}
	all := map[string]bool{}
	for gi := range p.Groups {
		g := &p.Groups[gi]
		if !concerns(g, a) {
			continue
		}
		for _, r := range rows(a, g.Event) {
			tools, some := toolsOf(a, r, g.Matcher)
			if !some || narrow(&s, r) == agent.NarrowNo {
				all[r.Native] = true
				n.wide = n.wide || ofTool(r)
			}
			for _, t := range tools {
				if !slices.Contains(n.events[r.Native], t) {
					n.events[r.Native] = append(n.events[r.Native], t)
				}
			}
			if n.events[r.Native] == nil {
				n.events[r.Native] = []string{}
			}
		}
	}
	for native := range all {
		n.events[native] = []string{}
	}
	return n
}

// concerns reports whether any handler of a group is for the agent.
func concerns(g *manifest.Group, a *agent.Agent) bool {
	return slices.ContainsFunc(g.Handlers, func(h manifest.Handler) bool { return len(h.Agents) == 0 || slices.Contains(h.Agents, a.Name) })
}

// rows returns the events of an agent from which a common event comes and that may be registered: those
// that mean it, and those of which a payload may tell that it is the other one.
func rows(a *agent.Agent, name hook.Name) []*agent.Row {
	s := a.Setup()
	var list []*agent.Row
	for i := range a.Events {
		r := &a.Events[i]
		if r.Name == name && s.Takes(r) || r.Name == "" && r.Native == string(name) && r.Danger == "" {
			list = append(list, r)
		}
	}
	if len(list) > 0 {
		return list
	}
	for _, r := range s.Registers(a) {
		failed := name == hook.PostToolUseFailure && r.Name == hook.PostToolUse
		child := name == hook.SubagentStop && r.Name == hook.Stop && r.Children
		if failed || child {
			list = append(list, r)
		}
	}
	return list
}

// toolsOf returns the native tools that a matcher hits. some is false where they cannot be listed: the
// matcher hits everything, or tools that stand in no table.
func toolsOf(a *agent.Agent, r *agent.Row, m manifest.Matcher) (tools []string, some bool) {
	if !ofTool(r) || m.All() || m.Pattern != "" {
		return nil, false
	}
	if slices.Contains(m.Kinds, hook.KindMCP) || slices.Contains(m.Kinds, hook.KindOther) {
		return nil, false
	}
	known := map[string]bool{}
	for i := range a.Tools {
		t := &a.Tools[i]
		known[t.Name], known[t.Native] = true, true
		if hits(t, m) {
			tools = append(tools, t.Native)
		}
	}
	for _, name := range m.Names {
		if strings.HasPrefix(name, "mcp__") || !plainName(name) {
			return nil, false // another name in this agent
		}
		if !known[name] && !isClaudes(name) {
			tools = append(tools, name)
		}
	}
	return tools, true
}

// hits reports whether a matcher concerns a tool. A patch is split into a Write or an Edit for each file.
func hits(t *agent.Tool, m manifest.Matcher) bool {
	list := []string{t.Native}
	if t.Name != "" {
		list = []string{t.Name}
	}
	if t.Patch != "" {
		return m.Match(append(list, "Write", "Edit"), hook.KindEdit) || m.Match(nil, hook.KindWrite)
	}
	return m.Match(list, t.Kind)
}

// isClaudes reports whether a name is one of the common ones, which an agent without such a tool does
// not have.
func isClaudes(name string) bool {
	return slices.Contains([]string{"Bash", "Read", "Write", "Edit", "Grep", "Glob", "WebFetch", "WebSearch", "Agent", "Task", "NotebookEdit", "MultiEdit"}, name)
}

func plainName(s string) bool { return regexp.MustCompile(`^\w+$`).MatchString(s) }

// Manifests are the manifests that a registration is for.
type Manifests struct{ User, Project *manifest.Plan }

// Manifests reads the user's and the project's manifest, if there are any. A broken one is an error
// with its first fault: what it needs is not known.
func (e Env) Manifests() (Manifests, error) {
	var m Manifests
	var err error
	if m.User, err = readPlan(manifest.UserPath(e.Get), manifest.User); err != nil {
		return m, err
	}
	for _, path := range manifest.Find(e.Project) {
		if m.Project, err = readPlan(path, manifest.Project); err != nil {
			return m, err
		}
	}
	return m, nil
}

func readPlan(path string, scope manifest.Scope) (*manifest.Plan, error) {
	if path == "" {
		return nil, nil
	}
	content, err := manifest.Read(path)
	if os.IsNotExist(err) || err != nil && isNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p, problems := manifest.Parse(path, content, run.Vocabulary{})
	if len(problems) > 0 {
		return nil, fmt.Errorf("%w; mend it first, then install again", problems[0])
	}
	p.At(path, scope)
	return p, nil
}

// Natives lists the agent's own events that a manifest names and that a registration for everything
// lacks, since no common event means the same.
func Natives(a *agent.Agent, p *manifest.Plan) []string {
	if p == nil {
		return nil
	}
	var list []string
	for gi := range p.Groups {
		g := &p.Groups[gi]
		if r := a.Row(string(g.Event)); r != nil && r.Name == "" && concerns(g, a) && !slices.Contains(list, r.Native) {
			list = append(list, r.Native)
		}
	}
	return list
}

// Dead is a handler of a manifest that can never run in an agent.
type Dead struct {
	Handler string
	Path    string // of the manifest
	Line    int
	Why     string
	Guards  bool // it was there to refuse: a guard, or on_failure: block
	Partly  bool // it runs, but not in every mode of the agent
}

// DeadIn lists the handlers of a manifest that can never run in an agent, and the guards and gates that do not
// run in some of its modes.
func DeadIn(a *agent.Agent, p *manifest.Plan) []Dead {
	if p == nil {
		return nil
	}
	var list []Dead
	for gi := range p.Groups {
		g := &p.Groups[gi]
		why, partly := deadGroup(a, g), false
		if why == "" {
			why, partly = missedModes(a, g), true
		}
		if why == "" {
			continue
		}
		for hi := range g.Handlers {
			h := &g.Handlers[hi]
			if len(h.Agents) > 0 && !slices.Contains(h.Agents, a.Name) {
				continue
			}
			guards := h.Type == manifest.Guard || h.OnFailure == manifest.Block
			if partly && !guards && !h.Gate {
				continue // an observer that misses some runs is no surprise
			}
			list = append(list, Dead{Handler: h.Name, Path: p.Path, Line: h.Line, Why: why, Guards: guards && !partly, Partly: partly})
		}
	}
	return list
}

func deadGroup(a *agent.Agent, g *manifest.Group) string {
	found := rows(a, g.Event)
	if len(found) == 0 {
		if r := a.Row(string(g.Event)); r != nil && r.Danger != "" {
			return a.Title + "'s " + string(g.Event) + " is not registered: " + r.Danger
		}
		if nativeElsewhere(g.Event) {
			return ""
		}
		return a.Title + " has no " + string(g.Event)
	}
	for _, r := range found {
		tools, some := toolsOf(a, r, g.Matcher)
		if !some || len(tools) > 0 {
			return ""
		}
	}
	if len(a.Tools) == 0 {
		return ""
	}
	return a.Title + " has no tool that " + g.Matcher.Text + " hits on " + string(g.Event)
}

// missedModes tells in which modes of the agent an event never comes.
func missedModes(a *agent.Agent, g *manifest.Group) string {
	var modes []string
	for i, r := range rows(a, g.Event) {
		if i == 0 {
			modes = r.NotIn
			continue
		}
		modes = slices.DeleteFunc(slices.Clone(modes), func(m string) bool { return !slices.Contains(r.NotIn, m) })
	}
	if len(modes) == 0 {
		return ""
	}
	return a.Title + " has no " + string(g.Event) + " in: " + strings.Join(modes, ", ")
}

// nativeElsewhere reports whether an event is another agent's own: whoever names it means that agent.
func nativeElsewhere(name hook.Name) bool { return !slices.Contains(hook.Names(), name) }
