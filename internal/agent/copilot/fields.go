package copilot

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/wire"
)

// claudeField pairs Claude's key with the two spellings that Copilot has for the same thing.
type claudeField struct{ claude, camel, snake string }

func claudeFields() [9]claudeField {
	return [...]claudeField{
		{"source", "source", "source"},
		{"reason", "reason", "reason"},
		{"trigger", "trigger", "trigger"},
		{"message", "message", "message"},
		{"notification_type", "notification_type", "notification_type"},
		{"last_assistant_message", "response", "last_assistant_message"},
		{"custom_instructions", "customInstructions", "custom_instructions"},
		{"agent_id", "agentId", "agent_id"},
		{"agent_type", "agentType", "agent_type"},
	}
}

// fields are the other members: Claude's keys first, then Copilot's own.
func fields(p wire.Value, ofTool bool) []hook.Member {
	var list []hook.Member
	known := claudeFields()
	for _, f := range known {
		v := either(p, f.camel, f.snake)
		if v.Kind() == wire.Absent {
			continue
		}
		raw := v.Raw()
		if s, ok := v.StrOK(); ok && f.claude == "source" {
			raw = wire.AppendString(nil, source(s))
		}
		list = append(list, hook.Member{Key: f.claude, Value: []byte(raw)})
	}
next:
	for key, v := range p.Members() {
		for _, f := range known {
			if key == f.camel || key == f.snake {
				continue next
			}
		}
		if placed(key) || key == "error" && ofTool {
			continue
		}
		list = append(list, hook.Member{Key: key, Value: []byte(v.Raw())})
	}
	return list
}

// placed reports whether a member of the payload stands elsewhere in the handler's input.
func placed(key string) bool {
	switch key {
	case "sessionId", "session_id", "transcriptPath", "transcript_path", "cwd", "permission_mode", "hook_event_name",
		"toolName", "tool_name", "toolArgs", "toolInput", "arguments", "tool_input", "toolCallId", "tool_use_id",
		"toolResult", "tool_result", "tool_response", "prompt", "stop_hook_active", "hookspan":
		return true
	}
	return false
}
