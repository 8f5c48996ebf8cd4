package pi

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// What samples are made with, in the shapes of the recordings.
const (
	sampleSession = "01a22d88-aa40-7775-95e9-a35cbedc3e0c"
	sampleCall    = "call_0002_0"
)

// sample makes what the bridge sends for a call, after the recordings.
func sample(a *agent.Agent, c agent.Call) (string, []byte, bool) {
	var event, ctx wire.ObjectWriter
	native, ok := sampleNative(c.Event)
	if !ok {
		return "", nil, false
	}
	event.Str("type", native)
	ctx.Str("cwd", c.Dir)
	ctx.Str("mode", "tui")
	ctx.Bool("hasUI", true)
	ctx.Bool("trusted", true)
	ctx.Str("sessionId", sampleSession)
	ctx.Str("model", "m1")
	switch c.Event {
	case hook.PreToolUse, hook.PostToolUse, hook.PostToolUseFailure:
		ok = sampleTool(a, c, &event)
	case hook.UserPromptSubmit:
		event.Str("text", c.Prompt)
		event.Str("source", "interactive")
	case hook.SessionStart:
		event.Str("reason", "startup")
	case hook.SessionEnd:
		event.Str("reason", "quit")
	case hook.PreCompact, hook.PostCompact:
		event.Str("reason", "manual")
		event.Bool("willRetry", false)
	case hook.Stop:
		event.Str("outcome", "completed")
		event.Bool("continue", false)
		ctx.Bool("stop_hook_active", false)
		ctx.Str("last_assistant_message", "Done.")
	case hook.Notification:
		event.Str("reason", "ui_prompt")
		event.Str("kind", "confirm")
		event.Str("title", "Proceed?")
	}
	var o wire.ObjectWriter
	o.Raw("event", event.Bytes())
	o.Raw("ctx", ctx.Bytes())
	return native, o.Bytes(), ok
}

func sampleNative(name hook.Name) (string, bool) {
	switch name {
	case hook.PreToolUse:
		return "tool_call", true
	case hook.PostToolUse, hook.PostToolUseFailure:
		return "tool_result", true
	case hook.UserPromptSubmit:
		return "input", true
	case hook.SessionStart:
		return "session_start", true
	case hook.SessionEnd:
		return "session_shutdown", true
	case hook.PreCompact:
		return "session_before_compact", true
	case hook.PostCompact:
		return "session_compact", true
	case hook.Stop:
		return "agent_before_settle", true
	case hook.Notification:
		return "ui_prompt_start", true
	}
	return "", false
}

func sampleTool(a *agent.Agent, c agent.Call, event *wire.ObjectWriter) bool {
	native, args, ok := nativeCall(a, c)
	if !ok {
		return false
	}
	event.Str("toolName", native)
	event.Str("toolCallId", sampleCall)
	event.Raw("input", args)
	if c.Event == hook.PreToolUse {
		return true
	}
	failed := c.Event == hook.PostToolUseFailure
	text := "done"
	if failed {
		text = "it failed"
	}
	var part wire.ObjectWriter
	part.Str("type", "text")
	part.Str("text", text)
	event.Raw("content", list(part.Bytes()))
	event.Bool("isError", failed)
	return true
}

// nativeCall is the call in Pi's words. Of an edit Pi has a list.
func nativeCall(a *agent.Agent, c agent.Call) (native string, args []byte, ok bool) {
	native, args, ok = a.NativeCall(c.Tool, c.Input)
	if ok && native == "edit" {
		args = listed(args)
	}
	if !ok && (strings.HasPrefix(c.Tool, "mcp__") || a.Tool(c.Tool) != nil) {
		native, args, ok = c.Tool, c.Input.Raw(), true
	}
	if len(args) == 0 {
		args = []byte("{}")
	}
	return native, args, ok
}

// listed puts Claude's single replacement into a list.
func listed(args []byte) []byte {
	v, err := wire.Parse(args)
	if err != nil || v.Has("edits") || !v.Has("old_string") {
		return args
	}
	var edit wire.ObjectWriter
	edit.Raw("oldText", v.Get("old_string").Raw())
	if v.Has("new_string") {
		edit.Raw("newText", v.Get("new_string").Raw())
	}
	return v.Without("old_string").Without("new_string").With("edits", list(edit.Bytes())).Raw()
}

func list(item []byte) []byte { return append(append([]byte{'['}, item...), ']') }
