package cursor

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// mcpPrefix is put in front of an MCP tool's name, without the server.
const mcpPrefix = "MCP:"

// tool is the tool call that an event is about, nil for other events.
func tool(a *agent.Agent, native string, p wire.Value, dir string) *hook.Tool {
	t := toolOf(a, native, p, dir)
	if t == nil {
		return nil
	}
	t.ID = p.Get("tool_use_id").Str()
	t.Response = response(t.Kind, result(native, p))
	t.Error = p.Get("error_message").Str()
	return t
}

func toolOf(a *agent.Agent, native string, p wire.Value, dir string) *hook.Tool {
	switch native {
	case "beforeShellExecution", "afterShellExecution":
		return agent.MapTool(known(a, "Shell"), "Shell", only(p, "command"), dir)
	case "beforeReadFile":
		return agent.MapTool(readOf("Read"), "Read", only(p, "file_path"), dir)
	case "beforeTabFileRead":
		return agent.MapTool(readOf("TabRead"), "TabRead", only(p, "file_path"), dir)
	case "afterFileEdit":
		return agent.MapTool(editOf("Write"), "Write", only(p, "file_path", "edits"), dir)
	case "afterTabFileEdit":
		return agent.MapTool(editOf("TabWrite"), "TabWrite", only(p, "file_path", "edits"), dir)
	}
	name := p.Get("tool_name").Str()
	if name == "" {
		return nil
	}
	input := unpacked(p.Get("tool_input"))
	if native == "beforeMCPExecution" || native == "afterMCPExecution" {
		return mcp(name, p.Get("mcp_server_name").Str(), input)
	}
	if bare, ok := strings.CutPrefix(name, mcpPrefix); ok && bare != "" {
		return agent.MCPTool(name, "", bare, input)
	}
	return agent.MapTool(known(a, name), name, input, dir)
}

// mcp is the call of an MCP tool on the events that name it bare, and in newer versions its server.
// Without a server it has the name that preToolUse gives it, so that one matcher hits both.
func mcp(name, server string, input wire.Value) *hook.Tool {
	bare := strings.TrimPrefix(name, mcpPrefix)
	t := agent.MCPTool(name, server, bare, input)
	if server == "" {
		t.Name = mcpPrefix + bare
	}
	return t
}

func known(a *agent.Agent, native string) agent.Tool {
	if row := a.Tool(native); row != nil {
		return *row
	}
	return agent.Tool{}
}

// ofFile reports whether an event is about one file that stands at the payload's top.
func ofFile(native string) bool {
	switch native {
	case "beforeReadFile", "beforeTabFileRead", "afterFileEdit", "afterTabFileEdit":
		return true
	}
	return false
}

// only is an object of some members of the payload, those that it has.
func only(p wire.Value, keys ...string) wire.Value {
	var o wire.ObjectWriter
	for _, key := range keys {
		o.Raw(key, p.Get(key).Raw())
	}
	return o.Value()
}

// unpacked is the value that a JSON text in a string holds; any other string, and any other value,
// stays what it is.
func unpacked(v wire.Value) wire.Value {
	text, ok := v.StrOK()
	if !ok || !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return v
	}
	inner, err := wire.Parse([]byte(text))
	if err != nil {
		return v
	}
	return inner
}

// result is what a call brought: a string, which often holds JSON.
func result(native string, p wire.Value) wire.Value {
	switch native {
	case "afterShellExecution":
		return p.Get("output")
	case "afterMCPExecution":
		return unpacked(p.Get("result_json"))
	}
	return unpacked(p.Get("tool_output"))
}

// response is a result in Claude's shape for a shell, else as it is. The output of a shell is a
// text, {"output","exitCode"} (sdk-1.0.32) or {"stdout","exitCode"} (the documents).
func response(kind hook.Kind, v wire.Value) []byte {
	if v.Kind() == wire.Absent {
		return nil
	}
	if kind != hook.KindShell {
		return []byte(v.Raw())
	}
	var o wire.ObjectWriter
	switch {
	case v.Kind() == wire.String:
		o.Raw("stdout", v.Raw())
	case v.Get("stdout").Kind() == wire.String:
		o.Raw("stdout", v.Get("stdout").Raw())
	case v.Get("output").Kind() == wire.String:
		o.Raw("stdout", v.Get("output").Raw())
	default:
		return []byte(v.Raw())
	}
	o.Raw("stderr", v.Get("stderr").Raw())
	o.Raw("exitCode", v.Get("exitCode").Raw())
	return o.Bytes()
}
