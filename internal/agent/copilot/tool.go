package copilot

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/patch"
	"github.com/hookspan/hookspan/internal/wire"
)

// toolOf is the tool call of an event, nil if there is none. An error means that the arguments are
// text which is not the JSON that the tool takes.
func toolOf(a *agent.Agent, native string, p wire.Value, cwd string) (*hook.Tool, error) {
	name := either(p, "toolName", "tool_name").Str()
	if name == "" {
		return nil, nil
	}
	if native == "preMcpToolCall" {
		t := agent.MCPTool(name, p.Get("serverName").Str(), name, p.Get("arguments"))
		t.ID = p.Get("toolCallId").Str()
		return t, nil
	}
	sent := either(p, "toolArgs", "tool_input")
	if native == "permissionRequest" {
		sent = p.Get("toolInput")
	}
	row := known(a, name, sent)
	input, err := arguments(row, name, sent)
	t := mapped(row, name, input, cwd)
	if native == "permissionRequest" {
		asked(t, input)
	}
	t.Response = response(t.Kind, either(p, "toolResult", "tool_result"))
	t.Error = p.Get("error").Str()
	return t, err
}

// known is the row of a tool under its native name or under the one that a Pascal event uses; the zero
// row is an unknown tool. Both tools that edit are Edit there, and a patch is told by being a text.
func known(a *agent.Agent, name string, input wire.Value) agent.Tool {
	if row := a.Tool(name); row != nil {
		return *row
	}
	if _, text := input.StrOK(); text && name == "Edit" {
		return *a.Tool(patchTool)
	}
	for _, row := range a.Tools {
		if row.Name == name {
			return row
		}
	}
	return agent.Tool{}
}

// arguments are a tool's arguments. Copilot up to 1.0.73 sends them as JSON text inside a string.
func arguments(row agent.Tool, name string, v wire.Value) (wire.Value, error) {
	text, ok := v.StrOK()
	text = strings.TrimSpace(text)
	isPatch := row.Patch != ""
	if !ok || isPatch && !strings.HasPrefix(text, "{") {
		return v, nil
	}
	if text == "" {
		return wire.Value{}, nil
	}
	inner, err := wire.Parse([]byte(text))
	switch {
	case err == nil && inner.Kind() == wire.Object:
		return inner, nil
	case isPatch, row.Native == "" && !strings.HasPrefix(text, "{"):
		return v, nil // a tool that takes bare text
	case err == nil:
		err = errors.New("it is " + inner.Kind().String() + ", not an object")
	}
	return v, fmt.Errorf("the arguments of %s are not the JSON that it takes: %w", name, err)
}

func mapped(row agent.Tool, name string, input wire.Value, cwd string) *hook.Tool {
	if row.Native == "" && strings.ContainsAny(name, "-/") {
		// An MCP tool is server-tool (server/tool in permissionRequest). Both parts may have dashes, so
		// it is not split; no built-in tool has one.
		return agent.MCPTool(name, "", name, input)
	}
	if row.Patch != "" && input.Kind() == wire.Object {
		row.Patch = patchKey(input)
	}
	return agent.MapTool(row, name, input, cwd)
}

// patchKey is the member of an object that holds a patch.
func patchKey(input wire.Value) string {
	for key, v := range input.Members() {
		if strings.Contains(v.Str(), "*** Begin Patch") {
			return key
		}
	}
	return "."
}

// asked completes a call of permissionRequest, which names a creation an edit too and tells what
// changes by a diff. The path is file_path: those of the diff have lost their first slash.
func asked(t *hook.Tool, input wire.Value) {
	diff, ok := input.Get("diff").StrOK()
	if !ok || len(t.Files) != 1 {
		return
	}
	f := &t.Files[0]
	if told, _ := patch.ParseUnified(strings.TrimLeft(diff, "\n")); len(told) > 0 {
		f.Edits = told[0].Edits
	}
	head, _, _ := strings.Cut(diff, "\n@@")
	switch {
	case strings.Contains(head+"\n", "\n--- a/dev/null\n"):
		f.Op, f.NewText, f.Edits = hook.OpCreate, newText(f.Edits), nil
	case strings.Contains(head+"\n", "\n+++ b/dev/null\n"):
		f.Op, f.Edits = hook.OpDelete, nil
	}
}

// newText is the text of a new file, which its diff has in one piece.
func newText(edits []hook.Edit) *string {
	text := ""
	for _, e := range edits {
		text += e.New
	}
	return &text
}

// response is a tool's result: the shell's text in Claude's shape, else as sent.
func response(kind hook.Kind, v wire.Value) []byte {
	if v.Kind() == wire.Absent {
		return nil
	}
	if text, ok := either(v, "textResultForLlm", "text_result_for_llm").StrOK(); ok && kind == hook.KindShell {
		var o wire.ObjectWriter
		o.Str("stdout", text)
		return o.Bytes()
	}
	return []byte(v.Raw())
}

// rewrite puts a changed input back. A patch that was sent as bare text cannot be changed: Copilot
// takes an object.
func rewrite(a *agent.Agent, t *hook.Tool, after wire.Value) ([]byte, []agent.Change, error) {
	native, err := wire.Parse(t.Native)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: the call has no input", agent.ErrRewrite)
	}
	before, err := wire.Parse(t.Input)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: the call has no input", agent.ErrRewrite)
	}
	if wire.Equal(before, after) {
		return native.Raw(), nil, nil
	}
	return agent.Lens(known(a, t.NativeName, native), native, before, after)
}
