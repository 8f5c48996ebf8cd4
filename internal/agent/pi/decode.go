package pi

import (
	"encoding/hex"
	"errors"
	"hash/fnv"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// decode turns what the bridge sends into an event. A member of a wrong type counts as absent. It
// fails only where the payload is no object or no event is named; the event then holds what is known.
// The extension's own start (factory) is no event: its name is "".
func decode(a *agent.Agent, in agent.Input) (hook.Event, *agent.Row, error) {
	p := in.Payload
	m := &message{payload: p, event: p.Get("event"), ctx: p.Get("ctx")}
	m.native = in.Native
	if m.native == "" {
		m.native = m.event.Get("type").Str()
	}
	ev := hook.Event{Name: hook.Name(m.native), From: hook.Agent{Name: Name, Native: m.native}, Payload: []byte(p.Raw())}
	if m.native == "factory" {
		ev.Name = ""
		return ev, nil, nil
	}
	row := m.row(a)
	if row != nil && row.Name != "" {
		ev.Name = row.Name
	}
	m.fill(&ev)
	ev.Tool = m.call(a, ev.Cwd)
	ev.Call = m.key()
	ev.Fields = m.fields()
	switch {
	case p.Kind() != wire.Object:
		return ev, row, errors.New("failed to read the payload: it is no JSON object; Pi's extension file is generated, run hookspan install again")
	case m.native == "":
		return ev, row, errors.New("failed to read the payload: it has no event.type; name the event on the command line: hookspan run pi EVENT")
	}
	return ev, row, nil
}

// message is a payload, opened at the places where its parts stand.
type message struct {
	native  string
	payload wire.Value
	event   wire.Value // Pi's
	ctx     wire.Value // the bridge's own
}

// row is the row of the event; of a call that failed, a copy with that meaning.
func (m *message) row(a *agent.Agent) *agent.Row {
	row := a.Row(m.native)
	if row == nil || m.native != "tool_result" || !m.failed() {
		return row
	}
	r := failedResult(*row)
	return &r
}

func (m *message) failed() bool {
	failed, _ := m.event.Get("isError").Bool()
	return failed
}

func (m *message) fill(ev *hook.Event) {
	ev.Session = m.ctx.Get("sessionId").Str()
	ev.Transcript = m.ctx.Get("sessionFile").Str()
	ev.Cwd = m.ctx.Get("cwd").Str()
	ev.Project = ev.Cwd // Pi knows no other folder than the one it was started in
	ev.Turn = m.ctx.Get("turn").Str()
	ev.Model = m.ctx.Get("model").Str()
	ev.Usage = m.usage()
	ev.From.Surface = m.ctx.Get("mode").Str()
	ev.StopActive, ev.StopKnown = m.ctx.Get("stop_hook_active").Bool()
	ev.Subject = m.subject()
	switch m.native {
	case "input":
		ev.Prompt = m.event.Get("text").Str()
		ev.Synthetic = m.event.Get("source").Str() == "extension"
	case "before_agent_start":
		ev.Prompt = m.event.Get("prompt").Str()
	}
}

// usage are the tokens of an answer. Pi counts cached input apart from input.
func (m *message) usage() *hook.Usage {
	u := m.ctx.Get("usage")
	if u.Kind() != wire.Object {
		u = m.event.Path("message", "usage")
	}
	if u.Kind() != wire.Object {
		return nil
	}
	n := func(key string) int64 { i, _ := u.Get(key).Int(); return i }
	return &hook.Usage{Input: n("input"), CachedInput: n("cacheRead"), Output: n("output"), Reasoning: n("reasoning"), Total: n("totalTokens")}
}

// subject is what matchers of session events look at, in Claude's words where they mean the same.
func (m *message) subject() string {
	reason := m.event.Get("reason").Str()
	switch m.native {
	case "session_start", "session_shutdown":
		if s := m.ctx.Get("source").Str(); s != "" {
			return s
		}
		if reason == "new" {
			return "clear"
		}
		return reason
	case "session_before_compact", "session_compact", "session_compact_failed":
		if reason == "threshold" || reason == "overflow" {
			return "auto"
		}
		return reason
	case "ui_prompt_start":
		return "elicitation_dialog"
	}
	return ""
}

// key is the key of the occurrence: the same in the extensions of two scopes. A tool's call names
// itself; for events that happen once at a moment of the session there is the bridge's word for that.
func (m *message) key() string {
	session, what := m.ctx.Get("sessionId").Str(), ""
	if strings.HasPrefix(m.native, "tool_") {
		what = m.event.Get("toolCallId").Str()
	} else if at := m.ctx.Get("at").Str(); at != "" {
		what = at + m.occasion()
	}
	if session == "" || what == "" || m.native == "tool_execution_update" || !m.once() {
		return ""
	}
	return m.native + "/" + session + "/" + what
}

// once reports whether the event happens once at a moment, or for a call.
func (m *message) once() bool {
	switch m.native {
	case "session_start", "session_shutdown", "session_before_compact", "session_compact", "input", "agent_before_settle":
		return true
	}
	return strings.HasPrefix(m.native, "tool_")
}

// occasion tells apart what may happen at one moment of the session.
func (m *message) occasion() string {
	if m.native == "input" {
		return "/" + sum(m.event.Get("text").Str())
	}
	return "/" + m.event.Get("reason").Str()
}

func sum(text string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return hex.EncodeToString(h.Sum(nil))
}

// fields are the members that stand nowhere else: Claude's keys first, then the plain ones of Pi's
// event and what else the payload has. Lists and objects of the event are in the verbatim payload alone.
func (m *message) fields() []hook.Member {
	var list []hook.Member
	add := func(key string, raw []byte) {
		if raw != nil {
			list = append(list, hook.Member{Key: key, Value: raw})
		}
	}
	word := func(key string) {
		if s := m.subject(); s != "" {
			add(key, wire.AppendString(nil, s))
		}
	}
	switch m.native {
	case "session_start":
		word("source")
	case "session_shutdown":
		word("reason")
	case "session_before_compact", "session_compact", "session_compact_failed":
		word("trigger")
		add("custom_instructions", m.event.Get("customInstructions").Raw())
	case "ui_prompt_start":
		add("message", m.event.Get("title").Raw())
		word("notification_type")
	}
	add("last_assistant_message", m.ctx.Get("last_assistant_message").Raw())
	for key, v := range m.event.Members() {
		if k := v.Kind(); (k == wire.String || k == wire.Number || k == wire.Bool) && !placed(key) {
			add(key, v.Raw())
		}
	}
	for key, v := range m.payload.Members() {
		if key != "event" && key != "ctx" && !placed(key) && !m.event.Has(key) {
			add(key, v.Raw())
		}
	}
	return list
}

// placed reports whether a member stands elsewhere, or would take a place that means something else.
func placed(key string) bool {
	switch key {
	case "type", "toolName", "toolCallId", "input", "structuredContent", "text", "prompt", "systemPrompt", "title", "customInstructions", "hookspan":
		return true
	case "session_id", "transcript_path", "cwd", "permission_mode", "hook_event_name", "tool_name", "tool_input",
		"tool_use_id", "tool_response", "error", "stop_hook_active", "source", "reason", "trigger", "message",
		"notification_type", "last_assistant_message", "custom_instructions", "agent_id", "agent_type", "is_interrupt":
		return true
	}
	return false
}
