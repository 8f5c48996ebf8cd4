package guard

import (
	"fmt"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/manifest"
)

// rule is a built-in guard: what a manifest may say of it, and what it does.
type rule struct {
	manifest.GuardSpec
	check func(*manifest.Handler, hook.Event, string) (hook.Decision, error)
}

func rules() []rule {
	return []rule{{manifest.GuardSpec{Name: "protect-paths", Doc: "refuses to read or write the files that paths names",
		Keys: []manifest.GuardKey{
			{Name: "paths", Doc: "patterns as in .gitignore; ! takes a match back", Shape: manifest.Patterns, Required: true},
			{Name: "access", Doc: "what is refused", Shape: manifest.Word, Words: []string{"any", "read", "write"}},
		}}, protectPaths}}
}

// Specs lists the guards, for manifests.
func Specs() []manifest.GuardSpec {
	var list []manifest.GuardSpec
	for _, r := range rules() {
		list = append(list, r.GuardSpec)
	}
	return list
}

// Rules is the set of built-in guards; it is what the engine calls.
type Rules struct{}

// Check returns a guard's decision on an event. base is the folder that its paths are relative to.
func (Rules) Check(h *manifest.Handler, ev hook.Event, base string) (hook.Decision, error) {
	for _, s := range rules() {
		if s.Name == h.Guard {
			return s.check(h, ev, base)
		}
	}
	return hook.Decision{}, fmt.Errorf("there is no guard %q", h.Guard)
}
