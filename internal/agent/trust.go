package agent

import (
	"iter"
	"path/filepath"
	"strings"

	"github.com/hookspan/hookspan/internal/wire"
)

// Look is how an agent's folder looks at a machine: it reads settings and variables, and changes nothing.
type Look struct {
	Env       func(name string) string
	Project   string // the project's folder, absolute
	Dir       string // where the agent would be started: Project or a folder below
	OS        string // as runtime.GOOS
	InProject bool   // hookspan is registered in the project's files
	// Doc reads a settings file, written like Place.Path: TOML by its ending, else JSON with whatever
	// agents let pass in it. Where there is no such file, or it cannot be read, the root is absent.
	Doc func(path string) Node
	// Shown is a path, written like Place.Path, as people read it.
	Shown func(path string) string
}

// Node is a value in a settings file. It is never nil: what is not there has the kind wire.Absent.
type Node interface {
	Get(keys ...string) Node // what the keys lead to
	Kind() wire.Kind         // a date of TOML's is a Number
	Str() string             // of a String; else ""
	True() bool
	False() bool
	Int() int64                       // of a Number that is written as a whole number; else 0
	JSON() []byte                     // compact, nil if absent
	Elems() iter.Seq[Node]            // of an Array, in order
	Members() iter.Seq2[string, Node] // of an Object, in order
}

// Doubt is what an agent's own trust leaves open about hooks in a folder.
type Doubt struct {
	Wrong bool   // hooks are skipped in silence; else the agent will ask, or it cannot be seen from here
	What  string // for people
	Do    string // what to do; "" = nothing, or What says it
}

// HookTrust is an agent's trust in single hooks.
type HookTrust struct {
	// Read reads what the agent trusts; the function that it returns judges one hook.
	Read func(Look) func(Hook) (Trust, string)
	// Trust and On are what to do about a hook that is not trusted, and about one that is switched off.
	Trust, On string
}

// Trust is what an agent makes of one hook; the text beside it is why, "" where it is trusted.
type Trust uint8

// The answers.
const (
	Trusted Trust = iota
	Distrusted
	SwitchedOff
)

// Hook is one registered hook, where it stands.
type Hook struct {
	Files          []string // the file that defines it, as it is named and with the links of its folder followed
	Native         string   // the event
	Group, Handler int      // its place below the event, from 0
	Matcher        Node     // of its group
	Value          Node     // the handler
}

// Within reports whether a folder is root or lies below it.
func Within(dir, root string) bool {
	const sep = string(filepath.Separator)
	return root != "" && (dir == root || strings.HasPrefix(dir, strings.TrimSuffix(root, sep)+sep))
}

// Above lists a folder and all above it, the closest first.
func Above(dir string) []string {
	list := []string{dir}
	for filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
		list = append(list, dir)
	}
	return list
}
