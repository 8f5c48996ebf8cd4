package antigravity

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

// decode turns a payload into an event. The payload names no event: the command line does, else the
// payload's shape where it fits one event only. A member of a wrong type counts as absent. It fails
// only where the payload is no object or no event is known; the event then holds what is known.
func decode(a *agent.Agent, in agent.Input) (hook.Event, *agent.Row, error) {
	p := in.Payload
	native := in.Native
	if native == "" {
		native = shape(p)
	}
	row := rowOf(a, native, p)
	ev := hook.Event{
		Name:       hook.Name(native),
		Session:    p.Get("conversationId").Str(),
		Transcript: p.Get("transcriptPath").Str(),
		Cwd:        folder(p),
		Project:    project(p),
		From:       hook.Agent{Name: Name, Native: native, Surface: surface(p)},
		Model:      p.Get("modelName").Str(),
		Call:       call(native, p),
		Payload:    []byte(p.Raw()),
	}
	if row != nil && row.Name != "" {
		ev.Name = row.Name
	}
	ev.Tool = tool(a, p, ev.Cwd)
	ev.Fields = fields(p, ev.Tool != nil)
	switch {
	case p.Kind() != wire.Object:
		return ev, row, errors.New("failed to read Antigravity's payload: it is no JSON object; Antigravity sends one on stdin")
	case native == "":
		return ev, row, errors.New("failed to read Antigravity's payload: it names no event, and neither does the command; name it there: hookspan run agy EVENT")
	}
	return ev, row, nil
}

// shape is the event that a payload's shape fits, "" where several do: the two invocation events are
// alike, and SessionStart has nothing of its own. A tool call without an error is taken for one that
// is still to come, so that guards see it.
func shape(p wire.Value) string {
	switch {
	case p.Get("toolCall").Kind() == wire.Object && p.Has("error"):
		return "PostToolUse"
	case p.Get("toolCall").Kind() == wire.Object:
		return "PreToolUse"
	case p.Has("terminationReason"):
		return "Stop"
	}
	return ""
}

// rowOf is the row of an event; where its meaning or its vocabulary depends on the payload, a copy.
func rowOf(a *agent.Agent, native string, p wire.Value) *agent.Row {
	row := a.Row(native)
	if row == nil {
		return nil
	}
	vary := func(f func(agent.Row) agent.Row) *agent.Row {
		r := f(*row)
		return &r
	}
	switch {
	case native == "PostToolUse" && p.Get("error").Str() != "":
		return vary(failed)
	case native == "Stop" && endedFromOutside(p):
		return vary(brokenOff)
	}
	return row
}

// endedFromOutside reports whether a turn ended otherwise than by the model. The words for a normal
// end are several (NO_TOOL_CALL, MODEL_STOP), so those for the others are looked for.
func endedFromOutside(p wire.Value) bool {
	if p.Get("error").Str() != "" {
		return true
	}
	reason := strings.ToUpper(p.Get("terminationReason").Str())
	for _, word := range [...]string{"ERROR", "CANCEL", "INTERRUPT", "ABORT"} {
		if strings.Contains(reason, word) {
			return true
		}
	}
	return false
}

// root is the first folder of the workspace; the list is empty in `agy -p` without --add-dir.
func root(p wire.Value) string {
	for e := range p.Get("workspacePaths").Elems() {
		return e.Str()
	}
	return ""
}

// commandFolder is the folder that a shell command runs in, "" for another call or where none is told.
func commandFolder(p wire.Value) string {
	c := p.Get("toolCall")
	if c.Get("name").Str() != runCommand {
		return ""
	}
	dir := c.Path("args", runFolder).Str()
	switch {
	case dir == "":
		return ""
	case root(p) != "" || filepath.IsAbs(dir):
		return agent.Absolute(root(p), dir)
	}
	return ""
}

// folder is where the event happens. Never the process's own folder: that is the one of hooks.json.
func folder(p wire.Value) string {
	if dir := commandFolder(p); dir != "" {
		return dir
	}
	return root(p)
}

func project(p wire.Value) string {
	if dir := root(p); dir != "" {
		return dir
	}
	return commandFolder(p)
}

// surface is told by the folder that the conversation is kept in, and by nothing else.
func surface(p wire.Value) string {
	path := strings.ReplaceAll(p.Get("transcriptPath").Str(), `\`, "/")
	switch {
	case strings.Contains(path, "/.gemini/antigravity-cli/"):
		return "cli"
	case strings.Contains(path, "/.gemini/antigravity/"):
		return "ide"
	}
	return ""
}

// call is the key of the occurrence, the same in each registration that fires for it. A step may hold
// several calls, so the call is in it. What executionNum of Stop counts is not known, so Stop has none.
func call(native string, p wire.Value) string {
	session := p.Get("conversationId").Str()
	if session == "" {
		return ""
	}
	key := session + "/" + native
	switch native {
	case "SessionStart":
		return key
	case "PreInvocation", "PostInvocation":
		if n, steps := p.Get("invocationNum"), p.Get("initialNumSteps"); n.Kind() == wire.Number && steps.Kind() == wire.Number {
			return key + "/" + string(n.Raw()) + "/" + string(steps.Raw())
		}
	case "PreToolUse", "PostToolUse":
		if step := p.Get("stepIdx"); step.Kind() == wire.Number {
			sum := sha256.Sum256(p.Get("toolCall").Raw())
			return key + "/" + string(step.Raw()) + "/" + hex.EncodeToString(sum[:8])
		}
	}
	return ""
}

// tool is the tool call that an event is about. It has no id, and no output is sent.
func tool(a *agent.Agent, p wire.Value, dir string) *hook.Tool {
	name := p.Path("toolCall", "name").Str()
	if name == "" {
		return nil
	}
	row := agent.Tool{}
	if r := a.Tool(name); r != nil {
		row = *r
	}
	t := agent.MapTool(row, name, p.Path("toolCall", "args"), dir)
	t.Error = p.Get("error").Str()
	return t
}

// fields are the members that stand nowhere else, under Antigravity's names; none has Claude's meaning.
func fields(p wire.Value, ofTool bool) []hook.Member {
	var list []hook.Member
	for key, v := range p.Members() {
		if !placed(key, ofTool) {
			list = append(list, hook.Member{Key: key, Value: []byte(v.Raw())})
		}
	}
	return list
}

// placed reports whether a member of the payload stands elsewhere in the handler's input.
func placed(key string, ofTool bool) bool {
	switch key {
	case "session_id", "transcript_path", "cwd", "permission_mode", "hook_event_name", "tool_name", "tool_input",
		"tool_use_id", "tool_response", "prompt", "stop_hook_active", "hookspan",
		"conversationId", "transcriptPath":
		return true
	case "toolCall", "error":
		return ofTool
	}
	return false
}
