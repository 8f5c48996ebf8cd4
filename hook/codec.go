package hook

import (
	"errors"
	"fmt"

	"github.com/hookspan/hookspan/internal/wire"
)

// AppendJSON appends the handler's input: Claude's keys, the agent's other fields under their own
// names, and the member "hookspan".
func (e Event) AppendJSON(dst []byte) []byte {
	if e.Plain {
		return e.appendPlain(dst)
	}
	var o wire.ObjectWriter
	o.StrIf("session_id", e.Session)
	o.StrIf("transcript_path", e.Transcript)
	o.StrIf("cwd", e.Cwd)
	o.StrIf("permission_mode", e.Mode)
	o.Str("hook_event_name", string(e.Name))
	e.tool(&o)
	if e.Name == UserPromptSubmit {
		o.Str("prompt", e.Prompt)
	} else {
		o.StrIf("prompt", e.Prompt)
	}
	if e.StopKnown {
		o.Bool("stop_hook_active", e.StopActive)
	}
	for _, m := range e.Fields {
		o.Raw(m.Key, m.Value)
	}
	o.Raw("hookspan", e.own())
	return append(dst, o.Bytes()...)
}

// appendPlain hands the agent's own payload on, with the tool call as it is by now and the member
// "hookspan". A payload that cannot be read any more is written anew.
func (e Event) appendPlain(dst []byte) []byte {
	e.Plain = false
	v, err := wire.Parse(e.Payload)
	if err != nil || v.Kind() != wire.Object {
		return e.AppendJSON(dst)
	}
	if t := e.Tool; t != nil {
		if v.Get("tool_name").Str() != t.Name {
			v = v.With("tool_name", wire.AppendString(nil, t.Name))
		}
		if in, err := wire.Parse(t.Input); err == nil && !wire.Equal(in, v.Get("tool_input")) {
			v = v.With("tool_input", t.Input)
		}
	}
	return append(dst, v.With("hookspan", e.own()).Raw()...)
}

func (e Event) tool(o *wire.ObjectWriter) {
	t := e.Tool
	if t == nil {
		return
	}
	o.Str("tool_name", t.Name)
	if t.Input != nil {
		o.Raw("tool_input", t.Input)
	}
	o.StrIf("tool_use_id", t.ID)
	if t.Response != nil {
		o.Raw("tool_response", t.Response)
	}
	o.StrIf("error", t.Error)
}

func (e Event) own() []byte {
	var o wire.ObjectWriter
	o.Int("protocol", Protocol)
	o.Str("agent", e.From.Name)
	o.StrIf("surface", e.From.Surface)
	o.StrIf("agent_version", e.From.Version)
	o.StrIf("agent_version_from", e.From.VersionFrom)
	o.StrIf("native_event", e.From.Native)
	o.StrIf("call", e.Call)
	if e.Synthetic {
		o.Bool("synthetic", true)
	}
	if e.Tool != nil {
		o.Raw("tool", e.Tool.own())
	}
	o.StrIf("project_dir", e.Project)
	o.StrIf("model", e.Model)
	if e.Usage != nil {
		o.Raw("usage", e.Usage.own())
	}
	if e.Sub != nil {
		var s wire.ObjectWriter
		s.StrIf("id", e.Sub.ID)
		s.StrIf("type", e.Sub.Type)
		s.StrIf("parent", e.Sub.Parent)
		o.Raw("subagent", s.Bytes())
	}
	if e.Payload != nil {
		o.Raw("payload", e.Payload)
	}
	return o.Bytes()
}

func (u Usage) own() []byte {
	var o wire.ObjectWriter
	for _, f := range []struct {
		key string
		n   int64
	}{{"input_tokens", u.Input}, {"cached_input_tokens", u.CachedInput}, {"output_tokens", u.Output},
		{"reasoning_output_tokens", u.Reasoning}, {"total_tokens", u.Total}} {
		if f.n != 0 {
			o.Int(f.key, f.n)
		}
	}
	return o.Bytes()
}

