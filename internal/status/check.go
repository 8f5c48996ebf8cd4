package status

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/splice"
	"github.com/hookspan/hookspan/internal/state"
)

// Scopes are those in which a registration may stand.
func Scopes() []agent.Scope { return []agent.Scope{agent.ScopeUser, agent.ScopeProject} }

// Make looks at this machine, for the agents and scopes that are asked for.
func Make(env install.Env, agents []*agent.Agent, scopes []agent.Scope) Report {
	r := Report{Manifests: Manifests(env)}
	if env.AtHome() { // the same files a second time
		scopes = slices.DeleteFunc(slices.Clone(scopes), func(s agent.Scope) bool { return s == agent.ScopeProject })
	}
	fired := state.Open(env.State).LastFired()
	registered := 0
	for _, a := range agents {
		if a.Setup == nil {
			continue
		}
		c := checker{env: env, a: a, s: a.Setup(), scopes: scopes, fired: fired, manifests: r.Manifests}
		r.Agents = append(r.Agents, c.check())
		if c.out.Registered() {
			registered++
		}
	}
	for i := range r.Manifests {
		r.Findings = append(r.Findings, about(env, &r.Manifests[i], r.Agents)...)
	}
	if len(r.Manifests) > 0 && registered == 0 {
		r.Findings = append(r.Findings, Finding{Kind: "off", What: "there are hooks, and no agent here starts them", Do: "hookspan install"})
	}
	if len(r.Manifests) == 0 && registered > 0 {
		r.Findings = append(r.Findings, Finding{Kind: "empty", What: "hookspan is registered, and there is no hookspan.yaml here nor for the user", Do: "hookspan init"})
	}
	return r
}

// about tells of a manifest's trust.
func about(env install.Env, m *Manifest, agents []Agent) []Finding {
	if !m.Untrusted() {
		return nil
	}
	what := env.Shown(m.Path) + " is not trusted: its guards guard, its programs do not run"
	for i := range agents {
		if has(agents[i].Scopes, "project") {
			what += ", except through the project's own registration where that names the checkout"
			break
		}
	}
	return []Finding{{Kind: "trust", What: what, Do: "hookspan trust"}}
}

// checker looks at one agent.
type checker struct {
	env       install.Env
	a         *agent.Agent
	s         agent.Setup
	scopes    []agent.Scope
	fired     map[state.Fired]time.Time
	manifests []Manifest

	out     Agent
	files   []*file
	entries []entry
	shut    []shut
	trust   func(agent.Hook) (agent.Trust, string) // in one hook; nil = the agent has no such trust
}

func (c *checker) check() Agent {
	c.out = Agent{Name: c.a.Name, Title: c.a.Title, Evidence: c.a.Level, Here: c.env.Uses(&c.s)}
	for _, scope := range c.scopes {
		c.scope(scope)
	}
	if c.out.Registered() {
		c.shut = closed(c.env, c.a)
		if c.s.HookTrust != nil {
			c.trust = c.s.HookTrust.Read(c.look())
		}
	}
	for i := range c.a.Events {
		c.out.Events = append(c.out.Events, c.event(&c.a.Events[i]))
	}
	if c.out.Registered() {
		c.judge()
	}
	return c.out
}

// scope reads the files of a scope.
func (c *checker) scope(scope agent.Scope) {
	found := false
	for _, f := range files(c.env, &c.s, scope) {
		c.files = append(c.files, f)
		if f.err != nil && f.carrier.Own && f.path != "" {
			continue // somebody else's, under our name; the agent drops that file alone
		}
		if f.err != nil {
			c.found(Finding{Wrong: true, Kind: "broken", What: f.err.Error(), Do: "mend the file: " + c.a.Title + " may read none of it"})
			continue
		}
		if list := f.entries(c.env, c.a, &c.s); len(list) > 0 {
			c.entries = append(c.entries, list...)
			c.out.Files = append(c.out.Files, f.path)
			found = true
		}
	}
	if found {
		c.out.Scopes = append(c.out.Scopes, scope.String())
	}
}

