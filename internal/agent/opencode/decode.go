package opencode

import (
	"errors"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// decode turns what the bridge sends into an event. A member of a wrong type counts as absent. It
// fails only where the payload is no object or no hook is named; the event then holds what is known.
// The bridge's own start (init) is no event: its name is "".
func decode(a *agent.Agent, in agent.Input) (hook.Event, *agent.Row, error) {
	p := in.Payload
	native := nativeName(in)
	ev := hook.Event{Name: hook.Name(native), From: hook.Agent{Name: Name, Native: native}, Payload: []byte(p.Raw())}
	if native == "init" {
		ev.Name = ""
		return ev, nil, nil
	}
	m := open(native, p)
	row := rowOf(a, native, m)
	if row != nil && row.Name != "" {
		ev.Name = row.Name
	}
	m.fill(&ev)
	ev.Tool = m.call(a, ev.Cwd)
	ev.Call = m.key()
	ev.Fields = m.fields(&ev)
	switch {
	case p.Kind() != wire.Object:
		return ev, row, errors.New("failed to read the payload: it is no JSON object; OpenCode's plugin file is generated, run hookspan install again")
	case native == "":
		return ev, row, errors.New("failed to read the payload: it has no hook; name the event on the command line: hookspan run opencode EVENT")
	}
	return ev, row, nil
}

// nativeName is the event that the command names, else the one that the payload holds.
func nativeName(in agent.Input) string {
	if in.Native != "" {
		return in.Native
	}
	name := in.Payload.Get("hook").Str()
	if name != "event" {
		return name
	}
	if t := in.Payload.Path("input", "event", "type").Str(); t != "" {
		return "event." + t
	}
	return ""
}

// message is a payload, opened at the places where its parts stand.
type message struct {
	native  string
	payload wire.Value
	input   wire.Value
	output  wire.Value
	event   wire.Value // of a bus event
	props   wire.Value
	info    wire.Value // of the session or the message that it is about
	part    wire.Value
	ctx     wire.Value // the bridge's own
}

func open(native string, p wire.Value) *message {
	m := &message{native: native, payload: p, input: p.Get("input"), output: p.Get("output"), ctx: p.Get("ctx")}
	m.event = m.input.Get("event")
	m.props = m.event.Get("properties")
	m.info, m.part = m.props.Get("info"), m.props.Get("part")
	return m
}

// aboutSession reports whether the event's info is a session's.
func (m *message) aboutSession() bool { return strings.HasPrefix(m.native, "event.session.") }

func (m *message) parent() string {
	if s := m.ctx.Get("parent").Str(); s != "" {
		return s
	}
	if m.aboutSession() {
		return m.info.Get("parentID").Str()
	}
	return ""
}

func (m *message) failedCall() bool {
	return m.part.Get("type").Str() == "tool" && m.part.Path("state", "status").Str() == "error"
}

// lastStep reports whether the bridge says that the model's last step ends the turn. The step alone
// does not tell: some models finish with "stop" and call tools.
func (m *message) lastStep() bool {
	stop, _ := m.ctx.Get("stop").Bool()
	return stop && m.part.Get("type").Str() == "step-finish"
}

// rowOf is the row of an event; where its meaning depends on the payload, a copy.
func rowOf(a *agent.Agent, native string, m *message) *agent.Row {
	row := a.Row(native)
	if row == nil {
		return nil
	}
	vary := func(f func(agent.Row) agent.Row) *agent.Row {
		r := f(*row)
		return &r
	}
	child := m.parent() != ""
	switch {
	case native == "event.session.created" && child:
		return vary(childStart)
	case native == "event.session.idle" && child:
		return vary(childStop)
	case native == "chat.message" && child:
		return vary(unnamed) // the words of a model, not of a person
	case native == "event.message.part.updated" && m.lastStep():
		return vary(lastStep)
	case native == "event.message.part.updated" && !m.failedCall():
		return vary(unnamed)
	}
	return row
}

func (m *message) fill(ev *hook.Event) {
	ev.Session = m.session()
	ev.Cwd = m.payload.Get("directory").Str()
	ev.Project = m.project()
	ev.Turn = m.ctx.Get("turn").Str()
	ev.Model = m.model()
	ev.Usage = m.usage()
	ev.Sub = m.sub()
	ev.From.Surface = m.ctx.Get("mode").Str()
	ev.From.Version = m.version()
	if ev.From.Version != "" {
		ev.From.VersionFrom = "payload"
	}
	ev.StopActive, ev.StopKnown = m.ctx.Get("stop_hook_active").Bool()
	ev.Subject = m.ctx.Get("source").Str()
	if ev.Subject == "" {
		ev.Subject = m.ctx.Get("notification_type").Str()
	}
	if ev.Subject == "" && ev.Sub != nil {
		ev.Subject = ev.Sub.Type
	}
	if m.native == "chat.message" {
		ev.Prompt, ev.Synthetic = m.prompt()
	}
}

func (m *message) session() string {
	for _, v := range [...]wire.Value{m.input.Get("sessionID"), m.props.Get("sessionID"), m.part.Get("sessionID"),
		m.info.Get("sessionID"), m.output.Path("message", "sessionID"), m.ctx.Get("session")} {
		if s := v.Str(); s != "" {
			return s
		}
	}
	if m.aboutSession() {
		return m.info.Get("id").Str()
	}
	return ""
}

// project is the working tree. Outside of a repository OpenCode calls that "/".
func (m *message) project() string {
	tree := m.payload.Get("worktree").Str()
	if tree == "" || tree == "/" {
		return m.payload.Get("directory").Str()
	}
	return tree
}

func (m *message) model() string {
	for _, v := range [...]wire.Value{m.output.Path("message", "model", "modelID"), m.input.Path("model", "modelID"),
		m.input.Path("model", "id"), m.info.Get("modelID"), m.info.Path("model", "id"), m.info.Path("model", "modelID")} {
		if s := v.Str(); s != "" {
			return s
		}
	}
	return ""
}

// usage are the tokens of a step. OpenCode counts cached input apart from input.
func (m *message) usage() *hook.Usage {
	t := m.ctx.Get("tokens")
	if t.Kind() != wire.Object {
		t = m.part.Get("tokens")
	}
	if t.Kind() != wire.Object {
		return nil
	}
	n := func(keys ...string) int64 { i, _ := t.Path(keys...).Int(); return i }
	return &hook.Usage{Input: n("input"), CachedInput: n("cache", "read"), Output: n("output"),
		Reasoning: n("reasoning"), Total: n("total")}
}

func (m *message) sub() *hook.Subagent {
	parent := m.parent()
	if parent == "" {
		return nil
	}
	kind := m.ctx.Get("agent").Str()
	if kind == "" && m.aboutSession() {
		kind = m.info.Get("agent").Str()
	}
	return &hook.Subagent{ID: m.session(), Type: kind, Parent: parent}
}

// version is OpenCode's, which it writes into the session that it makes. A session that is
// resumed tells the version that made it.
func (m *message) version() string {
	if m.native == "event.session.created" {
		if s := m.info.Get("version").Str(); s != "" {
			return s
		}
	}
	return m.ctx.Get("version").Str()
}

// prompt is the user's text. A part that is synthetic is not the user's.
func (m *message) prompt() (text string, synthetic bool) {
	texts, others := 0, 0
	for part := range m.output.Get("parts").Elems() {
		if part.Get("type").Str() != "text" {
			continue
		}
		if b, _ := part.Get("synthetic").Bool(); b {
			others++
			continue
		}
		if texts++; texts > 1 {
			text += "\n"
		}
		text += part.Get("text").Str()
	}
	return text, texts == 0 && others > 0
}

// key is the key of the occurrence: the same in the plugins of two scopes.
func (m *message) key() string {
	id := ""
	switch {
	case m.native == "dispose", m.native == "event.session.resumed":
		id = m.session()
	case m.event.Kind() == wire.Object:
		id = m.event.Get("id").Str()
	case m.native == "chat.message":
		id = m.output.Path("message", "id").Str()
	case m.native == "experimental.text.complete":
		id = m.input.Get("partID").Str()
	case strings.HasPrefix(m.native, "tool.execute."):
		id = m.input.Get("callID").Str()
	}
	if id == "" {
		return ""
	}
	return m.native + "/" + id
}

// fields are the members that stand nowhere else: Claude's keys first, then the payload's own. What
// the bridge wraps (input and output of the hook, its folders) is in the verbatim payload alone: it
// holds the tool's input and result, which would stand there twice.
func (m *message) fields(ev *hook.Event) []hook.Member {
	var list []hook.Member
	add := func(key string, raw []byte) {
		if raw != nil {
			list = append(list, hook.Member{Key: key, Value: raw})
		}
	}
	for _, key := range [...]string{"source", "notification_type", "last_assistant_message"} {
		add(key, m.ctx.Get(key).Raw())
	}
	if ev.Sub != nil {
		add("agent_id", wire.AppendString(nil, ev.Sub.ID))
		if ev.Sub.Type != "" {
			add("agent_type", wire.AppendString(nil, ev.Sub.Type))
		}
	}
	if m.failedCall() {
		add("is_interrupt", m.part.Path("state", "metadata", "interrupted").Raw())
	}
	for key, v := range m.payload.Members() {
		if !placed(key) {
			add(key, v.Raw())
		}
	}
	return list
}

// placed reports whether a member stands elsewhere, or would take a place that means something else.
func placed(key string) bool {
	switch key {
	case "hook", "input", "output", "directory", "worktree", "ctx", "hookspan":
		return true
	case "session_id", "transcript_path", "cwd", "permission_mode", "hook_event_name", "tool_name", "tool_input",
		"tool_use_id", "tool_response", "error", "prompt", "stop_hook_active", "source", "reason", "trigger",
		"message", "notification_type", "last_assistant_message", "agent_id", "agent_type", "is_interrupt":
		return true
	}
	return false
}
