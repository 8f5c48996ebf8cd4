package droid

import (
	"errors"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// decode turns a payload into an event. A member of a wrong type counts as absent. It fails only
// where the payload is no object or no event is named; the event then holds what is known. The
// permission mode has no words in common with Claude's, and does not tell --skip-permissions-unsafe.
func decode(a *agent.Agent, in agent.Input) (hook.Event, *agent.Row, error) {
	p := in.Payload
	native := p.Get("hook_event_name").Str()
	if native == "" {
		native = in.Native
	}
	row := a.Row(native)
	ev := hook.Event{
		Name:       hook.Name(native),
		Session:    p.Get("session_id").Str(),
		Transcript: p.Get("transcript_path").Str(),
		Cwd:        p.Get("cwd").Str(),
		Prompt:     p.Get("prompt").Str(),
		From:       hook.Agent{Name: Name, Native: native},
		Payload:    []byte(p.Raw()),
	}
	if row != nil && row.Name != "" {
		ev.Name = row.Name
	}
	ev.StopActive, ev.StopKnown = p.Get("stop_hook_active").Bool()
	ev.Project = project(ev.Cwd, in.Env)
	ev.Synthetic = native == "UserPromptSubmit" && strings.HasPrefix(ev.Prompt, "# Task Tool Invocation\n")
	ev.Sub = subagent(p, ev.Session)
	ev.Tool = tool(a, p, ev.Cwd)
	ev.Subject = subject(p)
	ev.Call = call(native, ev.Session, p)
	ev.Fields = fields(p)
	switch {
	case p.Kind() != wire.Object:
		return ev, row, errors.New("failed to read Droid's payload: it is no JSON object; Droid sends one on stdin")
	case native == "":
		return ev, row, errors.New("failed to read Droid's payload: it has no hook_event_name; name the event on the command line: hookspan run droid EVENT")
	}
	return ev, row, nil
}

// project is the project's folder. Droid sets the variables to the payload's cwd, so they are asked last.
func project(cwd string, env func(string) string) string {
	if cwd != "" || env == nil {
		return cwd
	}
	if dir := env("FACTORY_PROJECT_DIR"); dir != "" {
		return dir
	}
	return env("DROID_PROJECT_DIR")
}

// subagent is told once, at the start of the subagent's own session; its later events carry nothing
// but that session.
func subagent(p wire.Value, session string) *hook.Subagent {
	parent := p.Get("calling_session_id").Str()
	if parent == "" || session == "" {
		return nil
	}
	return &hook.Subagent{ID: session, Parent: parent}
}

// subject is what a matcher of an event that is about no tool looks at.
func subject(p wire.Value) string {
	for _, key := range [...]string{"source", "reason", "trigger", "notification_type"} {
		if s := p.Get(key).Str(); s != "" {
			return s
		}
	}
	return ""
}

// call is the key of the occurrence. No tool call has an id and no payload a time, so calls have none.
// A prompt and the end of a turn name the message; the elapsed time tells one end of a turn from the
// next one with the same message. SessionEnd fires twice at some exits, so there the session is the key.
func call(native, session string, p wire.Value) string {
	message := p.Get("message_id").Str()
	switch {
	case session == "":
		return ""
	case native == "SessionEnd":
		return session + "/SessionEnd"
	case native == "UserPromptSubmit" && message != "":
		return session + "/UserPromptSubmit/" + message
	case native == "Stop" && message != "" && p.Has("elapsed_time"):
		return session + "/Stop/" + message + "/" + string(p.Get("elapsed_time").Raw())
	}
	return ""
}

func tool(a *agent.Agent, p wire.Value, cwd string) *hook.Tool {
	native := p.Get("tool_name").Str()
	if native == "" {
		return nil
	}
	input := p.Get("tool_input")
	t := mcpTool(native, input)
	if t == nil {
		t = agent.MapTool(known(a, native), native, input, cwd)
	}
	t.Response = response(t.Kind, p.Get("tool_response"))
	return t
}

func known(a *agent.Agent, native string) agent.Tool {
	if row := a.Tool(native); row != nil {
		return *row
	}
	return agent.Tool{}
}

// mcpTool is the call of an MCP tool, nil for another one. Droid joins server and tool by three
// underscores.
func mcpTool(native string, input wire.Value) *hook.Tool {
	server, name, _ := strings.Cut(native, "___")
	if server == "" || name == "" {
		return nil
	}
	return agent.MCPTool(native, server, name, input)
}

// response is a tool's result, which is always a text: the shell's in Claude's shape, else as sent.
func response(kind hook.Kind, v wire.Value) []byte {
	if v.Kind() == wire.Absent {
		return nil
	}
	if text, ok := v.StrOK(); ok && kind == hook.KindShell {
		var o wire.ObjectWriter
		o.Str("stdout", text)
		return o.Bytes()
	}
	return []byte(v.Raw())
}

// fields are the other members: Claude's keys first, then Droid's own.
func fields(p wire.Value) []hook.Member {
	var list []hook.Member
	add := func(key string, v wire.Value) {
		list = append(list, hook.Member{Key: key, Value: []byte(v.Raw())})
	}
	for _, key := range [...]string{"source", "reason", "trigger", "message", "notification_type", "custom_instructions"} {
		if v := p.Get(key); v.Kind() != wire.Absent {
			add(key, v)
		}
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
		"tool_use_id", "tool_response", "prompt", "stop_hook_active", "hookspan",
		"source", "reason", "trigger", "message", "notification_type", "custom_instructions":
		return true
	}
	return false
}
