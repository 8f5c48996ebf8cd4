package status

import (
	"path/filepath"

	"github.com/hookspan/hookspan/internal/agent"
)

// folder tells what the agent's own trust leaves open about hooks here. Where it cannot be seen, or is asked
// for when the agent starts, that is a note; where hooks are skipped in silence, it is wrong.
func (c *checker) folder() {
	if c.a.FolderTrust == nil {
		if has(c.out.Scopes, "project") && c.s.ProjectGate != "" {
			c.found(Finding{Kind: "trust", What: "not to be seen from here: " + c.s.ProjectGate})
		}
		return
	}
	d := c.a.FolderTrust(c.look())
	if d == nil {
		return
	}
	kind := "trust"
	if d.Wrong {
		kind = "untrusted"
	}
	c.found(Finding{Wrong: d.Wrong, Kind: kind, What: d.What, Do: d.Do})
}

// trusted is the agent's own trust in one entry of ours.
func (c *checker) trusted(en *entry) (State, string) {
	if c.trust == nil {
		return Registered, ""
	}
	trust, why := c.trust(agent.Hook{Files: []string{en.file.path, resolved(en.file.path)}, Native: en.native, Group: en.group, Handler: en.handler,
		Matcher: node{en.matcher}, Value: node{en.value}})
	return [...]State{agent.Trusted: Registered, agent.Distrusted: Untrusted, agent.SwitchedOff: Gated}[trust], why
}

func resolved(path string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path
	}
	return filepath.Join(dir, filepath.Base(path))
}

func has(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}
