package claude

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

const sampleSession = "28c9d0d4-8722-4902-9e86-f076dfecea76"

// sample makes the payload that Claude would send for a call, with the members and their order of
// the recordings. The event's name stands in it.
func sample(a *agent.Agent, c agent.Call) (string, []byte, bool) {
	row := a.Row(string(c.Event))
	if row == nil || row.Name == "" {
		return "", nil, false
	}
	var o wire.ObjectWriter
	o.Str("session_id", sampleSession)
	o.Str("transcript_path", "/home/dev/.claude/projects/-home-dev-shop/"+sampleSession+".jsonl")
	o.Str("cwd", c.Dir)
	if c.Event != hook.SessionStart {
		o.Str("prompt_id", "b1d3174b-6216-42a7-a8cd-11a7237d3014")
	}
	ofTurn := c.Event.OfTool() || c.Event.Class() == hook.Finish
	if ofTurn || c.Event == hook.UserPromptSubmit {
		o.Str("permission_mode", "default")
	}
	if c.Event == hook.SubagentStart || c.Event == hook.SubagentStop {
		o.Str("agent_id", "ae4a954e5f687722c")
		o.Str("agent_type", "general-purpose")
	}
	if ofTurn {
		o.Raw("effort", []byte(`{"level":"medium"}`))
	}
	o.Str("hook_event_name", string(c.Event))
	ok := true
	if c.Event.OfTool() {
		ok = sampleTool(a, c, &o)
	} else {
		sampleRest(c, &o)
	}
	return "", o.Bytes(), ok
}

// sampleRest adds the members of an event that is about no tool.
func sampleRest(c agent.Call, o *wire.ObjectWriter) {
	switch c.Event {
	case hook.SessionStart:
		o.Str("source", "startup")
	case hook.SessionEnd:
		o.Str("reason", "other")
	case hook.UserPromptSubmit:
		o.Str("prompt", c.Prompt)
	case hook.PreCompact:
		o.Str("trigger", "manual")
		o.Raw("custom_instructions", []byte("null"))
	case hook.PostCompact:
		o.Str("trigger", "manual")
		o.Str("compact_summary", "<summary>…</summary>")
	case hook.Notification:
		o.Str("message", "Claude needs your permission")
		o.Str("notification_type", "permission_prompt")
	case hook.Stop, hook.SubagentStop:
		o.Bool("stop_hook_active", false)
		if c.Event == hook.SubagentStop {
			o.Str("agent_transcript_path", "/home/dev/.claude/projects/-home-dev-shop/"+sampleSession+"/subagents/agent-ae4a954e5f687722c.jsonl")
		}
		o.Str("last_assistant_message", "Done.")
		o.Raw("background_tasks", []byte("[]"))
		o.Raw("session_crons", []byte("[]"))
	}
}

// sampleTool adds the members of a tool event. It reports false where Claude has no such tool.
func sampleTool(a *agent.Agent, c agent.Call, o *wire.ObjectWriter) bool {
	server, isMCP := strings.CutPrefix(c.Tool, "mcp__")
	server, _, split := strings.Cut(server, "__")
	isMCP = isMCP && split
	if a.Tool(c.Tool) == nil && !isMCP {
		return false
	}
	input := c.Input.Raw()
	if len(input) == 0 {
		input = []byte("{}")
	}
	o.Str("tool_name", c.Tool)
	o.Raw("tool_input", input)
	switch c.Event {
	case hook.PermissionRequest: // has no tool_use_id
		o.Raw("permission_suggestions", []byte("[]"))
		return true
	case hook.PostToolUse:
		o.Raw("tool_response", sampleResponse(c.Tool))
	}
	o.Str("tool_use_id", "toolu_000100")
	switch c.Event {
	case hook.PostToolUse:
		o.Int("duration_ms", 20)
	case hook.PostToolUseFailure:
		o.Str("error", "Exit code 1\nit failed")
		o.Bool("is_interrupt", false)
		o.Int("duration_ms", 20)
	}
	if isMCP {
		var m wire.ObjectWriter
		m.Str("name", server)
		m.Str("source", "dynamic")
		o.Raw("mcp_server", m.Bytes())
	}
	return true
}

func sampleResponse(tool string) []byte {
	if tool == "Bash" {
		return []byte(`{"stdout":"done","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}`)
	}
	return []byte(`"done"`)
}
