package codex

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
	row := a.Row(native)
	ev := hook.Event{
		Name:       hook.Name(native),
		Session:    p.Get("session_id").Str(),
		Transcript: p.Get("transcript_path").Str(), // null with --ephemeral
		Cwd:        p.Get("cwd").Str(),
		Mode:       mode(p.Get("permission_mode").Str()),
		Prompt:     p.Get("prompt").Str(),
		Subject:    subject(p),
		From:       hook.Agent{Name: Name, Native: native},
		Model:      p.Get("model").Str(),
		Usage:      usage(p.Get("token_usage")),
		Sub:        sub(p),
		Turn:       turn(p),
		Call:       call(native, p),
		Payload:    []byte(p.Raw()),
	}
	if row != nil && row.Name != "" {
		ev.Name = row.Name
	}
	// The task of a subagent comes from the model that starts it.
	ev.Synthetic = native == "UserPromptSubmit" && ev.Sub != nil
	ev.StopActive, ev.StopKnown = p.Get("stop_hook_active").Bool()
	ev.Project = ev.Cwd
	if in.Env != nil {
		ev.Plugin = in.Env("PLUGIN_ROOT")
	}
	ev.Tool = tool(a, p, ev.Cwd)
	ev.Fields = fields(p)
	switch {
	case p.Kind() != wire.Object:
		return ev, row, errors.New("failed to read Codex' payload: it is no JSON object; Codex sends one on stdin")
	case native == "":
		return ev, row, errors.New("failed to read Codex' payload: it has no hook_event_name; name the event on the command line: hookspan run codex EVENT")
	}
	return ev, row, nil
}

// mode is the permission mode where it means what Claude means. "bypassPermissions" says no more than
// that nobody is asked: Codex sends it in a read-only sandbox too.
func mode(native string) string {
	if native == "default" {
		return native
	}
	return ""
}

// subject is what Codex' matcher looks at on events that are about no tool.
func subject(p wire.Value) string {
	for _, key := range [...]string{"source", "trigger", "reason"} {
		if s := p.Get(key).Str(); s != "" {
			return s
		}
	}
	switch p.Get("hook_event_name").Str() {
	case "SubagentStart", "SubagentStop":
		return p.Get("agent_type").Str()
	}
	return ""
}

// sub is the subagent in which an event happened, or which it is about; session_id is that of the
// conversation that started it.
func sub(p wire.Value) *hook.Subagent {
	id := p.Get("agent_id").Str()
	if id == "" {
		return nil
	}
	return &hook.Subagent{ID: id, Type: p.Get("agent_type").Str()}
}

func usage(v wire.Value) *hook.Usage {
	if v.Kind() != wire.Object {
		return nil
	}
	n := func(key string) int64 { i, _ := v.Get(key).Int(); return i }
	return &hook.Usage{Input: n("input_tokens"), CachedInput: n("cached_input_tokens"), Output: n("output_tokens"),
		Reasoning: n("reasoning_output_tokens"), Total: n("total_tokens")}
}

// turn is the key of the turn, and of the subagent that it runs in.
func turn(p wire.Value) string {
	t := p.Get("turn_id").Str()
	if id := p.Get("agent_id").Str(); id != "" {
		return t + "/" + id
	}
	return t
}

// call is the key of the occurrence, the same in each registration that fires for it. Events that
// carry nothing of the kind (Stop, PermissionRequest, SessionStart, compactions) have none.
func call(native string, p wire.Value) string {
	session := p.Get("session_id").Str()
	if session == "" {
		return ""
	}
	id := ""
	switch native {
	case "SessionEnd":
		return session + "/SessionEnd"
	case "UserPromptSubmit":
		// A turn may take a second prompt while it runs.
		if id = turn(p); id != "" {
			sum := sha256.Sum256([]byte(p.Get("prompt").Str()))
			id += "/" + hex.EncodeToString(sum[:8])
		}
	case "SubagentStart", "Interrupt":
		id = turn(p)
	case "PreModelRequest", "PostModelRequest":
		if id = p.Get("request_id").Str(); id != "" {
			id += "/" + string(p.Get("attempt_number").Raw())
		}
	default:
		id = p.Get("tool_use_id").Str()
	}
	if id == "" {
		return ""
	}
	return session + "/" + native + "/" + id
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
	if t.Kind == hook.KindShell {
		t.Files = patchInShell(t.Command, cwd)
	}
	t.ID = p.Get("tool_use_id").Str()
	t.Response = response(t.Kind, p.Get("tool_response"))
	return t
}

func known(a *agent.Agent, native string) agent.Tool {
	if row := a.Tool(native); row != nil {
		return *row
	}
	return agent.Tool{}
}

// mcpTool is the call of an MCP tool, nil for another one.
func mcpTool(native string, input wire.Value) *hook.Tool {
	rest, ok := strings.CutPrefix(native, "mcp__")
	if !ok {
		return nil
	}
	server, name, _ := strings.Cut(rest, "__")
	if server == "" || name == "" {
		return nil
	}
	return agent.MCPTool(native, server, name, input)
}

// response is the tool's result: the shell's output in Claude's shape, else as sent.
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

// fields are the other members: Claude's keys first, then Codex' own.
func fields(p wire.Value) []hook.Member {
	var list []hook.Member
	add := func(key string, v wire.Value) {
		list = append(list, hook.Member{Key: key, Value: []byte(v.Raw())})
	}
	for _, key := range [...]string{"source", "reason", "trigger", "last_assistant_message", "agent_id", "agent_type", "agent_transcript_path"} {
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
		"source", "reason", "trigger", "last_assistant_message", "agent_id", "agent_type", "agent_transcript_path":
		return true
	}
	return false
}
