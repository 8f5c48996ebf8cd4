package run

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/engine"
	"github.com/hookspan/hookspan/internal/manifest"
	"github.com/hookspan/hookspan/internal/trust"
)

// sources finds, reads and judges the manifests that the event concerns: the user's first, then the
// project's. A broken one is replaced by its last good version, and the person is told.
func (c *call) sources(ev hook.Event) []engine.Source {
	if m := c.rep.Request.Manifest; m != "" {
		return c.add(nil, m, manifest.Project, true)
	}
	var list []engine.Source
	places := userManifests(c.env)
	for i, path := range places {
		// Of two places the first is named by a variable, and a repository may have set it.
		shipped := len(places) == 2 && i == 0 && within(path, ev.Cwd, ev.Project)
		list = c.add(list, path, manifest.User, !shipped)
	}
	for _, path := range projectManifests(ev, c.rep.Request.Project) {
		list = c.add(list, path, manifest.Project, false)
	}
	return list
}

// userManifests is the user's manifest. A repository may lead an agent to set XDG_CONFIG_HOME for the
// user's own hooks, which must not make the user's guards disappear: the default place counts as well.
func userManifests(env func(string) string) []string {
	path := manifest.UserPath(env)
	home := manifest.UserPath(func(name string) string {
		if name == "XDG_CONFIG_HOME" {
			return ""
		}
		return env(name)
	})
	if home == "" || home == path {
		return []string{path}
	}
	return []string{path, home}
}

// within reports whether a file lies in one of the folders, or in the checkout that the folder is in.
func within(path string, dirs ...string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		root := trust.Checkout(dir)
		if root == "" {
			root = dir
		}
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// projectManifests looks from the folders that the agent told, and from the registered one, upwards. All
// that is found counts: who changes the folder, or puts a manifest into a sub-folder, must not lose the
// guards of the project. Without a folder that the agent told there is none: the process's own folder
// may be anybody's (agy starts us in its configuration).
func projectManifests(ev hook.Event, registered string) []string {
	var list []string
	looked := ""
	for _, dir := range []string{ev.Project, registered, ev.Cwd} {
		if dir == "" || dir == looked || !filepath.IsAbs(dir) {
			continue
		}
		looked = dir
		for _, path := range manifest.FindAll(dir) {
			if !slices.Contains(list, path) {
				list = append(list, path)
			}
		}
	}
	return list
}

// add appends a manifest's plan to list, if there is one.
func (c *call) add(list []engine.Source, path string, scope manifest.Scope, trusted bool) []engine.Source {
	if path == "" {
		return list
	}
	content, err := manifest.Read(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) || c.rep.Request.Manifest != "" {
			c.rep.Problems = append(c.rep.Problems, manifest.Problem{Path: path, Msg: "failed to read the manifest: " + err.Error()})
		}
		if errors.Is(err, fs.ErrNotExist) {
			return list // taken away, not broken
		}
	}
	var plan *manifest.Plan
	if err == nil {
		var problems []manifest.Problem
		plan, problems = c.plan(path, scope, content)
		c.rep.Problems = append(c.rep.Problems, problems...)
	}
	if plan == nil {
		if content = c.store.lastGood(path); content == nil {
			return list
		}
		if plan, _ = c.plan(path, scope, content); plan == nil {
			return list
		}
	}
	return append(list, engine.Source{Plan: plan, Trusted: trusted || c.trusted(path, content)})
}

// plan returns the compiled manifest, from the cache where these very bytes have been read before.
func (c *call) plan(path string, scope manifest.Scope, content []byte) (*manifest.Plan, []manifest.Problem) {
	key := manifest.HashOf(content)
	if b := c.store.cachedPlan(key, path); b != nil {
		if p, err := manifest.DecodePlan(b); err == nil {
			p.At(path, scope)
			return p, nil
		}
	}
	p, problems := manifest.Parse(path, content, Vocabulary{})
	if len(problems) > 0 {
		return nil, problems
	}
	p.At(path, scope)
	c.store.keepPlan(key, path, content, p)
	return p, nil
}

// trusted reports whether a project's manifest may start programs: these very bytes were trusted,
// or the registration of the same checkout called us.
func (c *call) trusted(path string, content []byte) bool {
	if p := c.rep.Request.Project; p != "" && trust.SameCheckout(p, path) {
		return true
	}
	return c.store.trusts(path, content)
}
