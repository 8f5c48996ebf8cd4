package engine

import (
	"path/filepath"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/patch"
	"github.com/hookspan/hookspan/internal/wire"
)

// Limits of a split: files of one call, and runs at a time (design 1).
const (
	maxFiles    = 100
	maxParallel = 8
)

// part is a tool call as it would be if it touched one file only.
type part struct {
	name string // "Write" or "Edit"
	ev   hook.Event
	path string
}

// split turns a call that touches files by a patch into one call per file, in Claude's one-file
// shape: create is Write; update, delete and both ends of a move are Edit.
func split(ev hook.Event) []part {
	var parts []part
	for _, f := range ev.Tool.Files {
		switch f.Op {
		case hook.OpCreate:
			parts = append(parts, onePart(ev, "Write", hook.KindWrite, f.Path, f))
		case hook.OpMove:
			gone := hook.File{Path: f.Path, Op: hook.OpMove} // one path, so that HOOKSPAN_FILE names it
			parts = append(parts, onePart(ev, "Edit", hook.KindEdit, f.Path, gone))
			there := f
			there.Path, there.MovedTo = f.MovedTo, ""
			there.Op = hook.OpUpdate
			parts = append(parts, onePart(ev, "Edit", hook.KindEdit, f.MovedTo, there))
		default:
			parts = append(parts, onePart(ev, "Edit", hook.KindEdit, f.Path, f))
		}
	}
	return parts
}

func onePart(ev hook.Event, name string, kind hook.Kind, path string, f hook.File) part {
	t := *ev.Tool
	t.Name, t.Kind, t.Files = name, kind, []hook.File{f}
	t.Input = fileInput(name, path, f)
	ev.Tool = &t
	return part{name: name, ev: ev, path: path}
}

// fileInput is Claude's input of Write or Edit for one file; the new text is always in it.
func fileInput(name, path string, f hook.File) []byte {
	var o wire.ObjectWriter
	o.Str("file_path", path)
	switch {
	case name == "Write":
		text := ""
		if f.NewText != nil {
			text = *f.NewText
		}
		o.Str("content", text)
	case len(f.Edits) == 1:
		o.Str("old_string", f.Edits[0].Old)
		o.Str("new_string", f.Edits[0].New)
	case len(f.Edits) > 1:
		o.Raw("edits", editList(f.Edits))
	}
	return o.Bytes()
}

func editList(edits []hook.Edit) []byte {
	out := []byte{'['}
	for i, e := range edits {
		if i > 0 {
			out = append(out, ',')
		}
		var o wire.ObjectWriter
		o.Str("old_string", e.Old)
		o.Str("new_string", e.New)
		out = append(out, o.Bytes()...)
	}
	return append(out, ']')
}

// refreshed recomputes the files of a call whose input a handler changed.
func refreshed(t hook.Tool, in wire.Value, ev hook.Event) []hook.File {
	dir := ev.Cwd
	if dir == "" {
		dir = ev.Project
	}
	if t.Patch {
		var files []hook.File
		for _, v := range in.Members() {
			if s, ok := v.StrOK(); ok && files == nil {
				files, _ = patch.Parse(s)
			}
		}
		for i := range files {
			files[i].Path, files[i].MovedTo = under(dir, files[i].Path), under(dir, files[i].MovedTo)
		}
		return files
	}
	if len(t.Files) != 1 {
		return t.Files
	}
	f := t.Files[0]
	for _, key := range []string{"file_path", "notebook_path", "path"} {
		if p := in.Get(key).Str(); p != "" {
			f.Path = under(dir, p)
			break
		}
	}
	if s, ok := in.Get("content").StrOK(); ok && f.NewText != nil {
		f.NewText = &s
	}
	f.Edits = nil
	if in.Has("new_string") {
		f.Edits = append(f.Edits, hook.Edit{Old: in.Get("old_string").Str(), New: in.Get("new_string").Str()})
	}
	for e := range in.Get("edits").Elems() {
		f.Edits = append(f.Edits, hook.Edit{Old: e.Get("old_string").Str(), New: e.Get("new_string").Str()})
	}
	return []hook.File{f}
}

func under(dir, p string) string {
	if p == "" || dir == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(dir, p)
}
