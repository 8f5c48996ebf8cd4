package claude

import (
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/sha256"
	"github.com/hookspan/hookspan/internal/wire"
)

// decode turns a payload into an event; handlers get the payload itself. A member of a wrong type
// counts as absent. The payload of a status line is no event: it comes back without a name.
func decode(a *agent.Agent, in agent.Input) (hook.Event, *agent.Row, error) {
	p := in.Payload
	native := p.Get("hook_event_name").Str()
	if native == "" {
		native = in.Native
	}
	row := a.Row(native)
	ev := hook.Event{
		Name:       hook.Name(native),
		Session:    p.Get("session_id").Str(),
		Transcript: p.Get("transcript_path").Str(),
		Cwd:        p.Get("cwd").Str(),
		Mode:       p.Get("permission_mode").Str(),
		Prompt:     p.Get("prompt").Str(),
		Subject:    subject(native, p),
		Synthetic:  native == "UserPromptSubmit" && strings.HasPrefix(p.Get("prompt").Str(), "<task-notification>"),
		From:       hook.Agent{Name: Name, Native: native},
		Model:      p.Get("model").Str(),
		Sub:        sub(p),
		Payload:    []byte(p.Raw()),
		// Without the event's name the payload does not speak the whole protocol.
		Plain: p.Get("hook_event_name").Str() != "",
	}
	if row != nil && row.Name != "" {
		ev.Name = row.Name
	}
	if ev.StopActive, ev.StopKnown = p.Get("stop_hook_active").Bool(); !ev.StopKnown {
		ev.StopActive, ev.StopKnown = p.Get("stopHookActive").Bool() // a look-alike's spelling (field report)
	}
	ev.Tool = tool(a, p, ev.Cwd)
	ev.Fields = fields(p, ev.Tool)
	ev.Call, ev.Turn = call(native, p), turn(p)
	environment(&ev, in.Env)
	switch {
	case p.Kind() != wire.Object:
		return ev, row, errors.New("failed to read Claude's payload: it is no JSON object; Claude sends one on stdin")
	case native == "" && isStatusLine(p):
		return hook.Event{}, nil, nil
	case native == "":
		return ev, row, errors.New("failed to read Claude's payload: it has no hook_event_name; name the event on the command line: hookspan run claude EVENT")
	}
	return ev, row, nil
}

// isStatusLine reports whether a payload is what statusLine.command gets.
func isStatusLine(p wire.Value) bool {
	return p.Path("workspace", "current_dir").Kind() == wire.String && p.Get("cost").Kind() == wire.Object
}

// environment adds what only Claude's variables tell. The payload's cwd moves with the session;
// CLAUDE_PROJECT_DIR stays the launch folder.
func environment(ev *hook.Event, env func(string) string) {
	if env != nil {
		ev.Project = env("CLAUDE_PROJECT_DIR")
		ev.Plugin = env("CLAUDE_PLUGIN_ROOT")
		ev.From.Version = versionOf(env("AI_AGENT"))
	}
	if ev.Project == "" {
		ev.Project = ev.Cwd
	}
	if ev.From.Version != "" {
		ev.From.VersionFrom = "environment"
	}
}

// versionOf reads the version from AI_AGENT ("claude-code_2-1-332_harness"), "" if it is another
// agent's.
func versionOf(s string) string {
	s, ok := strings.CutPrefix(s, "claude-code_")
	if !ok {
		return ""
	}
	s, _, _ = strings.Cut(s, "_")
	if s == "" || strings.Trim(s, "0123456789-") != "" {
		return ""
	}
	return strings.ReplaceAll(s, "-", ".")
}

// sub is the subagent in which an event happened, or which it is about.
func sub(p wire.Value) *hook.Subagent {
	id := p.Get("agent_id").Str()
	if id == "" {
		return nil // agent_type alone is the role of the main conversation (--agent)
	}
	return &hook.Subagent{ID: id, Type: p.Get("agent_type").Str()}
}

// subject is what Claude's matcher looks at on events that are about no tool.
func subject(native string, p wire.Value) string {
	switch native {
	case "SessionStart", "ConfigChange", "DirectoryAdded":
		return p.Get("source").Str()
	case "Setup", "PreCompact", "PostCompact":
		return p.Get("trigger").Str()
	case "InstructionsLoaded":
		return p.Get("load_reason").Str()
	case "UserPromptExpansion":
		return p.Get("command_name").Str()
	case "PreSkillShellCommand", "PermissionDenied":
		return p.Get("tool_name").Str()
	case "Notification":
		return p.Get("notification_type").Str()
	case "SessionEnd":
		return p.Get("reason").Str()
	case "StopFailure":
		return p.Get("error").Str()
	case "SubagentStart", "SubagentStop":
		return p.Get("agent_type").Str()
	case "Elicitation", "ElicitationResult":
		return p.Get("mcp_server_name").Str()
	case "PreModelSwitch", "PostModelSwitch":
		model, _, _ := strings.Cut(p.Get("to_model").Str(), "[") // without "[1m]"
		return model
	case "FileChanged":
		if path := p.Get("file_path").Str(); path != "" {
			return filepath.Base(path)
		}
	}
	return ""
}

