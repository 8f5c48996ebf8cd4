package agent

import (
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/wire"
)

// Word is one thing that can be said to an agent in answer to an event.
type Word uint8

// The words. What each looks like on the wire is the agent's affair (Cell.As).
const (
	Allow    Word = iota // go on, without the agent's own question
	Ask                  // let the person decide
	Defer                // end the session, someone decides later (Claude -p)
	Deny                 // do not do it; the model reads why
	Rewrite              // do it with this input instead
	Context              // text for the model
	Feedback             // text for the model about what has happened; the result stays visible
	Output               // replace the tool's result
	Continue             // keep working instead of stopping
	End                  // end the turn
	Notice               // text for the user
	Rest                 // keys that only this agent knows
	NumWords
	// None and Later stand only in Cell.Else: say nothing; keep it for a later event of the session.
	None
	Later
)

// String returns the word as tables show it.
func (w Word) String() string {
	return [...]string{"allow", "ask", "defer", "deny", "rewrite", "context", "feedback", "output",
		"continue", "end", "notice", "rest", "", "nothing", "later"}[w]
}

// Level is how a fact is known.
type Level uint8

// The levels, weakest first. Live: seen in a run of the real program. Source: read in the shipped
// program. Doc: documents only.
const (
	Doc Level = iota
	Source
	Live
)

// String returns the level as tables show it.
func (l Level) String() string { return [...]string{"doc", "source", "live"}[l] }

// Fact is the evidence of a row or a cell.
type Fact struct {
	Level   Level
	Version string // the agent's version in which it was seen
	Date    string // of the run or reading, YYYY-MM-DD
}

// Cell says whether one word can be said on one event, how, and what is said instead.
type Cell struct {
	Can   bool
	As    string // the form on the wire, for people: "exit 2 + stderr"
	Only  string // the surface in which it can be said ("tui"); "" = everywhere
	Else  Word   // said instead when !Can; the zero value counts only where !Can and is then read as None
	Note  string // a limit worth knowing
	Proof Fact   // zero = the row's
}

// Cells is a row's vocabulary. A word that is not listed cannot be said.
type Cells [NumWords]Cell

// Unit is the unit of an agent's time limits.
type Unit uint8

// The units.
const (
	Seconds Unit = iota
	Milliseconds
)

// Limit is an agent's time limit for one event.
type Limit struct {
	Register time.Duration // what we register, explicitly; our own deadline ends before it
	Cap      time.Duration // the agent ends us at this time whatever is registered; 0 = no cap known
	Opens    bool          // at its end the agent goes on as if nothing was said
}

// Deadline is how long a run may take: what is registered or the agent's cap, less a tenth.
func (l Limit) Deadline() time.Duration {
	d := l.Register
	if l.Cap > 0 && (d == 0 || l.Cap < d) {
		d = l.Cap
	}
	return d - d/10
}

// Cut is how much text for the model an agent takes on an event.
type Cut struct {
	Chars int    // 0 = no limit known
	How   string // what happens beyond it
}

// Narrow is how an agent's own matcher can narrow an event, for installers.
type Narrow uint8

// The ways to narrow.
const (
	NarrowNo    Narrow = iota // ignored or harmful on this event
	NarrowExact               // exact native tool names joined with |
	NarrowRegex               // a regular expression on the native tool name, to be anchored
)

// Row is one native event of an agent: what it means and what can be answered.
type Row struct {
	Native   string
	Name     hook.Name // the common name; "" = none means the same, the native name stays
	Fires    string    // when, for people
	NotIn    []string  // modes in which it never fires: "-p", "exec", "ide", ...
	Since    string    // first version known to have it; "" = all known
	Timeout  Limit
	Narrow   Narrow
	Cut      Cut
	Silence  string // what no opinion looks like: "exit 0, nothing on stdout"
	Missing  string // what the agent does when the registered program is missing
	Failing  string // what it does when the program fails or times out
	Hot      string // why it must not be registered without being asked for; "" = it may
	Danger   string // why its mere registration changes the agent; "" = it does not
	NoExit   bool   // exit code 2 has no meaning here: a no by exit alone is no opinion (transparency)
	Children bool   // also fires inside subagents, with nothing or little to tell them apart
	Cells    Cells
	Proof    Fact
}

// Can reports whether a word can be said on the row's event in a surface.
func (r *Row) Can(w Word, surface string) bool {
	c := &r.Cells[w]
	return c.Can && (c.Only == "" || c.Only == surface)
}

// Fact returns the evidence of a cell: its own, else the row's.
func (r *Row) Fact(w Word) Fact {
	if c := &r.Cells[w]; c.Proof != (Fact{}) {
		return c.Proof
	}
	return r.Proof
}

// Key pairs a native key of a tool's input with Claude's key.
type Key struct {
	Native, Claude string
	Elem           []Key // of the objects in an array value
}

// Tool is one native tool.
type Tool struct {
	Native string
	Name   string // Claude's name; "" = none, the native name stays
	Kind   hook.Kind
	Keys   []Key   // native and Claude key where they differ
	File   string  // the native key that holds the path of the one file it touches; "" = none
	Op     hook.Op // what it does with that file
	Patch  string  // the native key that holds a patch text; "." = the input itself is the text; "" = none
	Since  string
}

// Scope is where a file of an agent's configuration counts.
type Scope uint8

// The scopes.
const (
	ScopeUser Scope = iota
	ScopeProject
	ScopeManaged
	ScopeSession
	ScopePlugin
)

// String returns the scope as tables show it.
func (s Scope) String() string {
	return [...]string{"user", "project", "managed", "session", "plugin"}[s]
}

// Format is the syntax that an agent reads in a file.
type Format uint8

