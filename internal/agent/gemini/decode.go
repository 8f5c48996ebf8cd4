package gemini

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
	row := rowOf(a, native, p)
	ev := hook.Event{
		Name:       hook.Name(native),
		Session:    p.Get("session_id").Str(),
		Transcript: p.Get("transcript_path").Str(),
		Cwd:        p.Get("cwd").Str(),
		Prompt:     p.Get("prompt").Str(),
		From:       hook.Agent{Name: Name, Native: native},
		Model:      p.Path("llm_request", "model").Str(),
		Usage:      usage(p.Path("llm_response", "usageMetadata")),
		Payload:    []byte(p.Raw()),
	}
	if row != nil && row.Name != "" {
		ev.Name = row.Name
	}
	ev.StopActive, ev.StopKnown = p.Get("stop_hook_active").Bool()
	ev.Project = project(ev.Cwd, in.Env)
	ev.Tool = tool(a, p, ev.Cwd)
	ev.Subject = subject(p)
	ev.Call = call(native, ev.Session, p)
	ev.Fields = fields(p)
	switch {
	case p.Kind() != wire.Object:
		return ev, row, errors.New("failed to read Gemini's payload: it is no JSON object; Gemini sends one on stdin")
	case native == "":
		return ev, row, errors.New("failed to read Gemini's payload: it has no hook_event_name; name the event on the command line: hookspan run gemini EVENT")
	}
	return ev, row, nil
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
	switch {
	case native == "SessionStart" && p.Get("source").Str() == "clear":
		return vary(afterClear)
	case native == "PreCompress" && p.Get("trigger").Str() == "manual":
		return vary(byHand)
	case native == "AfterTool" && hasError(p):
		return vary(failed)
	}
	return row
}

// project is the project's folder. Gemini sets GEMINI_PROJECT_DIR to the payload's cwd, so the
// variable, which others may set as well, is asked last.
func project(cwd string, env func(string) string) string {
	if cwd != "" || env == nil {
		return cwd
	}
	return env("GEMINI_PROJECT_DIR")
}

// subject is what a matcher of an event that is about no tool looks at.
func subject(p wire.Value) string {
	for _, key := range [...]string{"source", "reason", "trigger"} {
		if s := p.Get(key).Str(); s != "" {
			return s
		}
	}
	return notificationType(p)
}

// notificationType is Claude's word for Gemini's only notification, which means the same.
func notificationType(p wire.Value) string {
	s := p.Get("notification_type").Str()
	if s == toolPermission {
		return "permission_prompt"
	}
	return s
}

func usage(v wire.Value) *hook.Usage {
	if v.Kind() != wire.Object {
		return nil
	}
	n := func(key string) int64 { i, _ := v.Get(key).Int(); return i }
	return &hook.Usage{Input: n("promptTokenCount"), CachedInput: n("cachedContentTokenCount"),
		Output: n("candidatesTokenCount"), Reasoning: n("thoughtsTokenCount"), Total: n("totalTokenCount")}
}

// call is the key of the occurrence. Gemini sends no id, but every registration of an event gets
// the same bytes, with a time in milliseconds in them. SessionEnd fires up to three times at one
// exit, so there the session is the key.
func call(native, session string, p wire.Value) string {
	if session == "" {
		return ""
	}
	if native == "SessionEnd" {
		return session + "/SessionEnd"
	}
	if p.Get("timestamp").Str() == "" {
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
	t := mcpTool(a, native, p, input)
	if t == nil {
		t = agent.MapTool(known(a, native), native, input, cwd)
	}
	t.ID = p.Get("tool_use_id").Str()
	t.Response = response(t.Kind, p.Get("tool_response"))
	t.Error = errorText(p)
	return t
}

func known(a *agent.Agent, native string) agent.Tool {
	if row := a.Tool(native); row != nil {
		return *row
	}
	return agent.Tool{}
}

// mcpTool is the call of an MCP tool, nil for another one. The context tells the server; the name
// alone cannot be split, since servers and tools may have underscores.
func mcpTool(a *agent.Agent, native string, p, input wire.Value) *hook.Tool {
	context := p.Get("mcp_context")
	server, name := context.Get("server_name").Str(), context.Get("tool_name").Str()
	if server != "" && name != "" {
		return agent.MCPTool(native, server, name, input)
	}
	if strings.HasPrefix(native, "mcp_") && a.Tool(native) == nil {
		return agent.MCPTool(native, "", native, input)
	}
	return nil
}

// response is the tool's result: for a shell in Claude's shape, else as sent. Gemini's plain output
// is returnDisplay; llmContent wraps it in lines about the process.
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

// hasError reports whether a call failed. A command that ends with another code than 0 has not:
// Gemini sends no error then, and no exit code.
func hasError(p wire.Value) bool {
	switch e := p.Path("tool_response", "error"); e.Kind() {
	case wire.Object, wire.Array:
		return true
	case wire.String:
		return e.Str() != ""
	case wire.Bool:
		b, _ := e.Bool()
		return b
	}
	return false
}

func errorText(p wire.Value) string {
	if !hasError(p) {
		return ""
	}
	e := p.Path("tool_response", "error")
	if s := e.Get("message").Str(); s != "" {
		return s
	}
	if s, ok := e.StrOK(); ok {
		return s
	}
	return string(e.Raw())
}

// fields are the other members: Claude's keys first, then Gemini's own.
func fields(p wire.Value) []hook.Member {
	var list []hook.Member
	add := func(key string, v wire.Value) {
		list = append(list, hook.Member{Key: key, Value: []byte(v.Raw())})
	}
	for _, key := range [...]string{"source", "reason", "trigger", "message"} {
		if v := p.Get(key); v.Kind() != wire.Absent {
			add(key, v)
		}
	}
	if s := notificationType(p); s != "" {
		list = append(list, hook.Member{Key: "notification_type", Value: wire.AppendString(nil, s)})
	}
	for key, v := range p.Members() {
		if !placed(key) {
			add(key, v)
		}
	}
	return list
}

// placed reports whether a member of the payload stands elsewhere in the handler's input.
func placed(key string) bool {
	switch key {
	case "session_id", "transcript_path", "cwd", "permission_mode", "hook_event_name", "tool_name", "tool_input",
		"tool_use_id", "tool_response", "error", "prompt", "stop_hook_active", "hookspan",
		"source", "reason", "trigger", "message", "notification_type":
		return true
	}
	return false
}