func (c *checker) found(f Finding) { c.out.Findings = append(c.out.Findings, f) }

// event judges one event.
func (c *checker) event(r *agent.Row) Event {
	ev := Event{Native: r.Native, Name: string(r.Name), Evidence: r.Proof.Level, NotIn: r.NotIn}
	ev.Fired = c.fired[state.Fired{Agent: c.a.Name, Event: cmp.Or(string(r.Name), r.Native)}]
	if ev.Fired.After(c.out.Last) {
		c.out.Last = ev.Fired
	}
	ev.State, ev.Why = c.absent(r)
	best := Unasked + 1
	for i := range c.entries {
		en := &c.entries[i]
		if en.native != r.Native {
			continue
		}
		ev.Files = append(ev.Files, en.file.path)
		if s, why := c.entry(en); s < best {
			best, ev.State, ev.Why = s, s, why
		}
	}
	return ev
}

// absent is the state of an event that is in no file.
func (c *checker) absent(r *agent.Row) (State, string) {
	switch {
	case !c.s.Takes(r):
		return Unasked, cmp.Or(r.Danger, r.Hot, "no handler asks for it by a common name")
	case !c.out.Registered():
		return Off, ""
	case !has(c.out.Scopes, "user"):
		return Unasked, "the project's registration has what its manifest needs"
	}
	return Missing, "it was registered by a version of hookspan that had it not, or taken out"
}

// entry judges one entry.
func (c *checker) entry(en *entry) (State, string) {
	if by := c.shadow(en); by != "" {
		return Shadowed, by + " defines " + en.native + ", so " + c.a.Title + " does not read it here"
	}
	for _, g := range c.shut {
		if g.scope == "" || g.scope == en.file.scope.String() {
			return Gated, g.what
		}
	}
	if why := c.stale(en); why != "" {
		return Stale, why
	}
	return c.trusted(en)
}

// shadow returns the file that keeps an entry from being read, "" if none does.
func (c *checker) shadow(en *entry) string {
	for _, f := range c.files {
		if f == en.file {
			return ""
		}
		if f.scope != en.file.scope {
			continue
		}
		if en.file.carrier.Legacy && f.exists {
			return c.env.Shown(f.path) // the older place counts only where there is no newer one
		}
		if c.s.Choice == agent.ChooseByEvent && f.events().Get(en.native).Kind() != splice.Absent && !(f.carrier.Legacy && exists(c.first(f.scope))) {
			return c.env.Shown(f.path)
		}
	}
	return ""
}

// first is the path of a scope's first carrier.
func (c *checker) first(scope agent.Scope) string {
	for _, f := range c.files {
		if f.scope == scope {
			return f.path
		}
	}
	return ""
}

// stale tells why an entry does not start this program.
func (c *checker) stale(en *entry) string {
	if en.note != "" {
		return en.note
	}
	if en.file.scope == agent.ScopeProject {
		return "" // the bare name, for everybody's machine
	}
	program := filepath.FromSlash(en.program)
	switch {
	case program == c.env.Program:
		return ""
	case filepath.IsAbs(program) && !exists(program):
		return "it starts " + program + ", which is gone"
	case !filepath.IsAbs(program):
		return "it starts " + strconv.Quote(en.program) + " by PATH, which a repository may set"
	}
	return "it starts " + program + ", and this program is " + c.env.Program
}

// judge turns the states of events into what people should know.
func (c *checker) judge() {
	c.group(Shadowed, "hookspan install --agent "+c.a.Name)
	c.group(Stale, "hookspan install --agent "+c.a.Name)
	c.group(Missing, "hookspan install --agent "+c.a.Name)
	trust, on := "", ""
	if c.s.HookTrust != nil {
		trust, on = c.s.HookTrust.Trust, c.s.HookTrust.On
	}
	c.group(Untrusted, trust)
	c.gated(on)
	c.duplicates()
	c.below()
	c.bare()
	c.folder()
	c.out.Findings = append(c.out.Findings, dead(c.a, c.manifests, c.env)...)
}

