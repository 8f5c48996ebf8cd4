package install

import (
	"context"
	"maps"
	"testing"

	"github.com/hookspan/hookspan/internal/agent/all"
)

// What spares OpenCode its wait for npm is made once, never beside dependencies of the user's own, and goes
// with the registration.
func TestWhatSparesTheWaitForNPMGoesAgain(t *testing.T) {
	a := all.Get("opencode")
	for _, file := range []string{"", ".config/opencode/opencode.json"} {
		e := scratch(t)
		if file != "" {
			e.write(t, file, "{}\n")
		}
		before := e.tree(t)
		mustInstall(t, e, a, Manifests{}, Options{})
		for _, first := range []bool{true, false} {
			f, done, err := e.SpareNPM(context.Background(), a, Options{})
			if err != nil || !done || f.Changed != first {
				t.Fatalf("%+v %v %v", f, done, err)
			}
		}
		if got := e.tree(t)[".config/opencode/node_modules"]; got != "folder" {
			t.Errorf("node_modules is %q", got)
		}
		mustUninstall(t, e, a, Options{})
		if after := e.tree(t); !maps.Equal(before, after) {
			t.Errorf("left: %v", after)
		}
	}
}

func TestAFolderWithDependenciesOfItsOwnStays(t *testing.T) {
	a := all.Get("opencode")
	e := scratch(t)
	e.write(t, ".config/opencode/package.json", "{}\n")
	before := e.tree(t)
	if _, done, err := e.SpareNPM(context.Background(), a, Options{}); err != nil || done {
		t.Errorf("%v %v", done, err)
	}
	mustUninstall(t, e, a, Options{})
	if after := e.tree(t); !maps.Equal(before, after) {
		t.Errorf("changed: %v", after)
	}
}
