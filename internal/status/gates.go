package status

import (
	"fmt"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/splice"
)

// shut is a gate that is shut.
type shut struct {
	what, do string
	scope    string // "user", "project", or "" for both
}

// Closed tells of the switches that keep an agent here from running any hook, one of a session included.
func Closed(env install.Env, a *agent.Agent) []Finding {
	var list []Finding
	for _, g := range closed(env, a) {
		if g.scope == "" {
			list = append(list, Finding{Wrong: true, Kind: "gated", What: g.what, Do: g.do})
		}
	}
	return list
}

// closed returns the gates of an agent that are shut here.
func closed(env install.Env, a *agent.Agent) []shut {
	if a.Gates == nil {
		return nil
	}
	var list []shut
	seen := map[string]bool{}
	switches, vars := a.Gates()
	for i := range switches {
		for _, pattern := range switches[i].Files {
			if s, ok := shutIn(env, &switches[i], pattern); ok && !seen[s.what] {
				seen[s.what] = true
				list = append(list, s)
			}
		}
	}
	for _, v := range vars {
		if env.Get(v.Name) == v.Is {
			list = append(list, shut{scope: scopeOf(v.Stops), what: fmt.Sprintf("%s=%s switches off %s", v.Name, v.Is, people(v.Stops)), do: "unset " + v.Name})
		}
	}
	return list
}

// shutIn looks at a gate in one file.
func shutIn(env install.Env, g *agent.Gate, pattern string) (shut, bool) {
	if strings.Contains(pattern, `:\`) && env.OS != "windows" {
		return shut{}, false
	}
	doc, path := readDoc(env, atDir(env, pattern))
	if doc == nil {
		return shut{}, false
	}
	at := splice.Path{}
	for _, k := range g.Key {
		at = at.Key(atDir(env, k))
	}
	v := doc.Get(at)
	if v.Kind() == splice.Absent || !v.Equals([]byte(g.Is)) {
		return shut{}, false
	}
	return shut{scope: scopeOf(g.Stops), do: g.Lift + " (" + env.Shown(path) + ")",
		what: fmt.Sprintf("%s:%d: %s is %s, which switches off %s", env.Shown(path), v.Line(), at, g.Is, people(g.Stops))}, true
}

func scopeOf(stops string) string {
	if stops == agent.UserHooks || stops == agent.ProjectHooks {
		return stops
	}
	return ""
}

func people(stops string) string {
	if s := scopeOf(stops); s != "" {
		return "the " + s + "'s hooks"
	}
	return stops
}
