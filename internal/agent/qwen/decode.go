package qwen

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
//
// A repeated prompt (see repeated) is no event for handlers: its Name is empty and it has no row.
func decode(a *agent.Agent, in agent.Input) (hook.Event, *agent.Row, error) {
	p := in.Payload
	native := p.Get("hook_event_name").Str()
	if native == "" {
		native = in.Native
	}
	row := rowOf(a, native, p)
	ev := event(p, in)
	ev.Name, ev.From.Native = hook.Name(native), native
	if row != nil && row.Name != "" {
		ev.Name = row.Name
	}
	ev.Tool = tool(a, p, ev.Cwd)
	ev.Call = call(native, ev.Session, p)
	ev.Fields = fields(p, ev.Tool != nil)
	switch {
	case p.Kind() != wire.Object:
		return ev, row, errors.New("failed to read Qwen's payload: it is no JSON object; Qwen sends one on stdin")
	case native == "":
		return ev, row, errors.New("failed to read Qwen's payload: it has no hook_event_name; name the event on the command line: hookspan run qwen EVENT")
	case repeated(native, p):
		ev.Name = ""
		return ev, nil, nil
	}
	return ev, row, nil
}

func event(p wire.Value, in agent.Input) hook.Event {
	env := in.Env
	if env == nil {
		env = func(string) string { return "" }
	}
	ev := hook.Event{
		Session:    p.Get("session_id").Str(),
		Transcript: p.Get("transcript_path").Str(),
		Cwd:        p.Get("cwd").Str(),
		Mode:       mode(p.Get("permission_mode").Str()),
		Prompt:     p.Get("prompt").Str(),
		Subject:    subject(p),
		From:       hook.Agent{Name: Name},
		Model:      p.Get("model").Str(),
		Usage:      usage(p),
		Sub:        subagent(p),
		Turn:       p.Get("prompt_id").Str(),
		Payload:    []byte(p.Raw()),
	}
	ev.StopActive, ev.StopKnown = p.Get("stop_hook_active").Bool()
	// Qwen sets its variables for each hook; QWEN_PROJECT_DIR is the payload's cwd.
	if ev.Project = ev.Cwd; ev.Project == "" {
		ev.Project = env("QWEN_PROJECT_DIR")
	}
	if ev.Model == "" {
		ev.Model = env("QWEN_CODE_MODEL")
	}
	if v := env("QWEN_CODE_STARTUP_VERSION"); v != "" {
		ev.From.Version, ev.From.VersionFrom = v, "environment"
	}
	return ev
}

// rowOf is the row of an event; where its vocabulary depends on the payload, a copy.
func rowOf(a *agent.Agent, native string, p wire.Value) *agent.Row {
	row := a.Row(native)
	if row != nil && (native == "TodoCreated" || native == "TodoCompleted") && p.Get("phase").Str() == "postWrite" {
		r := written(*row)
		return &r
	}
	return row
}

// repeated reports whether a UserPromptSubmit is the repeat that Qwen fires after every tool call,
// with an empty prompt and without what the user has typed.
func repeated(native string, p wire.Value) bool {
	prompt, ok := p.Get("prompt").StrOK()
	return native == "UserPromptSubmit" && ok && prompt == "" && p.Get("submitted_prompt").Str() == ""
}

// mode is the permission mode in Claude's word for the same; tool events spell auto_edit with a
// hyphen. Another word is left to the payload.
func mode(s string) string {
	switch s {
	case "default", "plan", "auto":
		return s
	case "auto_edit", "auto-edit":
		return "acceptEdits"
	case "yolo":
		return "bypassPermissions"
	}
	return ""
}

// subject is what a matcher of an event that is about no tool looks at.
func subject(p wire.Value) string {
	keys := [...]string{"source", "reason", "trigger", "notification_type", "agent_type"}
	if p.Has("tool_name") {
		return ""
	}
	for _, key := range keys {
		if s := p.Get(key).Str(); s != "" {
			return s
		}
	}
	return ""
}

