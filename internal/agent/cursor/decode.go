package cursor

import (
	"encoding/hex"
	"errors"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/sha256"
	"github.com/hookspan/hookspan/internal/wire"
)

// decode turns a payload into an event. A member of a wrong type counts as absent. It fails only
// where the payload is no object or no event is named; the event then holds what is known.
func decode(a *agent.Agent, in agent.Input) (hook.Event, *agent.Row, error) {
	p := in.Payload
	native := p.Get("hook_event_name").Str()
	if native == "" {
		native = in.Native
	}
	env := in.Env
	if env == nil {
		env = func(string) string { return "" }
	}
	row := rowOf(a, native, p)
	ev := event(native, p, env)
	if row != nil && row.Name != "" {
		ev.Name = row.Name
	}
	ev.Tool = tool(a, native, p, ev.Cwd)
	ev.Fields = fields(native, p)
	switch {
	case p.Kind() != wire.Object:
		return ev, row, errors.New("failed to read Cursor's payload: it is no JSON object; Cursor sends one on stdin")
	case native == "":
		return ev, row, errors.New("failed to read Cursor's payload: it has no hook_event_name; name the event on the command line: hookspan run cursor EVENT")
	}
	return ev, row, nil
}

func event(native string, p wire.Value, env func(string) string) hook.Event {
	ev := hook.Event{
		Name:       hook.Name(native),
		Session:    first(p.Get("session_id").Str(), p.Get("conversation_id").Str()),
		Transcript: p.Get("transcript_path").Str(),
		Project:    first(root(p), env("CURSOR_PROJECT_DIR")),
		Prompt:     p.Get("prompt").Str(),
		Subject:    subject(native, p),
		From:       from(native, p, env),
		Plugin:     env("CURSOR_PLUGIN_ROOT"),
		Model:      model(p),
		Usage:      usage(p),
		Sub:        sub(p),
		Call:       call(native, p),
		Payload:    []byte(p.Raw()),
	}
	// The command line sends "" for the folder of a shell call.
	ev.Cwd = first(p.Get("cwd").Str(), root(p))
	if n, ok := p.Get("loop_count").Int(); ok {
		ev.StopActive, ev.StopKnown = n > 0, true
	}
	return ev
}

func first(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}

// root is the first folder of the workspace; the list may be empty.
func root(p wire.Value) string {
	for e := range p.Get("workspace_roots").Elems() {
		return e.Str()
	}
	return ""
}

// from tells who called. The version's form tells the surface: the command line's is a date, the
// IDE's begins at 2 in all versions that have these events.
func from(native string, p wire.Value, env func(string) string) hook.Agent {
	f := hook.Agent{Name: Name, Native: native}
	if f.Version = p.Get("cursor_version").Str(); f.Version != "" {
		f.VersionFrom = "payload"
	} else if f.Version = env("CURSOR_VERSION"); f.Version != "" {
		f.VersionFrom = "environment"
	}
	major, _, _ := strings.Cut(f.Version, ".")
	switch {
	case len(major) == 4 && strings.HasPrefix(major, "20"):
		f.Surface = "cli"
	case len(major) == 1 && major >= "2" && major <= "9":
		f.Surface = "ide"
	}
	return f
}

// model is the model's name. "unknown" is what Cursor writes where it does not tell.
func model(p wire.Value) string {
	if s := p.Get("model").Str(); s != "unknown" {
		return s
	}
	return ""
}

// rowOf is the row of an event; where its meaning or its vocabulary depends on the payload, a copy.
func rowOf(a *agent.Agent, native string, p wire.Value) *agent.Row {
	row := a.Row(native)
	if row == nil {
		return nil
	}
	vary := func(f func(agent.Row) agent.Row) *agent.Row {
		r := f(*row)
		return &r
	}
	switch native {
	case "postToolUse":
		if strings.HasPrefix(p.Get("tool_name").Str(), mcpPrefix) {
			return vary(afterMCP)
		}
	case "postToolUseFailure":
		if p.Get("failure_type").Str() == "permission_denied" {
			return vary(denied)
		}
	case "stop", "subagentStop":
		if s := p.Get("status").Str(); s == "aborted" || s == "error" {
			return vary(brokenOff)
		}
	}
	return row
}

