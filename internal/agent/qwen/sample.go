package qwen

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// sample makes the payload that Qwen would send for a call, with the members and their order of the
// recordings. The event's name stands in it.
func sample(a *agent.Agent, c agent.Call) (string, []byte, bool) {
	if !hasEvent(a, c.Event) {
		return "", nil, false
	}
	const session = "0ec80d59-9d5f-49c5-9103-c5740097fd33"
	var o wire.ObjectWriter
	o.Str("session_id", session)
	o.Str("transcript_path", "/home/dev/.qwen/projects/-home-dev-shop/chats/"+session+".jsonl")
	o.Str("cwd", c.Dir)
	o.Str("hook_event_name", string(c.Event))
	o.Str("timestamp", "2026-01-02T03:04:05.678Z")
	o.Str("permission_mode", "default")
	o.Str("prompt_id", session+"########0")
	if c.Event.OfTool() {
		ok := sampleTool(a, c, &o)
		return "", o.Bytes(), ok
	}
	switch c.Event {
	case hook.SessionStart:
		o.Str("source", "startup")
		o.Str("model", "qwen3-coder-plus")
	case hook.SessionEnd:
		o.Str("reason", "prompt_input_exit")
	case hook.UserPromptSubmit:
		o.Str("prompt", c.Prompt)
		o.Str("submitted_prompt", c.Prompt)
	case hook.Stop:
		o.Bool("stop_hook_active", false)
		o.Str("last_assistant_message", "Done.")
	case hook.SubagentStart, hook.SubagentStop:
		sampleChild(c.Event, &o)
	case hook.PreCompact:
		o.Str("trigger", "manual")
		o.Str("custom_instructions", "")
	case hook.PostCompact:
		o.Str("trigger", "manual")
		o.Str("compact_summary", "Done.")
	case hook.Notification:
		o.Str("message", "Qwen Code needs your permission to use run_shell_command")
		o.Str("notification_type", "permission_prompt")
		o.Str("title", "Permission needed")
	}
	return "", o.Bytes(), true
}

func sampleChild(name hook.Name, o *wire.ObjectWriter) {
	if name == hook.SubagentStop {
		o.Bool("stop_hook_active", false)
	}
	o.Str("agent_id", "Explore-call_1_0")
	o.Str("agent_type", "Explore")
	if name == hook.SubagentStop {
		o.Str("last_assistant_message", "Done.")
	}
}

func hasEvent(a *agent.Agent, name hook.Name) bool {
	row := a.Row(string(name))
	return row != nil && row.Name == name
}

// sampleTool adds the members of a tool event. It reports false where Qwen has no such tool.
func sampleTool(a *agent.Agent, c agent.Call, o *wire.ObjectWriter) bool {
	native, input, ok := a.NativeCall(c.Tool, c.Input)
	if !ok && (strings.HasPrefix(c.Tool, "mcp__") || a.Tool(c.Tool) != nil) {
		native, input, ok = c.Tool, c.Input.Raw(), true
	}
	if !ok {
		return false
	}
	if len(input) == 0 {
		input = []byte("{}")
	}
	o.Str("tool_name", native)
	o.Raw("tool_input", input)
	switch c.Event {
	case hook.PermissionRequest:
		return true // the question is asked before the call has an id
	case hook.PostToolUse:
		o.Raw("tool_response", []byte(`{"llmContent":"done","returnDisplay":"done"}`))
	case hook.PostToolUseFailure:
		o.Str("error", "it failed")
		o.Bool("is_interrupt", false)
	}
	o.Str("tool_use_id", "toolu_1767323045678_1u3lsfxej")
	o.Str("tool_call_id", "call_1_0")
	return true
}
