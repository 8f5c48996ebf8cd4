package agent

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/patch"
	"github.com/hookspan/hookspan/internal/wire"
)

// MapTool builds the tool call of an event from the native name and input. The zero row t is an
// unknown tool: its name and keys stay, its kind is other. dir is the folder that relative paths are
// relative to; "" leaves them as they are.
func MapTool(t Tool, native string, input wire.Value, dir string) *hook.Tool {
	tool := &hook.Tool{Name: t.Name, NativeName: native, Kind: t.Kind, Native: []byte(input.Raw())}
	if tool.Name == "" {
		tool.Name = native
	}
	if tool.Kind == "" {
		tool.Kind = hook.KindOther
	}
	tool.Input = []byte(renamed(t.Keys, input).Raw())
	if tool.Kind == hook.KindShell {
		tool.Command = claudeInput(tool).Get("command").Str()
	}
	if t.Patch != "" {
		mapPatch(t, tool, input, dir)
		return tool
	}
	mapFile(t, tool, input, dir)
	return tool
}

// MCPTool makes a tool of an MCP call. server is "" where the agent does not tell it; the native
// name then stays, since a guess could name the wrong server.
func MCPTool(native, server, name string, input wire.Value) *hook.Tool {
	tool := &hook.Tool{Name: native, NativeName: native, Kind: hook.KindMCP, MCP: &hook.MCP{Server: server, Tool: name},
		Input: []byte(input.Raw()), Native: []byte(input.Raw())}
	if server != "" {
		tool.Name = "mcp__" + server + "__" + name
	}
	return tool
}

func claudeInput(t *hook.Tool) wire.Value {
	v, err := wire.Parse(t.Input)
	if err != nil {
		return wire.Value{}
	}
	return v
}

// renamed gives an object Claude's keys; order and values stay. What the agent itself will read wins: a
// native key takes Claude's name, and a stray key that already has that name is left out (it stays in
// the payload). Else a model could show handlers one value and the agent another.
func renamed(keys []Key, v wire.Value) wire.Value {
	if len(keys) == 0 || v.Kind() != wire.Object {
		return v
	}
	var o wire.ObjectWriter
	for k, val := range v.Members() {
		name, elem := claudeKey(keys, k)
		if first := nativeOf(keys, name, v); first != "" && first != k {
			continue
		}
		if elem != nil && val.Kind() == wire.Array {
			o.Raw(name, renamedElems(elem, val))
			continue
		}
		o.Raw(name, val.Raw())
	}
	out, err := wire.Parse(o.Bytes())
	if err != nil {
		return v
	}
	return out
}

func renamedElems(keys []Key, v wire.Value) []byte {
	out := []byte{'['}
	for e := range v.Elems() {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, renamed(keys, e).Raw()...)
	}
	return append(out, ']')
}

// nativeOf is the native key, of those that are there, which stands for one of Claude's; "" = none is.
func nativeOf(keys []Key, claude string, v wire.Value) string {
	for i := range keys {
		if keys[i].Claude == claude && v.Has(keys[i].Native) {
			return keys[i].Native
		}
	}
	return ""
}

func claudeKey(keys []Key, native string) (string, []Key) {
	for i := range keys {
		if keys[i].Native == native {
			return keys[i].Claude, keys[i].Elem
		}
	}
	return native, nil
}

func nativeKey(keys []Key, claude string, native wire.Value) (string, []Key) {
	for i := range keys {
		if keys[i].Claude == claude && (native.Has(keys[i].Native) || !native.Has(claude)) {
			return keys[i].Native, keys[i].Elem
		}
	}
	return claude, nil
}

func mapPatch(t Tool, tool *hook.Tool, input wire.Value, dir string) {
	text := input.Str()
	if t.Patch != "." {
		text = input.Get(t.Patch).Str()
	}
	if text == "" && t.Patch != "." {
		text = input.Str() // some versions send the text itself
	}
	tool.Patch = true
	// A malformed patch still names files, and a guard must see them.
	tool.Files, _ = patch.Parse(text)
	for i := range tool.Files {
		f := &tool.Files[i]
		f.Path, f.MovedTo = Absolute(dir, f.Path), Absolute(dir, f.MovedTo)
	}
}

func mapFile(t Tool, tool *hook.Tool, input wire.Value, dir string) {
	if t.File == "" {
		return
	}
	path := input.Get(t.File).Str()
	if path == "" {
		path = claudeInput(tool).Get("file_path").Str()
	}
	if path == "" {
		return
	}
	f := hook.File{Path: Absolute(dir, path), Op: t.Op}
	in := claudeInput(tool)
	if s, ok := in.Get("content").StrOK(); ok && t.Op != hook.OpRead {
		f.NewText = &s
	}
	f.Edits = edits(in)
	tool.Files = []hook.File{f}
}

func edits(in wire.Value) []hook.Edit {
	var out []hook.Edit
	if in.Has("old_string") || in.Has("new_string") {
		out = append(out, oneEdit(in))
	}
	for e := range in.Get("edits").Elems() {
		out = append(out, oneEdit(e))
	}
	return out
}

func oneEdit(v wire.Value) hook.Edit {
	all, _ := v.Get("replace_all").Bool()
	return hook.Edit{Old: v.Get("old_string").Str(), New: v.Get("new_string").Str(), All: all}
}

// Absolute makes a path absolute and clean. An empty path stays empty, and without a folder a
// relative one stays relative: nothing is invented. A leading ~ is left alone; what else an agent may
// make of a path, guards think of.
func Absolute(dir, path string) string {
	switch {
	case path == "":
		return ""
	case filepath.IsAbs(path) || isWindowsAbs(path):
		return filepath.Clean(path)
	case dir == "":
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func isWindowsAbs(p string) bool {
	return len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/')
}

// Change is one changed key of a native tool input.
type Change struct {
	Path  string // keys joined by dots
	Value []byte // JSON
}

// ErrRewrite is why a rewrite cannot be put back.
var ErrRewrite = errors.New("the rewrite cannot be put into this agent's input")

// Lens puts a changed input (Claude's keys) back into the native one. Only keys that differ from
// before are touched, the rest of the native bytes stay; a key that after leaves out is unchanged.
// A value of another JSON type than the one it replaces is refused: some agents run it unchecked.
func Lens(t Tool, native, before, after wire.Value) ([]byte, []Change, error) {
	if native.Kind() != wire.Object || after.Kind() != wire.Object {
		return nil, nil, fmt.Errorf("%w: it is no object", ErrRewrite)
	}
	out := native
	var changes []Change
	for k, v := range after.Members() {
		old := before.Get(k)
		if wire.Equal(old, v) {
			continue
		}
		if old.Kind() != wire.Absent && old.Kind() != wire.Null && old.Kind() != v.Kind() {
			return nil, nil, fmt.Errorf("%w: %s was of another type", ErrRewrite, k)
		}
		nk, elem := nativeKey(t.Keys, k, native)
		raw := v.Raw()
		if elem != nil && v.Kind() == wire.Array {
			raw = renamedElems(reversed(elem), v)
		}
		out = out.With(nk, raw)
		changes = append(changes, Change{Path: nk, Value: raw})
	}
	return out.Raw(), changes, nil
}

func reversed(keys []Key) []Key {
	out := make([]Key, len(keys))
	for i, k := range keys {
		out[i] = Key{Native: k.Claude, Claude: k.Native}
	}
	return out
}

// ShortCommand is a command for a sentence: one line, at most 200 bytes.
func ShortCommand(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}
