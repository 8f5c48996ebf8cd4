package opencode

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// call is the tool call that the event is about, nil where there is none.
func (m *message) call(a *agent.Agent, dir string) *hook.Tool {
	switch m.native {
	case "tool.execute.before":
		return m.tool(a, dir, m.input.Get("tool"), m.output.Get("args"), m.input.Get("callID"))
	case "tool.execute.after":
		t := m.tool(a, dir, m.input.Get("tool"), m.input.Get("args"), m.input.Get("callID"))
		if t != nil {
			m.result(t)
		}
		return t
	case "event.permission.asked", "event.permission.waiting":
		return m.tool(a, dir, m.ctx.Path("tool", "name"), m.ctx.Path("tool", "args"), m.props.Path("tool", "callID"))
	case "event.message.part.updated":
		if m.part.Get("type").Str() != "tool" {
			return nil
		}
		t := m.tool(a, dir, m.part.Get("tool"), m.part.Path("state", "input"), m.part.Get("callID"))
		if t != nil && m.failedCall() {
			t.Error = m.part.Path("state", "error").Str()
		}
		return t
	}
	return nil
}

func (m *message) tool(a *agent.Agent, dir string, name, args, id wire.Value) *hook.Tool {
	native := name.Str()
	if native == "" {
		return nil
	}
	t := m.mcpTool(native, args)
	if t == nil {
		t = agent.MapTool(known(a, native), native, args, dir)
	}
	t.ID = id.Str()
	return t
}

func known(a *agent.Agent, native string) agent.Tool {
	if row := a.Tool(native); row != nil {
		return *row
	}
	return agent.Tool{}
}

// mcpTool is the call of an MCP tool, nil for another one. OpenCode joins the names of server and
// tool with one underscore, which cannot be undone; the bridge asks OpenCode for its servers. The
// result of an MCP tool is known by its shape.
func (m *message) mcpTool(native string, args wire.Value) *hook.Tool {
	server, name := m.ctx.Path("mcp", "server").Str(), m.ctx.Path("mcp", "tool").Str()
	if server != "" && name != "" {
		return agent.MCPTool(native, server, name, args)
	}
	if m.output.Get("content").Kind() == wire.Array && !m.output.Has("title") {
		return agent.MCPTool(native, "", native, args)
	}
	return nil
}

// result is what the tool gave: the shell's output in Claude's shape, else as sent.
func (m *message) result(t *hook.Tool) {
	text, isText := m.output.Get("output").StrOK()
	switch {
	case m.output.Kind() == wire.Absent:
	case t.Kind == hook.KindShell && isText:
		var o wire.ObjectWriter
		o.Str("stdout", text)
		t.Response = o.Bytes()
	default:
		t.Response = []byte(m.output.Raw())
	}
}