func (t *Tool) own() []byte {
	var o wire.ObjectWriter
	o.Str("kind", string(t.Kind))
	o.Str("native_name", t.NativeName)
	o.StrIf("command", t.Command)
	if t.MCP != nil {
		var m wire.ObjectWriter
		m.StrIf("server", t.MCP.Server)
		m.Str("tool", t.MCP.Tool)
		o.Raw("mcp", m.Bytes())
	}
	if len(t.Files) > 0 {
		o.Raw("files", ownFiles(t.Files))
	}
	return o.Bytes()
}

func ownFiles(files []File) []byte {
	out := []byte{'['}
	for i, f := range files {
		if i > 0 {
			out = append(out, ',')
		}
		var o wire.ObjectWriter
		o.Str("path", f.Path)
		o.Str("op", string(f.Op))
		o.StrIf("moved_to", f.MovedTo)
		out = append(out, o.Bytes()...)
	}
	return append(out, ']')
}

// ErrInput is returned by Decode for input that is not a handler's.
var ErrInput = errors.New("not a handler's input")

// Decode reads a handler's input: one JSON object in Claude Code's protocol, with or without the
// member "hookspan" (a hook written for Claude Code alone gets none).
func Decode(b []byte) (Event, error) {
	v, err := wire.Parse(b)
	if err != nil {
		return Event{}, fmt.Errorf("%w: %w", ErrInput, err)
	}
	name := v.Get("hook_event_name").Str()
	if name == "" {
		return Event{}, fmt.Errorf("%w: it has no hook_event_name", ErrInput)
	}
	h := v.Get("hookspan")
	e := Event{
		Name: Name(name), Session: v.Get("session_id").Str(), Transcript: v.Get("transcript_path").Str(),
		Cwd: v.Get("cwd").Str(), Mode: v.Get("permission_mode").Str(), Prompt: v.Get("prompt").Str(),
		Call: h.Get("call").Str(), Project: h.Get("project_dir").Str(), Model: h.Get("model").Str(),
		From: Agent{Name: h.Get("agent").Str(), Surface: h.Get("surface").Str(), Version: h.Get("agent_version").Str(),
			VersionFrom: h.Get("agent_version_from").Str(), Native: h.Get("native_event").Str()},
		Payload: []byte(h.Get("payload").Raw()),
	}
	e.StopActive, e.StopKnown = v.Get("stop_hook_active").Bool()
	e.Synthetic, _ = h.Get("synthetic").Bool()
	if e.Payload == nil {
		e.Payload = []byte(v.Raw())
	}
	if s := h.Get("subagent"); s.Kind() == wire.Object {
		e.Sub = &Subagent{ID: s.Get("id").Str(), Type: s.Get("type").Str(), Parent: s.Get("parent").Str()}
	}
	e.Tool = decodeTool(v, h.Get("tool"))
	e.Usage = decodeUsage(h.Get("usage"))
	for k, m := range v.Members() {
		if !known(k) {
			e.Fields = append(e.Fields, Member{Key: k, Value: []byte(m.Raw())})
		}
	}
	return e, nil
}

func known(key string) bool {
	switch key {
	case "session_id", "transcript_path", "cwd", "permission_mode", "hook_event_name", "tool_name", "tool_input",
		"tool_use_id", "tool_response", "error", "prompt", "stop_hook_active", "hookspan":
		return true
	}
	return false
}