// The formats. JSONComments takes comments but no trailing comma; JSONC takes both.
const (
	JSON Format = iota
	JSONComments
	JSONC
	TOML
	JavaScript
	TypeScript
)

// Place is one file or folder in which an agent looks for hooks, or in which people wrongly
// believe that it does (Read false).
type Place struct {
	Scope  Scope
	Path   string // with ~ (home), {project}, {cwd}, ${VAR:-default}; a folder ends with /
	Format Format
	Read   bool
	Gate   string // what silently stops it: trust, a switch
	Walk   string // from which folders it is found: "launch folder only", "every folder up to the git root"
	Note   string
	Proof  Fact
}

// Agent is everything known about one coding agent.
type Agent struct {
	Name     string // as registered and journalled
	Title    string // for people
	Level    Level  // the best evidence for the whole: Live only where the program itself was driven
	Versions []string
	Unit     Unit // of registered time limits
	// Table yields the rows. What agents start looks up one of them; Events holds all, and is filled
	// by Full alone: building hundreds of cells at each tool call would cost more than all the rest.
	Table  func(yield func(*Row) bool)
	Events []Row
	Tools  []Tool
	// Lists for people, made when asked for: where it looks for hooks, the settings and variables that
	// turn hooks off, the calls that no hook sees.
	Places   func() []Place
	Switches func() []string
	Holes    func() []string
	Bridge   bool // runs functions, not programs: a generated file starts us
	// Keyless: no payload names its occurrence, so nothing tells a call that arrives through two
	// registrations from two calls, and its programs run twice.
	Keyless bool

	// Setup is how it is registered. A function, since what agents start has no use for it.
	Setup func() Setup
	// With is how it is started with hooks for one session.
	With func() With
	// Gates are the switches that stop its hooks in silence; nil = none that can be looked for.
	Gates func() ([]Gate, []Variable)
	// FolderTrust tells what the agent's own trust leaves open about hooks in a folder, nil = nothing.
	// Without the function it cannot be seen from outside.
	FolderTrust func(Look) *Doubt

	// Decode turns a native payload into an event. native is the event named on our command line,
	// "" where none was. It returns a *Row of Events, nil for an event that stands in no row.
	Decode func(in Input) (hook.Event, *Row, error)
	// Encode prints what was lowered. It decides nothing.
	Encode func(r *Row, s Say) Reply
	// Sample makes the payload that the agent would send for a call, after a recorded one. native is
	// "" where the payload names its event. ok is false where the agent has no such event or tool.
	Sample func(c Call) (native string, payload []byte, ok bool)
	// Unecho takes our own context out of a prompt, where the agent puts it in front of the person's
	// words. said is what we said last. nil = the agent does not do that.
	Unecho func(prompt, said string) string
	// Rewrite puts a changed tool input back into the native one; nil = the generic lens over Tools.
	Rewrite func(t *hook.Tool, after wire.Value) ([]byte, []Change, error)
}

// Input is what a call brings: the payload, the event named on the command line, the environment.
type Input struct {
	Native  string
	Payload wire.Value
	Env     func(string) string
}

// Reply is what our process answers with.
type Reply struct {
	Stdout, Stderr []byte
	Exit           int
}

// Yield yields rows made one by one, then those of groups, each after complete has filled in what they
// share. It is how a Table is written: rows that nobody asks for are not made. A row is valid until
// the next one is yielded.
func Yield(yield func(*Row) bool, complete func(*Row), ones []func() Row, groups ...func() []Row) {
	r := new(Row) // one for all: a row is large, and all but one are only looked at
	for _, one := range ones {
		*r = one()
		if complete(r); !yield(r) {
			return
		}
	}
	for _, group := range groups {
		rows := group()
		for i := range rows {
			if complete(&rows[i]); !yield(&rows[i]) {
				return
			}
		}
	}
}

// Full fills in Events, for those who want to see the whole table, and gives what the agent's folder
// leaves out an empty form, so that nobody has to ask whether it is there.
func Full(a *Agent) *Agent {
	defaults(a)
	if a.Events != nil {
		return a
	}
	a.Table(func(r *Row) bool {
		a.Events = append(a.Events, *r)
		return true
	})
	return a
}

func defaults(a *Agent) {
	if a.Places == nil {
		a.Places = func() []Place { return nil }
	}
	if a.Switches == nil {
		a.Switches = func() []string { return nil }
	}
	if a.Holes == nil {
		a.Holes = func() []string { return nil }
	}
	if a.Setup == nil {
		a.Setup = func() Setup { return Setup{} }
	}
	if a.With == nil {
		a.With = func() With { return unknownWith(a) }
	}
	if a.Gates == nil {
		a.Gates = func() ([]Gate, []Variable) { return nil, nil }
	}
	if a.Sample == nil {
		a.Sample = func(Call) (string, []byte, bool) { return "", nil, false }
	}
}

// unknownWith is the With of an agent whose folder has none. What may be typed instead is said only
// where it would work.
func unknownWith(a *Agent) With {
	not := "Nothing is known about how to do that"
	if s := a.Setup(); len(s.User)+len(s.Project) > 0 {
		not += "; type instead: hookspan install --agent " + a.Name
	}
	return With{Not: not}
}

// Row returns the row of a native event, nil if there is none.
func (a *Agent) Row(native string) *Row {
	var found *Row
	for i := range a.Events {
		if a.Events[i].Native == native {
			return &a.Events[i]
		}
	}
	if a.Events == nil {
		a.Table(func(r *Row) bool {
			if r.Native == native {
				found = r
			}
			return found == nil
		})
	}
	return found
}

// Tool returns the row of a native tool, nil if there is none.
func (a *Agent) Tool(native string) *Tool {
	for i := range a.Tools {
		if a.Tools[i].Native == native {
			return &a.Tools[i]
		}
	}
	return nil
}
