package cursor

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

const (
	sampleSession    = "11111111-2222-4333-8444-555555555555"
	sampleGeneration = "66666666-7777-4888-8999-aaaaaaaaaaaa"
	sampleCall       = "77777777-8888-4999-8aaa-bbbbbbbbbbbb"
)

// sample makes the payload that Cursor would send for a call, with the members and their order of
// the recordings of sdk-1.0.32. The event's name stands in it.
func sample(a *agent.Agent, c agent.Call) (string, []byte, bool) {
	native := nativeEvent(a, c.Event)
	if native == "" {
		return "", nil, false
	}
	var o wire.ObjectWriter
	o.Str("conversation_id", sampleSession)
	o.Str("generation_id", sampleGeneration)
	o.Str("model", "model-a")
	if c.Event.OfTool() {
		if !sampleTool(a, c, &o) {
			return "", nil, false
		}
	} else {
		sampleRest(c, &o)
	}
	o.Str("session_id", sampleSession)
	o.Str("hook_event_name", native)
	o.Str("cursor_version", "1.0.32")
	o.Strs("workspace_roots", []string{c.Dir})
	o.Raw("user_email", []byte("null"))
	o.Raw("transcript_path", []byte("null"))
	return "", o.Bytes(), true
}

// nativeEvent is the first event that carries a common one, "" where Cursor has none.
func nativeEvent(a *agent.Agent, name hook.Name) string {
	for i := range a.Events {
		if name != "" && a.Events[i].Name == name {
			return a.Events[i].Native
		}
	}
	return ""
}

// sampleRest adds the members of an event that is about no tool.
func sampleRest(c agent.Call, o *wire.ObjectWriter) {
	switch c.Event {
	case hook.SessionStart:
		o.Bool("is_background_agent", false)
	case hook.SessionEnd:
		o.Str("reason", "completed")
		o.Int("duration_ms", 1234)
		o.Bool("is_background_agent", false)
		o.Str("final_status", "completed")
	case hook.UserPromptSubmit:
		o.Str("prompt", c.Prompt)
		o.Raw("attachments", []byte("[]"))
		o.Str("composer_mode", "agent")
	case hook.PreCompact:
		o.Str("trigger", "manual")
		o.Bool("is_first_compaction", true)
	case hook.Stop:
		o.Str("status", "completed")
		o.Int("loop_count", 0)
	case hook.SubagentStart, hook.SubagentStop:
		o.Str("subagent_id", "sub-1")
		o.Str("subagent_type", "explore")
		if c.Event == hook.SubagentStop {
			o.Str("status", "completed")
			o.Int("loop_count", 0)
		}
		o.Str("task", c.Prompt)
		o.Str("parent_conversation_id", sampleSession)
	}
}

// sampleTool adds the members of a tool event. It reports false where Cursor has no such tool.
func sampleTool(a *agent.Agent, c agent.Call, o *wire.ObjectWriter) bool {
	native, input, ok := nativeCall(a, c)
	if !ok {
		return false
	}
	o.Str("tool_name", native)
	o.Raw("tool_input", input)
	switch c.Event {
	case hook.PostToolUse:
		o.Str("tool_output", sampleOutput(native))
		o.Int("duration", 20)
	case hook.PostToolUseFailure:
		o.Str("error_message", "it failed")
		o.Str("failure_type", "error")
		o.Int("duration", 20)
	}
	o.Str("tool_use_id", sampleCall)
	if c.Event == hook.PostToolUseFailure {
		o.Bool("is_interrupt", false)
	}
	if native == "Shell" {
		o.Str("cwd", c.Dir)
	}
	return true
}

func sampleOutput(native string) string {
	if native == "Shell" {
		return `{"output":"done","exitCode":0}`
	}
	return `{"success":true}`
}

func nativeCall(a *agent.Agent, c agent.Call) (native string, input []byte, ok bool) {
	switch c.Tool {
	case "Bash": // Cursor's shell takes no other key of Claude's
		var o wire.ObjectWriter
		o.Str("command", c.Input.Get("command").Str())
		o.Str("cwd", c.Dir)
		return "Shell", o.Bytes(), true
	case "Edit":
		return "Write", edited(c.Input), true
	}
	if _, name, is := strings.Cut(strings.TrimPrefix(c.Tool, "mcp__"), "__"); is && strings.HasPrefix(c.Tool, "mcp__") {
		native, input, ok = mcpPrefix+name, c.Input.Raw(), true
	} else if native, input, ok = a.NativeCall(c.Tool, c.Input); !ok && a.Tool(c.Tool) != nil {
		native, input, ok = c.Tool, c.Input.Raw(), true
	}
	if len(input) == 0 {
		input = []byte("{}")
	}
	return native, input, ok
}

// edited is the Write as which Cursor reports an edit. Its content would be the whole new file; what
// a call in Claude's words tells of it is the new parts.
func edited(in wire.Value) []byte {
	text := in.Get("new_string").Str()
	for e := range in.Get("edits").Elems() {
		text += e.Get("new_string").Str()
	}
	var o wire.ObjectWriter
	o.Str("file_path", in.Get("file_path").Str())
	o.Str("content", text)
	return o.Bytes()
}
