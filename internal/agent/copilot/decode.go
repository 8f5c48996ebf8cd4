package copilot

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// decode turns a payload into an event. A member of a wrong type counts as absent. It fails where the
// payload is no object, where no event is named or to be told from the members, and where the tool's
// arguments are cut JSON text; the event then holds what is known.
func decode(a *agent.Agent, in agent.Input) (hook.Event, *agent.Row, error) {
	p := in.Payload
	native := eventOf(a, p, in.Native)
	row := rowOf(a, native, p)
	ev := hook.Event{
		Name:       hook.Name(native),
		Session:    either(p, "sessionId", "session_id").Str(),
		Transcript: either(p, "transcriptPath", "transcript_path").Str(),
		Cwd:        p.Get("cwd").Str(),
		Prompt:     p.Get("prompt").Str(),
		From:       hook.Agent{Name: Name, Native: native},
		Payload:    []byte(p.Raw()),
	}
	if row != nil && row.Name != "" {
		ev.Name = row.Name
	}
	environment(&ev, in.Env)
	ev.StopActive, ev.StopKnown = p.Get("stop_hook_active").Bool()
	ev.Sub = subagent(p, ev.Session)
	ev.Synthetic = synthetic(native, &ev)
	ev.Subject = subject(native, p)
	tool, err := toolOf(a, native, p, ev.Cwd)
	ev.Tool = tool
	ev.Call = call(native, &ev, p)
	ev.Fields = fields(p, tool != nil)
	switch {
	case p.Kind() != wire.Object:
		return ev, row, errors.New("failed to read Copilot's payload: it is no JSON object; Copilot sends one on stdin")
	case native == "":
		return ev, row, errors.New("failed to read Copilot's payload: nothing tells the event; name it on the command line: hookspan run copilot EVENT")
	case err != nil:
		return ev, row, fmt.Errorf("failed to read Copilot's payload: %w", err)
	}
	return ev, row, nil
}

// either is the member of one of the two languages.
func either(p wire.Value, camel, snake string) wire.Value {
	if v := p.Get(camel); v.Kind() != wire.Absent {
		return v
	}
	return p.Get(snake)
}

// environment adds what Copilot tells by variables. Its project folder is the git root, the payload's
// cwd where the session really is.
func environment(ev *hook.Event, env func(string) string) {
	ev.Project = ev.Cwd
	if env == nil {
		return
	}
	if ev.Project == "" {
		ev.Project = env("COPILOT_PROJECT_DIR")
	}
	ev.Plugin = env("COPILOT_PLUGIN_ROOT")
	if v := env("COPILOT_CLI_BINARY_VERSION"); v != "" {
		ev.From.Version, ev.From.VersionFrom = v, "environment"
	}
}

// eventOf is the event's camelCase name: from the payload (Pascal), the command line, or the members.
func eventOf(a *agent.Agent, p wire.Value, named string) string {
	name := p.Get("hook_event_name").Str()
	if name == "" {
		name = named
	}
	if name == "" {
		return eventByShape(p)
	}
	switch name {
	case "Stop":
		return "agentStop"
	case "UserPromptSubmit":
		return "userPromptSubmitted"
	}
	if camel := strings.ToLower(name[:1]) + name[1:]; a.Row(camel) != nil {
		return camel
	}
	return name
}

// eventByShape tells the event of a payload that does not name it. Three events look the same under
// both spellings (permissionRequest, preMcpToolCall, subagentStart), so a hook registered for Claude
// Code, whose command names no event, gets them so. No two events share a shape.
func eventByShape(p wire.Value) string {
	if p.Get("sessionId").Kind() != wire.String {
		return ""
	}
	switch {
	case p.Has("toolName"):
		return toolEventByShape(p)
	case p.Has("transformedPrompt"):
		return "userPromptTransformed"
	case p.Has("errorContext"):
		return "errorOccurred"
	case p.Has("prompt"):
		return "userPromptSubmitted"
	case p.Has("initialPrompt") || p.Has("source"):
		return "sessionStart"
	case p.Has("trigger"):
		return "preCompact"
	case p.Has("stopReason") && p.Has("agentName"):
		return "subagentStop"
	case p.Has("stopReason"):
		return "agentStop"
	case p.Has("agentName"):
		return "subagentStart"
	case p.Has("reason"):
		return "sessionEnd"
	}
	return ""
}

func toolEventByShape(p wire.Value) string {
	switch {
	case p.Get("hookName").Str() == "permissionRequest":
		return "permissionRequest"
	case p.Has("serverName") && p.Has("arguments"):
		return "preMcpToolCall"
	case p.Has("toolResult"):
		return "postToolUse"
	case p.Has("error"):
		return "postToolUseFailure"
	case p.Has("toolArgs"):
		return "preToolUse"
	}
	return ""
}

// rowOf is the row of an event; agentStop inside a subagent is a copy of its own.
func rowOf(a *agent.Agent, native string, p wire.Value) *agent.Row {
	row := a.Row(native)
	if row != nil && native == "agentStop" && either(p, "agentId", "agent_id").Str() != "" {
		r := ofSubagent(*row)
		return &r
	}
	return row
}

// subagent is the child in which an event happened, or which it is about. On events that carry the
// parent's own session (subagentStart, subagentStop, permissionRequest) the parent is not repeated:
// the session must not look like its own child.
func subagent(p wire.Value, session string) *hook.Subagent {
	id := either(p, "agentId", "agent_id").Str()
	if id == "" {
		return nil
	}
	s := &hook.Subagent{ID: id, Type: either(p, "agentType", "agent_type").Str(), Parent: either(p, "parentAgentId", "parent_agent_id").Str()}
	if s.Parent == session {
		s.Parent = ""
	}
	return s
}

// synthetic reports a prompt that no person wrote: the task of a subagent, the note of a shell that
// has ended.
func synthetic(native string, ev *hook.Event) bool {
	return native == "userPromptSubmitted" && (ev.Sub != nil || strings.HasPrefix(ev.Prompt, "<system_notification>"))
}

// subject is what a matcher of an event that is about no tool looks at.
func subject(native string, p wire.Value) string {
	switch native {
	case "sessionStart":
		return source(p.Get("source").Str())
	case "sessionEnd":
		return p.Get("reason").Str()
	case "preCompact":
		return p.Get("trigger").Str()
	case "notification":
		return p.Get("notification_type").Str()
	case "subagentStart", "subagentStop":
		if s := either(p, "agentName", "agent_name").Str(); s != "" {
			return s
		}
		return either(p, "agentType", "agent_type").Str()
	}
	return ""
}

// source is Claude's word for how a session starts.
func source(native string) string {
	if native == "new" {
		return "startup"
	}
	return native
}
