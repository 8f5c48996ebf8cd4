package gemini

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// sample makes the payload that Gemini would send for a call, with the members and their order of
// the recordings. The event's name stands in it.
func sample(a *agent.Agent, c agent.Call) (string, []byte, bool) {
	native := nativeEvent(a, c.Event)
	if native == "" {
		return "", nil, false
	}
	const session = "64d5f7a5-fee6-48bd-a9f4-04e89ee0bbcf"
	var o wire.ObjectWriter
	o.Str("session_id", session)
	o.Str("transcript_path", "/home/dev/.gemini/tmp/shop/chats/session-2026-01-02T03-04-64d5f7a5.jsonl")
	o.Str("cwd", c.Dir)
	o.Str("hook_event_name", native)
	o.Str("timestamp", "2026-01-02T03:04:05.678Z")
	if c.Event.OfTool() {
		ok := sampleTool(a, c, &o)
		return "", o.Bytes(), ok
	}
	switch c.Event {
	case hook.SessionStart:
		o.Str("source", "startup")
	case hook.SessionEnd:
		o.Str("reason", "exit")
	case hook.UserPromptSubmit:
		o.Str("prompt", c.Prompt)
	case hook.Stop:
		o.Str("prompt", c.Prompt)
		o.Str("prompt_response", "Done.")
		o.Bool("stop_hook_active", false)
	case hook.PreCompact:
		o.Str("trigger", "manual")
	case hook.Notification:
		o.Str("notification_type", "ToolPermission")
		o.Str("message", "Tool Confirm Shell Command requires execution")
	}
	return "", o.Bytes(), true
}

// nativeEvent is the event that carries a common one, "" where Gemini has none.
func nativeEvent(a *agent.Agent, name hook.Name) string {
	switch name {
	case hook.PostToolUseFailure:
		return "AfterTool"
	case hook.PreCompact:
		return "PreCompress"
	}
	for i := range a.Events {
		if name != "" && a.Events[i].Name == name {
			return a.Events[i].Native
		}
	}
	return ""
}

// sampleTool adds the members of a tool event. It reports false where Gemini has no such tool.
func sampleTool(a *agent.Agent, c agent.Call, o *wire.ObjectWriter) bool {
	native, input, context, ok := nativeCall(a, c)
	if !ok {
		return false
	}
	o.Str("tool_name", native)
	o.Raw("tool_input", input)
	switch c.Event {
	case hook.PostToolUse:
		o.Raw("tool_response", []byte(`{"llmContent":"done","returnDisplay":"done"}`))
	case hook.PostToolUseFailure:
		o.Raw("tool_response", []byte(`{"llmContent":"it failed","returnDisplay":"it failed","error":{"message":"it failed"}}`))
	}
	o.Raw("mcp_context", context)
	return true
}

func nativeCall(a *agent.Agent, c agent.Call) (native string, input, context []byte, ok bool) {
	native, input, ok = a.NativeCall(c.Tool, c.Input)
	if rest, is := strings.CutPrefix(c.Tool, "mcp__"); is && !ok {
		var server, name string
		if server, name, ok = strings.Cut(rest, "__"); ok {
			native, input = "mcp_"+server+"_"+name, c.Input.Raw()
			var o wire.ObjectWriter
			o.Str("server_name", server)
			o.Str("tool_name", name)
			context = o.Bytes()
		}
	}
	if !ok && a.Tool(c.Tool) != nil {
		native, input, ok = c.Tool, c.Input.Raw(), true
	}
	if len(input) == 0 {
		input = []byte("{}")
	}
	return native, input, context, ok
}
