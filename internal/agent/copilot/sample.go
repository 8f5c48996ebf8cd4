package copilot

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

const (
	sampleSession    = "00000000-0000-4000-8000-000000000001"
	sampleChild      = "00000000-0000-4000-8000-000000000002"
	sampleTime       = 1767323045678
	sampleTranscript = "/home/dev/.copilot/session-state/" + sampleSession + "/events.jsonl"
)

// sample makes the camelCase payload that Copilot would send for a call, with the members and their
// order of the recordings. Its event is named by the command line.
func sample(a *agent.Agent, c agent.Call) (string, []byte, bool) {
	native := nativeEvent(a, c.Event)
	if native == "" {
		return "", nil, false
	}
	var o wire.ObjectWriter
	if native == "permissionRequest" {
		o.Str("hookName", native)
	}
	o.Str("sessionId", sampleSession)
	o.Int("timestamp", sampleTime)
	o.Str("cwd", c.Dir)
	if c.Event.OfTool() {
		ok := sampleTool(a, c, &o)
		return native, o.Bytes(), ok
	}
	sampleRest(c, &o)
	return native, o.Bytes(), true
}

// nativeEvent is the event that carries a common one, "" where Copilot has none.
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
		o.Str("source", "new")
		o.Str("initialPrompt", c.Prompt)
	case hook.SessionEnd:
		o.Str("reason", "complete")
	case hook.UserPromptSubmit:
		o.Str("prompt", c.Prompt)
	case hook.Stop:
		o.Str("transcriptPath", sampleTranscript)
		o.Str("stopReason", "end_turn")
		o.Bool("stop_hook_active", false)
	case hook.SubagentStart:
		o.Str("transcriptPath", sampleTranscript)
		o.Str("agentName", "task")
		child(o)
	case hook.SubagentStop:
		o.Str("transcriptPath", sampleTranscript)
		child(o)
		o.Str("agentName", "task")
		o.Str("response", "Done.")
		o.Str("stopReason", "end_turn")
		o.Bool("stop_hook_active", false)
	case hook.PreCompact:
		o.Str("transcriptPath", sampleTranscript)
		o.Str("trigger", "manual")
		o.Str("customInstructions", "")
	case hook.Notification:
		o.Str("message", "Run command: ls")
		o.Str("title", "Permission needed")
		o.Str("hook_event_name", "Notification")
		o.Str("notification_type", "permission_prompt")
	}
}

func child(o *wire.ObjectWriter) {
	o.Str("agentId", sampleChild)
	o.Str("agentType", "task")
	o.Str("parentAgentId", sampleSession)
}

// sampleTool adds the members of a tool event. It reports false where Copilot has no such tool, or
// does not ask for it.
func sampleTool(a *agent.Agent, c agent.Call, o *wire.ObjectWriter) bool {
	if c.Event == hook.PermissionRequest {
		return sampleAsked(c, o)
	}
	native, input, ok := a.NativeCall(c.Tool, c.Input)
	if rest, is := strings.CutPrefix(c.Tool, "mcp__"); is && !ok {
		var server, name string
		if server, name, ok = strings.Cut(rest, "__"); ok {
			native, input = server+"-"+name, c.Input.Raw()
		}
	}
	if !ok && a.Tool(c.Tool) != nil {
		native, input, ok = c.Tool, c.Input.Raw(), true
	}
	if !ok {
		return false
	}
	o.Str("toolName", native)
	o.Raw("toolArgs", orEmpty(input))
	switch c.Event {
	case hook.PostToolUse:
		o.Raw("toolResult", []byte(`{"resultType":"success","textResultForLlm":"done"}`))
	case hook.PostToolUseFailure:
		o.Str("error", "it failed")
	}
	return true
}

// sampleAsked adds the members of a permission question, which has names of its own.
func sampleAsked(c agent.Call, o *wire.ObjectWriter) bool {
	name, input := "", c.Input.Raw()
	var in wire.ObjectWriter
	switch c.Tool {
	case "Bash":
		name = "bash"
		in.Raw("command", c.Input.Get("command").Raw())
		input = in.Bytes()
	case "Write", "Edit":
		name = "edit"
		in.Raw("file_path", c.Input.Get("file_path").Raw())
		in.Str("diff", sampleDiff(c))
		input = in.Bytes()
	default:
		rest, is := strings.CutPrefix(c.Tool, "mcp__")
		server, tool, split := strings.Cut(rest, "__")
		if !is || !split {
			return false
		}
		name = server + "/" + tool
	}
	o.Str("toolName", name)
	o.Raw("toolInput", orEmpty(input))
	o.Raw("permissionSuggestions", []byte("[]"))
	return true
}

// sampleDiff is the change as Copilot shows it.
func sampleDiff(c agent.Call) string {
	path := c.Input.Get("file_path").Str()
	from, to, kind, old := "a/"+strings.TrimPrefix(path, "/"), "b/"+strings.TrimPrefix(path, "/"), "", c.Input.Get("old_string").Str()
	text := c.Input.Get("new_string").Str()
	if c.Tool == "Write" {
		text, kind = c.Input.Get("content").Str(), "create file mode 100644\n"
	}
	head := "\ndiff --git " + from + " " + to + "\n" + kind + "index 0000000..0000000\n"
	if c.Tool == "Write" {
		from = "a/dev/null"
	}
	return head + "--- " + from + "\n+++ " + to + "\n@@ -1 +1 @@\n" + prefixed("-", old) + prefixed("+", text)
}

func prefixed(mark, text string) string {
	if text == "" {
		return ""
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return mark + strings.Join(lines, "\n"+mark) + "\n"
}

func orEmpty(raw []byte) []byte {
	if len(raw) == 0 {
		return []byte("{}")
	}
	return raw
}
