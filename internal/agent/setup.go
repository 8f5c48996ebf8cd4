package agent

// Setup is how hookspan registers itself in an agent, as data: install and uninstall edit by it, status
// compares with it, and `with` builds a session's settings from it. Facts about how the agent reads its
// files stand in Places and in the event rows; here stands only what we choose to do.
//
// Which events are registered: those of Only, else every row that has a common name, is neither Hot nor
// has a Danger. The time limit of each is Row.Timeout.Register in the agent's unit.
type Setup struct {
	Program string // the agent's command, by which it is found on PATH: "claude"
	Home    string // the folder whose presence shows that the agent is in use; written like Place.Path

	// User and Project list the files that may carry the registration, in the order in which the agent
	// lets one take precedence over the next. Choice says which of them does.
	User, Project []Carrier
	Choice        Choice

	Layout Layout
	Keys   Keys
	Only   []string // the native events that are registered; nil = derived from the rows

	All string // the matcher that hits everything, where a group must have one; "" = it has none

	// Windows is what runs a command line there; elsewhere it is a POSIX shell.
	Windows Shell
	// Literal lists what must not stand in a command, because the agent replaces it before a shell sees
	// it: "$" (Gemini, Qwen expand variables in settings, inside single quotes too).
	Literal string
	// Escape lists texts that must not stand in a JSON string of the file; their slashes are written
	// as \/ (Cursor strips // and /* as comments, inside strings too).
	Escape []string

	// Checkout is the argument of --project in a project's registration, as the shell reads it: "." where
	// the agent starts us in the checkout that the file came from, a variable where that holds the
	// folder. "" = nothing tells that folder for certain, so no --project is registered and the
	// project's programs wait for `hookspan trust`. CheckoutNote is why.
	Checkout     string
	CheckoutNote string

	// UserGate and ProjectGate are what the agent's own trust wants before it runs what we registered:
	// one line for people. "" = nothing.
	UserGate, ProjectGate string
	Notes                 []string // what people should know after an install, one sentence each

	// Bridge generates the file of an agent that runs functions, not programs (Layout Generated).
	Bridge func(Bridge) []byte
}

// Carrier is a file that may carry a registration.
type Carrier struct {
	Path   string // written like Place.Path
	Format Format
	BOM    bool     // its reader takes a byte order mark
	At     []string // the keys that lead to the map of events; empty = the file is the map
	Needs  []Need   // members without which the agent does not read the file
	Own    bool     // the file is ours alone: made by install, taken away by uninstall; a foreign one keeps its name
	Legacy bool     // read only where the first carrier of the list does not exist
}

// Need is a top-level member that a file must have.
type Need struct{ Key, JSON string }

// Choice is how one of several carriers is chosen for an event.
type Choice uint8

// The choices.
const (
	// ChooseFirst takes the first carrier.
	ChooseFirst Choice = iota
	// ChooseUsed takes the first carrier that exists and has hooks in it, else the first that exists as a
	// hooks file of its own, else the first (Codex: two representations in one folder draw a warning).
	ChooseUsed
	// ChooseByEvent takes, event by event, the carrier that already defines the event, since the others
	// do not count for it; a new event goes where the user's other hooks are, else into the last
	// carrier (Droid).
	ChooseByEvent
)

// Layout is how an entry stands below its event.
type Layout uint8

// The layouts.
const (
	// Grouped: [{"matcher": M, "hooks": [{"type": "command", "command": C, "timeout": T}]}].
	Grouped Layout = iota
	// Flat: [{"command": C, "timeout": T, "matcher": M}].
	Flat
	// ToolsGrouped: tool events grouped, all others flat.
	ToolsGrouped
	// Generated: no entries; a file of code that Setup.Bridge makes.
	Generated
)

// Keys are the names of an entry's members.
type Keys struct {
	Type       bool   // "type": "command" is written
	Command    string // the command line: "command", "bash"
	PowerShell string // a second command line for Windows' PowerShell; "" = none
	Windows    string // a second command line that replaces the first on Windows; "" = none
	Timeout    string // "timeout", "timeoutSec"
	// Strict and StrictJSON are the member that makes our own failure a no; "" = the agent has none.
	Strict, StrictJSON string
}

// Shell is what an agent hands a command line to.
type Shell uint8

// The shells.
const (
	POSIX      Shell = iota // sh, bash, zsh; on Windows Git's
	PowerShell              // 5 and 7
	Cmd                     // cmd.exe
)

// Bridge is what a generated file depends on.
type Bridge struct {
	Program string   // an absolute path; the bare name in a project's file
	Project string   // the argument of --project, relative to the file's project; "" = none
	Block   bool     // an unanswered gate is refused (--strict)
	Events  []string // native names
	Tools   []string // native names of the tools that are watched; nil = all
}

// Carriers returns the files that may carry the registration of a scope.
func (s *Setup) Carriers(scope Scope) []Carrier {
	if scope == ScopeProject {
		return s.Project
	}
	return s.User
}

// Registers returns the rows that a registration for everything has, in the order of the table.
func (s *Setup) Registers(a *Agent) []*Row {
	var rows []*Row
	for i := range a.Events {
		if r := &a.Events[i]; s.registers(r) {
			rows = append(rows, r)
		}
	}
	return rows
}

func (s *Setup) registers(r *Row) bool {
	if s.Only == nil {
		return r.Name != "" && r.Hot == "" && r.Danger == ""
	}
	for _, name := range s.Only {
		if r.Native == name {
			return true
		}
	}
	return false
}
