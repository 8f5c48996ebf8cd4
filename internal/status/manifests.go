package status

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/manifest"
	"github.com/hookspan/hookspan/internal/run"
	"github.com/hookspan/hookspan/internal/state"
	"github.com/hookspan/hookspan/internal/trust"
)

// Manifest is a manifest that is in force here.
type Manifest struct {
	Path     string
	Scope    manifest.Scope
	Trusted  bool // its programs may run; always so for the user's
	Programs int  // handlers that start a program or post to a URL
	Guards   int
	Problems []manifest.Problem // errors: the last good version is in force, if there is one
	Warnings []manifest.Problem
	plan     *manifest.Plan
}

// Untrusted reports whether handlers of the manifest are skipped for want of trust.
func (m *Manifest) Untrusted() bool { return !m.Trusted && m.Programs > 0 }

// Manifests returns the manifests in force in the folder of the call, the user's first.
func Manifests(env install.Env) []Manifest {
	store := state.Open(env.State)
	var list []Manifest
	if m, ok := read(store, manifest.UserPath(env.Get), manifest.User); ok {
		list = append(list, m)
	}
	for _, path := range manifest.Find(env.Dir) {
		if m, ok := read(store, path, manifest.Project); ok {
			list = append(list, m)
		}
	}
	return list
}

func read(store *state.Store, path string, scope manifest.Scope) (Manifest, bool) {
	m := Manifest{Path: path, Scope: scope, Trusted: scope == manifest.User}
	if path == "" {
		return m, false
	}
	content, err := manifest.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, false
	}
	if err != nil {
		m.Problems = []manifest.Problem{{Path: path, Msg: err.Error()}}
		return m, true
	}
	m.plan, m.Problems = manifest.Parse(path, content, run.Vocabulary{})
	if m.plan == nil {
		if good, ok := store.Good(path); ok {
			content = good
			m.plan, _ = manifest.Parse(path, good, run.Vocabulary{})
		}
	}
	m.Trusted = m.Trusted || trust.Open(store).Trusted(path, content)
	m.count()
	return m, true
}

func (m *Manifest) count() {
	if m.plan == nil {
		return
	}
	m.plan.At(m.Path, m.Scope)
	m.Warnings = m.plan.Warnings
	for gi := range m.plan.Groups {
		for hi := range m.plan.Groups[gi].Handlers {
			if m.plan.Groups[gi].Handlers[hi].Type == manifest.Guard {
				m.Guards++
			} else {
				m.Programs++
			}
		}
	}
}

// dead are the handlers that can never run in an agent. A guard among them is wrong: it was written down to
// refuse, and will not.
func dead(a *agent.Agent, list []Manifest, env install.Env) []Finding {
	var out []Finding
	for i := range list {
		for _, d := range install.DeadIn(a, list[i].plan) {
			out = append(out, Finding{Wrong: d.Guards, Kind: "dead",
				What: fmt.Sprintf("%s:%d: %s can never run: %s", env.Shown(d.Path), d.Line, d.Handler, d.Why),
				Do:   deadDo(a, d)})
		}
	}
	return out
}

func deadDo(a *agent.Agent, d install.Dead) string {
	if !d.Guards {
		return ""
	}
	return fmt.Sprintf("write it for an event that %s has (hookspan events --agent %s), or name the agents that it is for: agents: [...]", a.Title, a.Name)
}