func decodeTool(v, h wire.Value) *Tool {
	if !v.Has("tool_name") {
		return nil
	}
	t := &Tool{Name: v.Get("tool_name").Str(), NativeName: h.Get("native_name").Str(), Kind: Kind(h.Get("kind").Str()),
		ID: v.Get("tool_use_id").Str(), Input: raw(v.Get("tool_input")), Response: raw(v.Get("tool_response")),
		Error: v.Get("error").Str(), Command: h.Get("command").Str()}
	if t.Command == "" && t.Name == "Bash" {
		t.Command = v.Get("tool_input").Get("command").Str()
	}
	if m := h.Get("mcp"); m.Kind() == wire.Object {
		t.MCP = &MCP{Server: m.Get("server").Str(), Tool: m.Get("tool").Str()}
	}
	for f := range h.Get("files").Elems() {
		t.Files = append(t.Files, File{Path: f.Get("path").Str(), Op: Op(f.Get("op").Str()), MovedTo: f.Get("moved_to").Str()})
	}
	return t
}

func decodeUsage(v wire.Value) *Usage {
	if v.Kind() != wire.Object {
		return nil
	}
	n := func(key string) int64 { i, _ := v.Get(key).Int(); return i }
	return &Usage{Input: n("input_tokens"), CachedInput: n("cached_input_tokens"), Output: n("output_tokens"),
		Reasoning: n("reasoning_output_tokens"), Total: n("total_tokens")}
}

func raw(v wire.Value) []byte {
	if v.Kind() == wire.Absent {
		return nil
	}
	return []byte(v.Raw())
}

// Encode returns a handler's answer to an event of the given name, as JSON for stdout with exit
// code 0. A decision that says nothing is empty output.
func (d Decision) Encode(name Name) ([]byte, error) {
	if d.Silent() {
		return nil, nil
	}
	var o, h wire.ObjectWriter
	if err := d.encodeVerdict(name, &o, &h); err != nil {
		return nil, err
	}
	if d.Input != nil {
		h.Raw("updatedInput", d.Input)
	}
	if d.Output != nil {
		h.Raw("updatedToolOutput", d.Output)
	}
	if text := bodies(d.Context); text != "" {
		h.Str("additionalContext", text)
	}
	if d.End != nil {
		o.Bool("continue", false)
		o.StrIf("stopReason", *d.End)
	}
	if len(d.Notice) > 0 {
		o.Str("systemMessage", joined(d.Notice))
	}
	for _, m := range d.Rest {
		o.Raw(m.Key, m.Value)
	}
	for _, m := range d.RestSpecific {
		h.Raw(m.Key, m.Value)
	}
	if !h.Empty() {
		var s wire.ObjectWriter
		s.Str("hookEventName", string(name))
		o.Raw("hookSpecificOutput", merged(s.Bytes(), h.Bytes()))
	}
	return o.Bytes(), nil
}

func (d Decision) encodeVerdict(name Name, o, h *wire.ObjectWriter) error {
	no := d.Verdict == Deny || d.Continue || len(d.Feedback) > 0
	reason := d.Reason
	if t := bodies(d.Feedback); t != "" {
		reason = t
	}
	switch {
	case name == PermissionRequest && (d.Verdict == Deny || d.Verdict == Allow):
		var p wire.ObjectWriter
		p.Str("behavior", d.Verdict.String())
		p.StrIf("message", reason)
		h.Raw("decision", p.Bytes())
	case name == PreToolUse && d.Verdict != NoOpinion:
		h.Str("permissionDecision", d.Verdict.String())
		h.StrIf("permissionDecisionReason", reason)
	case no:
		o.Str("decision", "block")
		o.Str("reason", reason)
	case d.Verdict == Ask || d.Verdict == Defer:
		return fmt.Errorf("failed to encode the decision: %s has no word for %q", name, d.Verdict)
	}
	return nil
}

// merged joins two objects written by us.
func merged(a, b []byte) []byte {
	out := append([]byte(nil), a[:len(a)-1]...)
	return append(append(out, ','), b[1:]...)
}

func bodies(texts []Text) string {
	list := make([]string, len(texts))
	for i, t := range texts {
		list[i] = t.Body
	}
	return joined(list)
}

func joined(texts []string) string {
	out := ""
	for i, t := range texts {
		if i > 0 {
			out += "\n"
		}
		out += t
	}
	return out
}
