package manifest

import (
	"encoding/hex"
	"path/filepath"
	"slices"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/sha256"
)

// Defaults of keys that a manifest leaves out.
const (
	DefaultTimeout      = 60 * time.Second
	DefaultMaxContinues = 3 // of a gate
)

// Scope is the place of a manifest.
type Scope uint8

// The scopes. Relative paths and commands of a Project manifest are relative to its folder, those of
// a User manifest to the folder of the call.
const (
	User Scope = iota
	Project
)

// String returns the scope in one word.
func (s Scope) String() string { return pick(s, "user", "project") }

// Type is what a handler is.
type Type uint8

// The types of handlers.
const (
	Command Type = iota // a program that speaks Claude's protocol
	Guard               // a rule that is built in
	HTTP                // a POST of the same JSON
)

// String returns the type's word in a manifest.
func (t Type) String() string { return pick(t, "command", "guard", "http") }

// OnFailure is what a handler's failure counts as.
type OnFailure uint8

// The outcomes of a failure. Allow is no opinion: it never grants anything.
const (
	Allow OnFailure = iota
	Block
)

// String returns the outcome's word in a manifest.
func (o OnFailure) String() string { return pick(o, "allow", "block") }

// Each is how often a handler runs for a tool call that touches several files.
type Each uint8

// The choices of Each.
const (
	EachFile Each = iota // once per file
	EachCall             // once, for the whole call
)

// String returns the choice's word in a manifest.
func (e Each) String() string { return pick(e, "file", "call") }

// Mode is whether a handler's no counts.
type Mode uint8

// The modes. In Warn a handler's no is only reported.
const (
	Enforce Mode = iota
	Warn
)

// String returns the mode's word in a manifest.
func (m Mode) String() string { return pick(m, "enforce", "warn") }

func pick[T ~uint8](v T, words ...string) string {
	if int(v) < len(words) {
		return words[v]
	}
	return "?"
}

// Plan is a valid manifest, ready for selection.
type Plan struct {
	Path, Dir string // of the manifest's file and its folder
	Hash      string // HashOf its bytes
	Scope     Scope
	Ask       string // what an ask becomes where an agent cannot ask: "deny" or "none"
	Journal   string // what the journal keeps: "summary" or "full"
	Groups    []Group
	Warnings  []Problem // what is ignored, and names that look wrong
}

// At says where the manifest stands. A compiled plan is kept by the hash of its bytes, and the same
// bytes may stand in several checkouts.
func (p *Plan) At(path string, scope Scope) {
	p.Path, p.Dir, p.Scope = path, filepath.Dir(path), scope
	for i := range p.Warnings {
		p.Warnings[i].Path = path
	}
}

// Group is a matcher and the handlers behind it, which run in parallel.
type Group struct {
	Event    hook.Name
	Matcher  Matcher
	Handlers []Handler
	Line     int
}

// Handler is one program, guard or URL with all its keys.
type Handler struct {
	Name string // unique within its event
	Type Type

	Shell string   // Command: a line for the shell; "" where Argv is set
	Argv  []string // Command: a program and its arguments, as written; no shell
	Async bool     // Command: not waited for

	URL            string // HTTP
	Headers        []Header
	AllowedEnvVars []string // the variables that $NAME in a header may stand for

	Guard   string   // the guard's name
	Options []Option // the guard's own keys, in the order of its spec; only those that are given

	Timeout      time.Duration // never 0
	OnFailure    OnFailure     // guards block and others allow, unless the manifest says otherwise
	If           string        // a Rule; "" = always
	Agents       []string      // empty = all
	Each         Each
	Env          []string // the variables that are passed on; nil = all
	Untrusted    bool     // its context is fenced and labelled as data
	Mode         Mode
	Gate         bool // a failing exit sends the agent back to work
	MaxContinues int  // how often in one turn; 0 = no limit of its own
	Line         int
}

// Header is one header of an HTTP handler.
type Header struct {
	Name, Value string
}

// Option is one of a guard's own keys.
type Option struct {
	Key    string
	Values []string
}

// Option returns the values of one of the guard's own keys, nil if it is not given.
func (h *Handler) Option(key string) []string {
	for i := range h.Options {
		if h.Options[i].Key == key {
			return h.Options[i].Values
		}
	}
	return nil
}

// For reports whether the handler is meant for an agent.
func (h *Handler) For(agent string) bool {
	return len(h.Agents) == 0 || slices.Contains(h.Agents, agent)
}

// HashOf is the hash of a manifest's bytes, in hex: the very bytes that are parsed.
func HashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
