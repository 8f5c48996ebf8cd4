package droid

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

const (
	sampleSession = "00000000-0000-4000-8000-000000000001"
	sampleMessage = "00000000-0000-4000-8000-000000000002"
)

// sample makes the payload that Droid would send for a call, with the members and their order of the
// recordings. The event's name stands in it.
func sample(a *agent.Agent, c agent.Call) (string, []byte, bool) {
	row := a.Row(string(c.Event))
	if row == nil {
		return "", nil, false
	}
	var o wire.ObjectWriter
	o.Str("session_id", sampleSession)
	o.Str("transcript_path", "/home/dev/.factory/sessions/-home-dev-shop/"+sampleSession+".jsonl")
	o.Str("cwd", c.Dir)
	mode := "auto-low"
	switch c.Event {
	case hook.SessionStart, hook.UserPromptSubmit, hook.PreCompact, hook.Notification:
		mode = "off"
	}
	o.Str("permission_mode", mode)
	o.Str("hook_event_name", row.Native)
	if c.Event.OfTool() {
		ok := sampleTool(a, c, &o)
		return "", o.Bytes(), ok
	}
	sampleRest(c, &o)
	return "", o.Bytes(), true
}

// sampleRest adds the members of an event that is about no tool.
func sampleRest(c agent.Call, o *wire.ObjectWriter) {
	switch c.Event {
	case hook.SessionStart:
		o.Str("source", "startup")
		o.Str("CLAUDE_ENV_FILE", "/home/dev/.factory/temp/env/droid-env-"+sampleSession+"-"+sampleMessage+".sh")
	case hook.UserPromptSubmit:
		o.Str("message_id", sampleMessage)
		o.Str("prompt", c.Prompt)
		o.Bool("has_images", false)
	case hook.Stop:
		o.Str("message_id", sampleMessage)
		o.Bool("stop_hook_active", false)
		o.Int("tool_execution_count", 0)
		o.Int("elapsed_time", 314)
	case hook.SubagentStop:
		o.Str("task_name", "sub task")
		o.Str("task_result", "Done.")
		o.Bool("stop_hook_active", false)
	case hook.PreCompact:
		o.Str("trigger", "auto")
		o.Int("message_count", 10)
		o.Int("estimated_tokens", 113)
		o.Str("message_id", sampleMessage)
	case hook.Notification:
		o.Str("message", "Factory CLI needs permission to execute 1 tool(s)")
		o.Str("notification_type", "permission_prompt")
	case hook.SessionEnd:
		o.Str("message_id", sampleMessage)
		o.Str("reason", "other")
		o.Raw("session_duration_ms", []byte("1228.60498046875"))
		o.Int("message_count", 6)
	}
}

// sampleTool adds the members of a tool event. It reports false where Droid has no such tool.
func sampleTool(a *agent.Agent, c agent.Call, o *wire.ObjectWriter) bool {
	native, input, ok := a.NativeCall(c.Tool, c.Input)
	if rest, is := strings.CutPrefix(c.Tool, "mcp__"); is && !ok {
		var server, name string
		if server, name, ok = strings.Cut(rest, "__"); ok {
			native, input = server+"___"+name, c.Input.Raw()
		}
	}
	if !ok && a.Tool(c.Tool) != nil {
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
	if c.Event == hook.PostToolUse {
		o.Str("tool_response", "done")
	}
	return true
}