func usage(p wire.Value) *hook.Usage {
	n, ok := p.Get("input_tokens").Int()
	if !ok {
		return nil
	}
	return &hook.Usage{Input: n}
}

// subagent is the child in which an event happened, or which it is about: Qwen puts agent_id into
// every payload of a child.
func subagent(p wire.Value) *hook.Subagent {
	id := p.Get("agent_id").Str()
	if id == "" {
		return nil
	}
	return &hook.Subagent{ID: id, Type: p.Get("agent_type").Str()}
}

// call is the key of the occurrence: the call's id, which before and after share; else the bytes of
// the payload, which are the same for each registration and have a time in milliseconds in them.
func call(native, session string, p wire.Value) string {
	if id := p.Get("tool_use_id").Str(); id != "" {
		return native + "/" + id
	}
	if session == "" || p.Get("timestamp").Str() == "" {
		return ""
	}
	sum := sha256.Sum256(p.Raw())
	return native + "/" + hex.EncodeToString(sum[:16])
}

func tool(a *agent.Agent, p wire.Value, cwd string) *hook.Tool {
	native, ok := p.Get("tool_name").StrOK()
	if !ok || native == "" {
		return nil
	}
	input := p.Get("tool_input")
	t := mcpTool(native, input)
	if t == nil {
		t = agent.MapTool(known(a, native), native, input, cwd)
	}
	t.ID = p.Get("tool_use_id").Str()
	t.Response = response(t.Kind, p.Get("tool_response"))
	t.Error = p.Get("error").Str()
	return t
}

func known(a *agent.Agent, native string) agent.Tool {
	if row := a.Tool(native); row != nil {
		return *row
	}
	return agent.Tool{}
}

// mcpTool is the call of an MCP tool, nil for another one. Qwen's names are Claude's.
func mcpTool(native string, input wire.Value) *hook.Tool {
	rest, ok := strings.CutPrefix(native, "mcp__")
	if !ok {
		return nil
	}
	server, name, ok := strings.Cut(rest, "__")
	if !ok || server == "" || name == "" {
		return agent.MCPTool(native, "", native, input)
	}
	return agent.MCPTool(native, server, name, input)
}

// response is the tool's result: for a shell in Claude's shape, else as sent. Qwen's plain output
// is returnDisplay; llmContent is a list of lines about the command.
func response(kind hook.Kind, v wire.Value) []byte {
	if v.Kind() == wire.Absent {
		return nil
	}
	if kind == hook.KindShell {
		for _, key := range [...]string{"returnDisplay", "llmContent"} {
			if s, ok := v.Get(key).StrOK(); ok {
				var o wire.ObjectWriter
				o.Str("stdout", s)
				return o.Bytes()
			}
		}
	}
	return []byte(v.Raw())
}

// claudeKeys are the members that Claude has as well, in its order.
func claudeKeys() []string {
	return []string{"source", "model", "reason", "trigger", "custom_instructions", "message", "title", "notification_type",
		"last_assistant_message", "agent_id", "agent_type", "agent_transcript_path", "is_interrupt"}
}

// fields are the other members: Claude's keys first, then Qwen's own.
func fields(p wire.Value, ofTool bool) []hook.Member {
	var list []hook.Member
	add := func(key string, v wire.Value) {
		list = append(list, hook.Member{Key: key, Value: []byte(v.Raw())})
	}
	first := claudeKeys()
	for _, key := range first {
		if v := p.Get(key); v.Kind() != wire.Absent {
			add(key, v)
		}
	}
	for key, v := range p.Members() {
		if !placed(key, ofTool) && !contains(first, key) {
			add(key, v)
		}
	}
	return list
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// placed reports whether a member of the payload stands elsewhere in the handler's input. The error
// of StopFailure is no tool's and has no other place.
func placed(key string, ofTool bool) bool {
	switch key {
	case "session_id", "transcript_path", "cwd", "permission_mode", "hook_event_name", "tool_name", "tool_input",
		"tool_use_id", "tool_response", "prompt", "stop_hook_active", "hookspan":
		return true
	case "error":
		return ofTool
	}
	return false
}