// call is the key of the occurrence, the same in each registration that fires for it. Events that
// carry nothing of the kind (Stop, PermissionRequest, SessionStart, ...) have none.
func call(native string, p wire.Value) string {
	session := p.Get("session_id").Str()
	if session == "" {
		return ""
	}
	id := ""
	switch native {
	case "SessionEnd": // of a session that was resumed there are several
		id = "end/" + p.Get("prompt_id").Str()
	case "UserPromptSubmit":
		// A task notification has the prompt_id of the prompt that started the task.
		if id = p.Get("prompt_id").Str(); id != "" {
			sum := sha256.Sum256([]byte(p.Get("prompt").Str()))
			id += "/" + hex.EncodeToString(sum[:8])
		}
	case "PostToolBatch":
		for c := range p.Get("tool_calls").Elems() {
			id = c.Get("tool_use_id").Str()
			break
		}
	case "MessageDisplay":
		if id = p.Get("message_id").Str(); id != "" {
			id += "/" + string(p.Get("index").Raw())
		}
	default:
		id = p.Get("tool_use_id").Str()
	}
	if id == "" {
		return ""
	}
	return session + "/" + native + "/" + id
}

// turn is the key of the turn: the prompt that it answers, and the subagent that it runs in.
func turn(p wire.Value) string {
	prompt := p.Get("prompt_id").Str()
	if id := p.Get("agent_id").Str(); id != "" {
		return prompt + "/" + id
	}
	return prompt
}

func tool(a *agent.Agent, p wire.Value, cwd string) *hook.Tool {
	native := p.Get("tool_name").Str()
	if native == "" {
		return nil
	}
	input := p.Get("tool_input")
	t := mcpTool(native, p, input)
	if t == nil {
		t = agent.MapTool(known(a, native), native, input, cwd)
	}
	t.ID = p.Get("tool_use_id").Str()
	if r := p.Get("tool_response"); r.Kind() != wire.Absent {
		t.Response = []byte(r.Raw())
	}
	if p.Get("hook_event_name").Str() == "PostToolUseFailure" {
		t.Error = p.Get("error").Str()
	}
	if t.Kind == hook.KindWrite && p.Path("tool_response", "type").Str() == "update" && len(t.Files) == 1 {
		t.Files[0].Op = hook.OpUpdate // before the call nobody tells whether the file was there
	}
	return t
}

func known(a *agent.Agent, native string) agent.Tool {
	if row := a.Tool(native); row != nil {
		return *row
	}
	return agent.Tool{}
}

// mcpTool is the call of an MCP tool, nil for another one. The name is mcp__SERVER__TOOL; where a
// server's name holds "__" itself, the member mcp_server of 2.1.332 tells where it ends.
func mcpTool(native string, p, input wire.Value) *hook.Tool {
	rest, ok := strings.CutPrefix(native, "mcp__")
	if !ok {
		return nil
	}
	server, name := splitMCP(rest, p.Path("mcp_server", "name").Str())
	if server == "" || name == "" {
		return nil
	}
	return agent.MCPTool(native, server, name, input)
}

func splitMCP(rest, told string) (server, name string) {
	if s := inName(told); s != "" {
		if name, ok := strings.CutPrefix(rest, s+"__"); ok {
			return s, name
		}
	}
	server, name, _ = strings.Cut(rest, "__")
	return server, name
}

// inName is a server's name as it stands in a tool's name.
func inName(server string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, server)
}

// fields are the members that stand nowhere else in the handler's input, in Claude's order.
func fields(p wire.Value, t *hook.Tool) []hook.Member {
	var list []hook.Member
	for key, v := range p.Members() {
		switch key {
		case "session_id", "transcript_path", "cwd", "permission_mode", "hook_event_name", "prompt", "stop_hook_active", "hookspan":
			continue
		case "tool_name", "tool_input", "tool_use_id", "tool_response":
			if t != nil {
				continue
			}
		case "error":
			if t != nil && t.Error != "" {
				continue
			}
		}
		list = append(list, hook.Member{Key: key, Value: []byte(v.Raw())})
	}
	return list
}
