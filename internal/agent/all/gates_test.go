package all

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// The law: a gate can be looked for. Its files are patterns that lead to an absolute path, its value is
// JSON, what it stops is one of the four words, and it says what to do.
func TestGatesCanBeLookedFor(t *testing.T) {
	stops := []string{agent.Everything, agent.NotManaged, agent.UserHooks, agent.ProjectHooks}
	seen := 0
	for _, a := range Agents() {
		if a.Gates == nil {
			continue
		}
		gates, vars := a.Gates()
		for _, g := range gates {
			seen++
			if _, err := wire.Parse([]byte(g.Is)); err != nil || len(g.Files) == 0 || len(g.Key) == 0 || g.Lift == "" || !slices.Contains(stops, g.Stops) {
				t.Errorf("%s: %+v: %v", a.Name, g, err)
			}
			for _, f := range g.Files {
				if !slices.ContainsFunc([]string{"~/", "/", "{project}/", "{cwd}/", "${", `C:\`}, func(p string) bool { return strings.HasPrefix(f, p) }) ||
					!slices.Contains([]string{".json", ".json}", ".toml"}, path.Ext(f)) {
					t.Errorf("%s: nobody finds or reads %s", a.Name, f)
				}
			}
		}
		for _, v := range vars {
			seen++
			if v.Name == "" || v.Is == "" || !slices.Contains(stops, v.Stops) {
				t.Errorf("%s: %+v", a.Name, v)
			}
		}
	}
	if seen == 0 {
		t.Error("no agent has a gate")
	}
}
