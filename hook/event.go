package hook

// Protocol is the version of the "hookspan" member of a handler's input.
const Protocol = 1

// Name is an event's name: one of the constants, or an agent's own name where no constant means
// the same.
type Name string

// The events that have a common name. They mean what they mean in Claude Code.
const (
	SessionStart       Name = "SessionStart"
	SessionEnd         Name = "SessionEnd"
	UserPromptSubmit   Name = "UserPromptSubmit"
	PreToolUse         Name = "PreToolUse"
	PostToolUse        Name = "PostToolUse"
	PostToolUseFailure Name = "PostToolUseFailure"
	PermissionRequest  Name = "PermissionRequest"
	Stop               Name = "Stop"
	SubagentStart      Name = "SubagentStart"
	SubagentStop       Name = "SubagentStop"
	PreCompact         Name = "PreCompact"
	PostCompact        Name = "PostCompact"
	Notification       Name = "Notification"
)

// Names lists the common events in the order of a session.
func Names() []Name {
	return []Name{SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse,
		PostToolUseFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, Notification, Stop, SessionEnd}
}

// Class says what a "no" (exit code 2, decision "block") means on an event.
type Class uint8

const (
	// Observe: nobody asks; a no has no effect.
	Observe Class = iota
	// Gate: something is about to happen and a no stops it.
	Gate
	// After: it has happened; a no is feedback for the model.
	After
	// Finish: the agent is about to stop; a no sends it back to work.
	Finish
)

// Class returns the event's class. Events without a common name are gates: a no said there is
// passed on if the agent has a word for it.
func (n Name) Class() Class {
	switch n {
	case PostToolUse, PostToolUseFailure:
		return After
	case Stop, SubagentStop:
		return Finish
	case SessionStart, SessionEnd, SubagentStart, PostCompact, Notification:
		return Observe
	}
	return Gate
}

// OfTool reports whether the event is about one tool call.
func (n Name) OfTool() bool {
	switch n {
	case PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest:
		return true
	}
	return false
}

// Kind is what a tool does, whatever the agent calls it.
type Kind string

// The kinds of tools. "write" makes or replaces a whole file, "edit" changes parts of files.
const (
	KindShell    Kind = "shell"
	KindRead     Kind = "read"
	KindWrite    Kind = "write"
	KindEdit     Kind = "edit"
	KindSearch   Kind = "search"
	KindFetch    Kind = "fetch"
	KindMCP      Kind = "mcp"
	KindSubagent Kind = "subagent"
	KindOther    Kind = "other"
)

// Op is what a tool call does with one file.
type Op string

// The operations on a file.
const (
	OpRead   Op = "read"
	OpCreate Op = "create"
	OpUpdate Op = "update"
	OpDelete Op = "delete"
	OpMove   Op = "move"
)

// File is one file that a tool call touches.
type File struct {
	Path    string // absolute and clean where the agent tells a folder
	Op      Op
	MovedTo string  // the new path of a move
	Edits   []Edit  // the changed parts, where told
	NewText *string // the whole new text, where told (create)
}

// Edit is one changed part of a file.
type Edit struct {
	Old, New string
	All      bool // every occurrence
}

// MCP names the server and the tool of an MCP call. Server is "" where the agent does not tell.
type MCP struct {
	Server, Tool string
}

// Tool is a tool call.
type Tool struct {
	Name       string // Claude's name ("Bash"), or NativeName where there is none
	NativeName string
	Kind       Kind
	ID         string // the agent's id of the call; "" = none
	Input      []byte // with Claude's keys; an object unless the agent sent something else
	Native     []byte // the input as the agent sent it
	Response   []byte // after the call; Claude's shape for Bash, else as sent
	Error      string // of a failed call
	Command    string // the shell text of KindShell
	MCP        *MCP
	Files      []File
	Patch      bool // the input is a patch text: files are told by it, not by keys
}

// Agent tells who called.
type Agent struct {
	Name        string // "claude", "codex", ...; "unknown" for a caller of nobody's shape
	Surface     string // where one engine has two faces ("ide", "cli"); "" = not told
	Version     string // "" = not told
	VersionFrom string // "payload", "environment" or "install"
	Native      string // the event's own name
}

// Usage counts tokens, where an agent tells.
type Usage struct {
	Input, CachedInput, Output, Reasoning, Total int64
}

// Subagent is the child in which an event happened, or which the event is about.
type Subagent struct {
	ID, Type, Parent string
}

// Event is one occurrence of a hook event.
type Event struct {
	Name       Name
	Session    string
	Transcript string
	Cwd        string // "" where the agent does not tell (see Project)
	Mode       string // permission mode in Claude's words, where the same thing is meant
	Prompt     string // of UserPromptSubmit
	Tool       *Tool
	StopActive bool   // Stop: the agent is here because a hook sent it back
	StopKnown  bool   // the agent tells StopActive at all
	Subject    string // what a matcher of a non-tool event looks at: source, trigger, reason, type
	Synthetic  bool   // not from a person: a task notification, a retry
	From       Agent
	Project    string // the project's folder: from the payload, else from the agent's variable
	Plugin     string // the plugin's folder, where the agent names one
	Model      string
	Usage      *Usage
	Sub        *Subagent
	Call       string // key of this occurrence, the same in each registration that fires for it; "" = none
	Turn       string // key of the turn, for counting continuations; "" = not told
	// Fields are the other members of the handler's input, in order: Claude's keys first, then the
	// agent's own under their own names. session_id, transcript_path, cwd, permission_mode,
	// hook_event_name, tool_*, prompt, stop_hook_active and hookspan do not stand here.
	Fields  []Member
	Payload []byte // native, verbatim
	Plain   bool   // the payload speaks this protocol already and is handed on as it is
}

// Member is one key of an object, with its value as JSON text.
type Member struct {
	Key   string
	Value []byte
}