// group makes one finding of all events in a state for the same reason.
func (c *checker) group(s State, do string) {
	var whys []string
	events := map[string][]string{}
	for _, ev := range c.out.Events {
		if ev.State == s {
			if events[ev.Why] == nil {
				whys = append(whys, ev.Why)
			}
			events[ev.Why] = append(events[ev.Why], ev.Native)
		}
	}
	for _, why := range whys {
		c.found(Finding{Wrong: true, Kind: s.String(), What: some(events[why]) + ": " + why, Do: do})
	}
}

// gated tells of each switch once. on is what to do about a hook that is switched off by itself.
func (c *checker) gated(on string) {
	for _, g := range c.shut {
		c.found(Finding{Wrong: true, Kind: "gated", What: g.what, Do: g.do})
	}
	for _, ev := range c.out.Events {
		if ev.State == Gated && len(c.shut) == 0 {
			c.found(Finding{Wrong: true, Kind: "gated", What: ev.Native + ": " + ev.Why, Do: on})
		}
	}
}

// duplicates: twice in one scope is a mistake, which costs time; in both scopes it may be meant.
func (c *checker) duplicates() {
	type key struct {
		scope  agent.Scope
		native string
	}
	count := map[key]int{}
	for i := range c.entries {
		count[key{c.entries[i].file.scope, c.entries[i].native}]++
	}
	var twice []string
	for _, ev := range c.out.Events {
		if count[key{agent.ScopeUser, ev.Native}] > 1 || count[key{agent.ScopeProject, ev.Native}] > 1 {
			twice = append(twice, ev.Native)
		}
	}
	if len(twice) > 0 {
		c.found(Finding{Wrong: true, Kind: "duplicated", What: some(twice) + ": registered more than once in one scope", Do: "hookspan install --agent " + c.a.Name})
	}
	if len(c.out.Scopes) > 1 {
		c.found(Finding{Kind: "duplicated", What: "registered for the user and for the project: what arrives twice is answered the same twice, programs run once"})
	}
}

// below: some agents read a project's file only where they are started.
func (c *checker) below() {
	if c.env.Dir == c.env.Project || !has(c.out.Scopes, "project") {
		return
	}
	for _, p := range c.a.Places() {
		for _, carrier := range c.s.Project {
			if p.Read && p.Path == carrier.Path && strings.HasPrefix(p.Walk, "launch folder only") {
				c.found(Finding{Kind: "below", What: fmt.Sprintf("started in this folder, %s does not read %s", c.a.Title, filepath.FromSlash(atDir(c.env, carrier.Path))), Do: "start it in " + c.env.Project})
				return
			}
		}
	}
}

// bare: a project's registration starts us by name.
func (c *checker) bare() {
	if !has(c.out.Scopes, "project") || onPath(c.env) {
		return
	}
	c.found(Finding{Wrong: true, Kind: "stale", What: "the project's registration starts hookspan by its name, and PATH has no hookspan: it does nothing",
		Do: "add " + filepath.Dir(c.env.Program) + " to PATH"})
}

func onPath(env install.Env) bool {
	for _, dir := range filepath.SplitList(env.Get("PATH")) {
		if filepath.IsAbs(dir) && (exists(filepath.Join(dir, install.Name)) || exists(filepath.Join(dir, install.Name+".exe"))) {
			return true
		}
	}
	return false
}

// some lists a few names.
func some(names []string) string {
	if len(names) > 4 {
		return strings.Join(names[:3], ", ") + fmt.Sprintf(" and %d more", len(names)-3)
	}
	return strings.Join(names, ", ")
}