// subject is what a matcher of an event that is about no tool looks at.
func subject(native string, p wire.Value) string {
	switch native {
	case "sessionEnd":
		return p.Get("reason").Str()
	case "preCompact":
		return p.Get("trigger").Str()
	case "subagentStart", "subagentStop":
		return p.Get("subagent_type").Str()
	}
	return ""
}

func usage(p wire.Value) *hook.Usage {
	if !p.Has("input_tokens") && !p.Has("output_tokens") {
		return nil
	}
	n := func(key string) int64 { i, _ := p.Get(key).Int(); return i }
	return &hook.Usage{Input: n("input_tokens"), CachedInput: n("cache_read_tokens"), Output: n("output_tokens")}
}

func sub(p wire.Value) *hook.Subagent {
	s := hook.Subagent{ID: p.Get("subagent_id").Str(), Type: p.Get("subagent_type").Str(), Parent: p.Get("parent_conversation_id").Str()}
	if s == (hook.Subagent{}) {
		return nil
	}
	return &s
}

// call is the key of the occurrence, the same in each registration that fires for it. The events of
// a tool call carry its id, but preToolUse and the shell, MCP and file events of the same call share
// none. generation_id is new with every prompt; where a host has none it is the conversation's.
func call(native string, p wire.Value) string {
	session := first(p.Get("session_id").Str(), p.Get("conversation_id").Str())
	if session == "" {
		return ""
	}
	turn := p.Get("generation_id").Str()
	if turn == session {
		turn = ""
	}
	id := ""
	switch native {
	case "sessionEnd":
		return session + "/sessionEnd"
	case "sessionStart":
		id = turn
	case beforeSubmitPrompt:
		if id = turn; id != "" {
			sum := sha256.Sum256([]byte(p.Get("prompt").Str()))
			id += "/" + hex.EncodeToString(sum[:8])
		}
	case "subagentStart":
		id = p.Get("subagent_id").Str()
	case "stop":
		id = looped(p, turn)
	case "subagentStop":
		// Older versions tell no subagent, and several may end in one turn.
		if child := p.Get("subagent_id").Str(); child != "" {
			id = looped(p, child)
		}
	default:
		id = p.Get("tool_use_id").Str()
	}
	if id == "" {
		return ""
	}
	return session + "/" + native + "/" + id
}

// looped is the key of one stop among those that follow-ups lead to, "" where they are not counted.
func looped(p wire.Value, of string) string {
	loop := p.Get("loop_count")
	if of == "" || loop.Kind() != wire.Number {
		return ""
	}
	return of + "/" + string(loop.Raw())
}

// fields are the other members: Claude's keys first, then Cursor's own.
func fields(native string, p wire.Value) []hook.Member {
	var list []hook.Member
	add := func(key string, v wire.Value) {
		if v.Kind() != wire.Absent {
			list = append(list, hook.Member{Key: key, Value: []byte(v.Raw())})
		}
	}
	for _, key := range claudeKeys {
		v := p.Get(key)
		switch {
		case key == "agent_id" && v.Kind() == wire.Absent:
			v = p.Get("subagent_id")
		case key == "agent_type" && v.Kind() == wire.Absent:
			v = p.Get("subagent_type")
		}
		add(key, v)
	}
	for key, v := range p.Members() {
		if !placed(native, key) {
			add(key, v)
		}
	}
	return list
}

// claudeKeys are members that mean here what they mean in Claude Code, in Claude's order.
var claudeKeys = [...]string{"reason", "trigger", "agent_id", "agent_type", "agent_transcript_path", "is_interrupt"}

// placed reports whether a member of the payload stands elsewhere in the handler's input.
func placed(native, key string) bool {
	switch key {
	case "session_id", "transcript_path", "cwd", "permission_mode", "hook_event_name", "tool_name", "tool_input",
		"tool_use_id", "tool_response", "error", "prompt", "stop_hook_active", "hookspan",
		"tool_output", "result_json", "error_message":
		return true
	case "command", "output":
		return native == "beforeShellExecution" || native == "afterShellExecution"
	case "file_path":
		return ofFile(native)
	case "edits":
		return native == "afterFileEdit" || native == "afterTabFileEdit"
	}
	for _, k := range claudeKeys {
		if k == key {
			return true
		}
	}
	return false
}
