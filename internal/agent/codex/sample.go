package codex

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

const (
	sampleSession = "00000000-0000-7000-8000-000000000001"
	sampleTurn    = "00000000-0000-7000-8000-000000000002"
	sampleAgent   = "00000000-0000-7000-8000-000000000003"
	sampleRollout = "/home/dev/.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-"
)

// sample makes the payload that Codex would send for a call, with the members and their order of
// the recordings. The event's name stands in it.
func sample(a *agent.Agent, c agent.Call) (string, []byte, bool) {
	row := a.Row(string(c.Event))
	if row == nil || row.Name == "" {
		return "", nil, false
	}
	var o wire.ObjectWriter
	o.Str("session_id", sampleSession)
	if c.Event != hook.SessionStart && c.Event != hook.SessionEnd {
		o.Str("turn_id", sampleTurn)
	}
	transcript := sampleRollout + sampleSession + ".jsonl"
	if c.Event == hook.SubagentStart {
		transcript = sampleRollout + sampleAgent + ".jsonl"
	}
	o.Str("transcript_path", transcript)
	if c.Event == hook.SubagentStop {
		o.Str("agent_transcript_path", sampleRollout+sampleAgent+".jsonl")
	}
	o.Str("cwd", c.Dir)
	o.Str("hook_event_name", string(c.Event))
	if c.Event != hook.SessionEnd {
		o.Str("model", "gpt-5.5")
	}
	switch c.Event {
	case hook.SessionEnd, hook.PreCompact, hook.PostCompact:
	default:
		o.Str("permission_mode", "default")
	}
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
	case hook.SessionEnd:
		o.Str("reason", "other")
	case hook.UserPromptSubmit:
		o.Str("prompt", c.Prompt)
	case hook.PreCompact, hook.PostCompact:
		o.Str("trigger", "manual")
	case hook.Stop:
		o.Bool("stop_hook_active", false)
		o.Str("last_assistant_message", "Done.")
	case hook.SubagentStart:
		o.Str("agent_id", sampleAgent)
		o.Str("agent_type", "explorer")
	case hook.SubagentStop:
		o.Bool("stop_hook_active", false)
		o.Str("agent_id", sampleAgent)
		o.Str("agent_type", "explorer")
		o.Str("last_assistant_message", "Done.")
	}
}

// sampleTool adds the members of a tool event. It reports false where Codex has no such tool.
func sampleTool(a *agent.Agent, c agent.Call, o *wire.ObjectWriter) bool {
	native, input, ok := nativeCall(a, c)
	if !ok {
		return false
	}
	o.Str("tool_name", native)
	o.Raw("tool_input", input)
	switch c.Event {
	case hook.PermissionRequest: // has no tool_use_id
		return true
	case hook.PostToolUse:
		o.Raw("tool_response", []byte(`"done\n"`))
	}
	o.Str("tool_use_id", "call_0_0")
	return true
}

func nativeCall(a *agent.Agent, c agent.Call) (native string, input []byte, ok bool) {
	switch c.Tool {
	case "Bash": // workdir, timeout and the rest are dropped
		var only wire.ObjectWriter
		only.Str("command", c.Input.Get("command").Str())
		return "Bash", only.Bytes(), true
	case "Write", "Edit":
		var o wire.ObjectWriter
		o.Str("command", patchText(c.Tool, c.Input))
		return "apply_patch", o.Bytes(), true
	case "Read": // files are read in the shell
		return "", nil, false
	}
	native, input, ok = a.NativeCall(c.Tool, c.Input)
	if !ok && (strings.HasPrefix(c.Tool, "mcp__") || a.Tool(c.Tool) != nil) {
		native, input, ok = c.Tool, c.Input.Raw(), true
	}
	if len(input) == 0 {
		input = []byte("{}")
	}
	return native, input, ok
}

// patchText is the patch with which Codex writes or edits one file.
func patchText(tool string, in wire.Value) string {
	path := in.Get("file_path").Str()
	if tool == "Write" {
		return "*** Begin Patch\n*** Add File: " + path + "\n" + marked("+", in.Get("content").Str()) + "*** End Patch\n"
	}
	body := ""
	for _, e := range append([]wire.Value{in}, elems(in.Get("edits"))...) {
		if e.Has("old_string") || e.Has("new_string") {
			body += "@@\n" + marked("-", e.Get("old_string").Str()) + marked("+", e.Get("new_string").Str())
		}
	}
	return "*** Begin Patch\n*** Update File: " + path + "\n" + body + "*** End Patch\n"
}

func elems(v wire.Value) []wire.Value {
	var list []wire.Value
	for e := range v.Elems() {
		list = append(list, e)
	}
	return list
}

// marked puts a mark in front of each line of a text.
func marked(mark, text string) string {
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return ""
	}
	return mark + strings.ReplaceAll(text, "\n", "\n"+mark) + "\n"
}
