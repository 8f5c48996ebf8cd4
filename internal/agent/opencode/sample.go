package opencode

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// What samples are made with, in the shapes of the recordings.
const (
	sampleSession = "ses_dd280e4b7ffecjv4IAR17tWfhw"
	sampleMessage = "msg_22d7f1f46001h4o0d6ZBT5u5bX"
	sampleCall    = "call_0002_0"
)

// sample makes what the bridge sends for a call, after the recordings.
func sample(a *agent.Agent, c agent.Call) (string, []byte, bool) {
	var input, output, ctx wire.ObjectWriter
	native, ok := "", true
	ctx.Str("mode", "tui")
	switch c.Event {
	case hook.PreToolUse, hook.PostToolUse, hook.PostToolUseFailure, hook.PermissionRequest:
		native, ok = sampleTool(a, c, &input, &output, &ctx)
	case hook.UserPromptSubmit:
		native = "chat.message"
		input.Str("sessionID", sampleSession)
		output.Raw("message", []byte(`{"id":"`+sampleMessage+`","role":"user","sessionID":"`+sampleSession+`"}`))
		output.Raw("parts", list(object("type", "text", "text", c.Prompt, "messageID", sampleMessage, "sessionID", sampleSession)))
	case hook.SessionStart:
		native = "event.session.created"
		ctx.Str("source", "startup")
		sampleEvent(&input, "session.created", []byte(`{"sessionID":"`+sampleSession+`","info":{"id":"`+sampleSession+`"}}`))
	case hook.SubagentStart:
		native = "event.session.created"
		sampleEvent(&input, "session.created", []byte(`{"sessionID":"ses_child","info":{"id":"ses_child","parentID":"`+sampleSession+`","agent":"general"}}`))
	case hook.Stop, hook.SubagentStop:
		native = "event.session.idle"
		ctx.Bool("stop_hook_active", false)
		ctx.Str("last_assistant_message", "Done.")
		if c.Event == hook.SubagentStop {
			ctx.Str("parent", "ses_parent")
			ctx.Str("agent", "general")
		}
		sampleEvent(&input, "session.idle", []byte(`{"sessionID":"`+sampleSession+`"}`))
	case hook.PreCompact:
		native = "experimental.session.compacting"
		input.Str("sessionID", sampleSession)
		output.Raw("context", []byte("[]"))
	case hook.PostCompact:
		native = "event.session.compacted"
		sampleEvent(&input, "session.compacted", []byte(`{"sessionID":"`+sampleSession+`"}`))
	case hook.Notification:
		native = "event.permission.waiting"
		ctx.Str("notification_type", "permission_prompt")
		sampleEvent(&input, "permission.asked", []byte(`{"sessionID":"`+sampleSession+`","permission":"bash"}`))
	case hook.SessionEnd:
		native = "dispose"
		ctx.Str("session", sampleSession)
	default:
		ok = false
	}
	return native, samplePayload(native, c.Dir, input, output, ctx), ok
}

func samplePayload(native, dir string, input, output, ctx wire.ObjectWriter) []byte {
	var o wire.ObjectWriter
	name := native
	if strings.HasPrefix(native, "event.") {
		name = "event"
	}
	o.Str("hook", name)
	if !input.Empty() {
		o.Raw("input", input.Bytes())
	}
	if !output.Empty() {
		o.Raw("output", output.Bytes())
	}
	o.Str("directory", dir)
	o.Str("worktree", dir)
	o.Raw("ctx", ctx.Bytes())
	return o.Bytes()
}

func sampleTool(a *agent.Agent, c agent.Call, input, output, ctx *wire.ObjectWriter) (string, bool) {
	native, args, ok := nativeCall(a, c, ctx)
	if !ok {
		return "", false
	}
	switch c.Event {
	case hook.PreToolUse, hook.PostToolUse:
		input.Str("tool", native)
		input.Str("sessionID", sampleSession)
		input.Str("callID", sampleCall)
		if c.Event == hook.PreToolUse {
			output.Raw("args", args)
			return "tool.execute.before", true
		}
		input.Raw("args", args)
		output.Str("title", native)
		output.Raw("metadata", []byte(`{"truncated":false}`))
		output.Str("output", "done")
		return "tool.execute.after", true
	case hook.PermissionRequest:
		var t wire.ObjectWriter
		t.Str("name", native)
		t.Raw("args", args)
		ctx.Raw("tool", t.Bytes())
		sampleEvent(input, "permission.asked", []byte(`{"id":"per_1","sessionID":"`+sampleSession+`","tool":{"callID":"`+sampleCall+`"}}`))
		return "event.permission.asked", true
	}
	var state, part, props wire.ObjectWriter
	state.Str("status", "error")
	state.Raw("input", args)
	state.Str("error", "it failed")
	part.Str("type", "tool")
	part.Str("tool", native)
	part.Str("callID", sampleCall)
	part.Raw("state", state.Bytes())
	props.Str("sessionID", sampleSession)
	props.Raw("part", part.Bytes())
	sampleEvent(input, "message.part.updated", props.Bytes())
	return "event.message.part.updated", true
}

// nativeCall is the call in OpenCode's words. Of an MCP tool the bridge tells the server.
func nativeCall(a *agent.Agent, c agent.Call, ctx *wire.ObjectWriter) (native string, args []byte, ok bool) {
	native, args, ok = a.NativeCall(c.Tool, c.Input)
	if rest, is := strings.CutPrefix(c.Tool, "mcp__"); is && !ok {
		var server, name string
		if server, name, ok = strings.Cut(rest, "__"); ok {
			native, args = server+"_"+name, c.Input.Raw()
			ctx.Raw("mcp", object("server", server, "tool", name))
		}
	}
	if !ok && a.Tool(c.Tool) != nil {
		native, args, ok = c.Tool, c.Input.Raw(), true
	}
	if len(args) == 0 {
		args = []byte("{}")
	}
	return native, args, ok
}

func sampleEvent(input *wire.ObjectWriter, kind string, props []byte) {
	var e wire.ObjectWriter
	e.Str("id", "evt_22d7f1b5b001SDh1C636zquSUf")
	e.Str("type", kind)
	e.Raw("properties", props)
	input.Raw("event", e.Bytes())
}

// object writes an object of strings.
func object(pairs ...string) []byte {
	var o wire.ObjectWriter
	for i := 0; i+1 < len(pairs); i += 2 {
		o.Str(pairs[i], pairs[i+1])
	}
	return o.Bytes()
}

func list(item []byte) []byte { return append(append([]byte{'['}, item...), ']') }
