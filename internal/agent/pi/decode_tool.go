package pi

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// call is the tool call that the event is about, nil where there is none.
func (m *message) call(a *agent.Agent, dir string) *hook.Tool {
	if m.native != "tool_call" && m.native != "tool_result" && !strings.HasPrefix(m.native, "tool_execution_") {
		return nil
	}
	native := m.event.Get("toolName").Str()
	if native == "" {
		return nil
	}
	input := m.event.Get("input")
	if input.Kind() == wire.Absent {
		input = m.event.Get("args")
	}
	t := m.mcpTool(native, input)
	if t == nil {
		t = agent.MapTool(known(a, native), native, input, dir)
	}
	t.ID = m.event.Get("toolCallId").Str()
	switch {
	case m.native == "tool_call" || m.native == "tool_execution_start":
	case m.failed():
		t.Error = contentText(m.content())
	default:
		m.result(t)
	}
	return t
}

func known(a *agent.Agent, native string) agent.Tool {
	if row := a.Tool(native); row != nil {
		return *row
	}
	return agent.Tool{}
}

// mcpTool is the call of an MCP tool, nil for another one. A result tells server and tool; before it
// there is the name alone, whose parts two underscores join.
func (m *message) mcpTool(native string, input wire.Value) *hook.Tool {
	rest, ok := strings.CutPrefix(native, "mcp__")
	if !ok {
		return nil
	}
	server, name, ok := strings.Cut(rest, "__")
	if s, t := m.event.Path("details", "server").Str(), m.event.Path("details", "tool").Str(); s != "" && t != "" {
		server, name, ok = s, t, true
	}
	if !ok || server == "" || name == "" {
		return nil
	}
	return agent.MCPTool(native, server, name, input)
}

func (m *message) content() wire.Value {
	if c := m.event.Path("result", "content"); c.Kind() != wire.Absent {
		return c
	}
	return m.event.Get("content")
}

// result is what the tool gave: the shell's output in Claude's shape, else as sent.
func (m *message) result(t *hook.Tool) {
	content := m.content()
	switch {
	case t.Kind == hook.KindShell:
		text, ok := m.event.Path("structuredContent", "output").StrOK()
		if !ok && content.Kind() != wire.Array {
			return
		}
		if !ok {
			text = contentText(content)
		}
		var o wire.ObjectWriter
		o.Str("stdout", text)
		t.Response = o.Bytes()
	case m.event.Has("result"):
		t.Response = []byte(m.event.Get("result").Raw())
	case content.Kind() != wire.Absent:
		t.Response = m.parts()
	}
}

// parts is a result as Pi hands it over, without the call around it.
func (m *message) parts() []byte {
	var o wire.ObjectWriter
	for _, key := range [...]string{"content", "details", "structuredContent"} {
		if v := m.event.Get(key); v.Kind() != wire.Absent {
			o.Raw(key, v.Raw())
		}
	}
	return o.Bytes()
}

func contentText(content wire.Value) string {
	var texts []string
	for part := range content.Elems() {
		if part.Get("type").Str() == "text" {
			texts = append(texts, part.Get("text").Str())
		}
	}
	return strings.Join(texts, "\n")
}
