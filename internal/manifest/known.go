package manifest

import (
	"errors"

	"github.com/hookspan/hookspan/hook"
)

// Vocabulary is what a manifest may name. With a nil Vocabulary names are not checked, and there are
// no guards and no http handlers.
type Vocabulary interface {
	// ToolHint tells of a tool's name the name under which the tool arrives: claude is another name
	// for an agent's own word ("run_shell_command": "Bash"), the same or "" for one that stays. known
	// is false for a name that stands in no table.
	ToolHint(name string) (claude string, known bool)
	// EventHint tells of an agent's own event name the common name under which the event arrives
	// ("BeforeTool": "PreToolUse"). native is true for one that stays as it is. "" and false: nobody
	// has such an event.
	EventHint(name string) (common string, native bool)
	// AgentNames lists the agents.
	AgentNames() []string
	// Guards lists the guards that are built in, with their keys.
	Guards() []GuardSpec
	// CheckURL returns why an http handler must not post to a URL, nil if it may.
	CheckURL(url string) error
}

// nothing is the vocabulary of those who pass none.
type nothing struct{}

func (nothing) ToolHint(string) (string, bool)  { return "", true }
func (nothing) EventHint(string) (string, bool) { return "", false }
func (nothing) AgentNames() []string            { return nil }
func (nothing) Guards() []GuardSpec             { return nil }
func (nothing) CheckURL(string) error           { return errors.New("http handlers do not run here") }

// GuardSpec is a guard's name and its own keys.
type GuardSpec struct {
	Name   string
	Doc    string // one sentence, for the schema
	Keys   []GuardKey
	Events []hook.Name // on which it can act; empty = those of tools
}

// Shape is what a guard's key holds.
type Shape uint8

// The shapes of a guard's keys.
const (
	Patterns Shape = iota // a list of .gitignore-like patterns, "!" excludes; one must not exclude
	Texts                 // a list of texts
	Text                  // one text
	Word                  // one of GuardKey.Words
)

// GuardKey is one of a guard's own keys.
type GuardKey struct {
	Name     string
	Doc      string // one sentence, for the schema
	Shape    Shape
	Words    []string // of a Word
	Required bool
}

func findGuard(guards []GuardSpec, name string) *GuardSpec {
	for i := range guards {
		if guards[i].Name == name {
			return &guards[i]
		}
	}
	return nil
}

func guardNames(guards []GuardSpec) []string {
	names := make([]string, len(guards))
	for i, g := range guards {
		names[i] = g.Name
	}
	return names
}

func (s *GuardSpec) key(name string) *GuardKey {
	for i := range s.Keys {
		if s.Keys[i].Name == name {
			return &s.Keys[i]
		}
	}
	return nil
}
