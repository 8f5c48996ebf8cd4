package splice

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

const entry = `{"matcher":"Bash","hooks":[{"type":"command","command":"/opt/tool/bin/run \"a b\" && true","timeout":60}]}`

// formats are the dialects that the laws are tested in.
var formats = []Format{JSON, JSON | BOM, JSON | Comments, JSON | Comments | TrailingCommas | BOM, JSON | Comments | TrailingCommas | NullAbsent, TOML, TOML | BOM}

// seeds calls use with every file of testdata/corpus, and of the folders that SPLICE_CORPUS names.
func seeds(tb testing.TB, use func(path string, text []byte)) {
	tb.Helper()
	for _, root := range append([]string{"testdata/corpus"}, filepath.SplitList(os.Getenv("SPLICE_CORPUS"))...) {
		err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(path)
			for _, v := range variants(text) {
				use(path, v)
			}
			return err
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
}

// variants are a file as other editors would have left it.
func variants(text []byte) [][]byte {
	s := string(text)
	all := [][]byte{text, []byte(bom + s), []byte(strings.ReplaceAll(s, "\n", "\r\n"))}
	if strings.HasSuffix(s, "\n") {
		all = append(all, []byte(strings.TrimRight(s, "\n")), []byte(s+"\n"), []byte(strings.Replace(s, "\n", "\r\n", 1)))
	}
	if strings.Contains(s, "\n  ") {
		all = append(all, []byte(strings.ReplaceAll(s, "  ", "\t")))
	}
	return all
}

// shape is what must stay of a value: structure, order, and the spelling of keys and scalars.
func shape(text []byte, n *node, skip ...*node) string {
	var b strings.Builder
	var walk func(*node)
	walk = func(n *node) {
		if slices.Contains(skip, n) {
			return
		}
		if n.name != "" || n.key.end > 0 {
			fmt.Fprintf(&b, "%s=", text[n.key.start:n.key.end])
			if n.key.end == 0 {
				b.WriteString(n.name)
			}
		}
		switch n.kind {
		case Object, Array:
			b.WriteByte("[{"[padOf(n.kind)])
			for _, k := range n.kids {
				walk(k)
			}
			b.WriteString("] ")
		default:
			b.Write(text[n.start:n.end])
			b.WriteByte(' ')
		}
	}
	if n != nil {
		walk(n)
	}
	return b.String()
}

// comments returns the comments of a readable text in order.
func comments(text []byte, f Format) string {
	var out []string
	for at := 0; at < len(text); {
		switch end, _ := commentEnd(text, at, f); {
		case end >= 0 && (f&TOML != 0 || f&Comments != 0):
			out = append(out, string(text[at:end]))
			at = end
		case text[at] == '"' || f&TOML != 0 && text[at] == '\'':
			at = stringEnd(text, at, f)
		default:
			at++
		}
	}
	return strings.Join(out, "\n")
}

func stringEnd(text []byte, at int, f Format) int {
	quote := string(text[at : at+1])
	if long := strings.Repeat(quote, 3); f&TOML != 0 && bytes.HasPrefix(text[at:], []byte(long)) {
		for at += 3; at < len(text); at++ {
			if text[at] == '\\' && quote == `"` {
				at++
			} else if bytes.HasPrefix(text[at:], []byte(long)) {
				for at < len(text) && text[at] == quote[0] {
					at++
				}
				return at
			}
		}
		return at
	}
	for at++; at < len(text) && text[at] != quote[0]; at++ {
		if text[at] == '\\' && quote == `"` {
			at++
		}
	}
	return at + 1
}

// accepts checks a text with readers that are not ours.
func accepts(t *testing.T, text []byte, f Format) {
	t.Helper()
	body := bytes.TrimPrefix(text, []byte(bom))
	switch {
	case f&TOML != 0:
		var all map[string]any
		if err := toml.Unmarshal(body, &all); err != nil {
			t.Fatalf("no TOML: %v\n%s", err, text)
		}
	case f&(Comments|TrailingCommas) == 0 && !blank(body):
		if !json.Valid(body) {
			t.Fatalf("no JSON:\n%s", text)
		}
	}
}

// tame makes sure that an error is a refusal with a place and a reason.
func tame(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Fault == 0 || e.What == "" || !strings.Contains(err.Error(), "f.x") && !strings.Contains(err.Error(), "the new value") {
		t.Fatalf("not a refusal: %v", err)
	}
}

// install does what a registration does: entries for some events, each in its list, and a member that the file needs.
func install(t *testing.T, d *Doc, keys ...string) bool {
	t.Helper()
	for _, event := range []string{"PreToolUse", "Stop", "x y"} {
		before := d.Bytes()
		if err := d.Append(At(append(keys, event)...), []byte(entry)); err != nil {
			tame(t, err)
			if !bytes.Equal(before, d.Bytes()) {
				t.Fatalf("refused, but changed: %v\n%s", err, d.Bytes())
			}
			return false
		}
	}
	if err := d.Require(At("version"), []byte("1")); err != nil {
		tame(t, err)
		return false
	}
	return true
}

// checkUndo holds a document to the laws of taking back.
func checkUndo(t *testing.T, text []byte, f Format, keys ...string) {
	t.Helper()
	d, err := Parse("f.x", text, f)
	if err != nil {
		tame(t, err)
		return
	}
	accepts(t, text, f)
	if !install(t, d, keys...) {
		return
	}
	after := d.Bytes()
	accepts(t, after, f)
	if len(after) <= len(text) {
		t.Fatalf("nothing was added:\n%s", after)
	}
	if f&NullAbsent == 0 && !blank(bytes.TrimPrefix(text, []byte(bom))) && !within(text, after) {
		t.Fatalf("something was rewritten, not only added to:\n%q\n%q", text, after)
	}
	if a, b := comments(text, f), comments(after, f); a != b {
		t.Fatalf("comments changed:\n%s\n---\n%s", a, b)
	}
	u := stored(t, d.Undo())
	back, ok := u.Exact(after)
	if !ok || !bytes.Equal(back, text) || (back == nil) != (text == nil) {
		t.Fatalf("exact undo is no identity (%v):\n%q\n%q", ok, text, back)
	}
	checkRevert(t, text, after, f, u)
	if f&TOML == 0 {
		checkRevert(t, text, relaid(t, after, f), f&^Comments, u)
	}
}

// stored sends a record through JSON, as a ledger does.
func stored(t *testing.T, u Undo) (v Undo) {
	t.Helper()
	b, err := json.Marshal(u)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// relaid writes JSON as a host does that keeps nothing but the values.
func relaid(t *testing.T, text []byte, f Format) []byte {
	d, err := Parse("f.x", text, f)
	if err != nil {
		t.Fatal(err)
	}
	s := style{lines: true, eol: "\n", unit: "   ", colon: ": "}
	return s.value(nil, d.Root(), "", true)
}

// checkRevert takes parts out of a text that is not byte for byte what was written.
func checkRevert(t *testing.T, before, now []byte, f Format, u Undo) {
	t.Helper()
	u.After = "another"
	d, err := Parse("f.x", now, f)
	if err != nil {
		t.Fatal(err)
	}
	missing, err := d.Revert(u)
	if err != nil {
		tame(t, err)
		return
	}
	if len(missing) > 0 {
		t.Fatalf("not found: %v in\n%s", missing, now)
	}
	rest := d.Bytes()
	accepts(t, rest, f)
	want, err := Parse("f.x", before, f|Comments|TrailingCommas)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse("f.x", rest, f)
	if err != nil {
		t.Fatalf("after revert: %v", err)
	}
	look := func(d *Doc) string { return shape(d.text, d.root) }
	if f&Comments == 0 { // written anew by a host
		look = func(d *Doc) string { return string(d.Root().JSON()) }
	}
	if a, b := look(want), look(got); a != b {
		t.Fatalf("revert is no inverse:\n%s\n%s\n%q\n%q\n%q", a, b, before, now, rest)
	}
	if f&Comments != 0 && comments(before, f) != comments(rest, f) {
		t.Fatalf("revert changed comments:\n%s", rest)
	}
}

// within reports whether a is b with bytes left out; blanks do not count: those inside of empty brackets give way.
func within(a, b []byte) bool {
	a = []byte(strings.NewReplacer(" ", "", "\t", "").Replace(string(a)))
	for _, c := range b {
		if len(a) > 0 && a[0] == c {
			a = a[1:]
		}
	}
	return len(a) == 0
}

func TestUndoIsIdentity(t *testing.T) {
	seeds(t, func(path string, text []byte) {
		for _, f := range formats {
			if (filepath.Ext(path) == ".toml") == (f&TOML != 0) {
				checkUndo(t, text, f, "hooks")
				checkUndo(t, text, f)
			}
		}
		if t.Failed() {
			t.Fatal(path)
		}
	})
	for _, f := range formats {
		checkUndo(t, nil, f, "hooks")
		checkUndo(t, []byte{}, f, "hooks")
	}
}

// pathsOf lists the paths of all values.
func pathsOf(v Value, p Path) (all []Path) {
	all = append(all, p)
	for i, kid := range v.Elems() {
		all = append(all, pathsOf(kid, p.Elem(i))...)
	}
	for key, kid := range v.Members() {
		all = append(all, pathsOf(kid, p.Key(key))...)
	}
	return all
}

// checkLate lets somebody else edit the file after us, and takes ours out of it: the file is as if we had never come.
func checkLate(t *testing.T, text []byte, f Format) {
	t.Helper()
	late := At("zz late")
	never, err := Parse("f.x", text, f)
	if err != nil || never.Set(late, []byte("1")) != nil {
		return
	}
	d, _ := Parse("f.x", text, f)
	for _, event := range []string{"PreToolUse", "Stop", "x y"} {
		if d.Append(At("hooks", event), []byte(entry)) != nil {
			return
		}
	}
	edited, _ := Parse("f.x", d.Bytes(), f)
	if err := edited.Set(late, []byte("1")); err != nil {
		t.Fatal(err)
	}
	now, _ := Parse("f.x", edited.Bytes(), f)
	if missing, err := now.Revert(stored(t, d.Undo())); err != nil || len(missing) > 0 {
		t.Fatalf("%v %v\n%s", missing, err, edited.Bytes())
	}
	if a, b := without(t, never.Bytes(), f, late), without(t, now.Bytes(), f, late); !bytes.Equal(a, b) {
		t.Fatalf("a trace is left:\n%q\n%q\n%q", text, a, b)
	}
}

func without(t *testing.T, text []byte, f Format, p Path) []byte {
	t.Helper()
	d, err := Parse("f.x", text, f)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Remove(p); err != nil {
		t.Fatal(err)
	}
	return d.Bytes()
}

func TestRevertLeavesNoTraceBesideForeignEdits(t *testing.T) {
	seeds(t, func(path string, text []byte) {
		for _, f := range formats {
			if (filepath.Ext(path) == ".toml") == (f&TOML != 0) {
				checkLate(t, text, f)
			}
		}
	})
}

// checkBeside lets somebody put handlers into our group and around it; they stay where they are.
func checkBeside(t *testing.T, text []byte, f Format) {
	t.Helper()
	d, err := Parse("f.x", text, f)
	list := At("hooks", "Stop")
	if err != nil || d.Append(list, []byte(entry)) != nil {
		return
	}
	at := list.Elem(d.Get(list).Len() - 1)
	if d.Get(at.Key("hooks")).n.form != inline {
		return // TOML's headers: see TestTOMLNeighbours
	}
	theirs := func() *Doc {
		e, err := Parse("f.x", d.Bytes(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []Path{at.Key("hooks"), list} {
			if err := e.Append(p, []byte(`{"late":1.0}`)); err != nil {
				t.Fatal(err)
			}
		}
		return e
	}
	want := theirs()
	if err := want.Remove(at.Key("hooks").Elem(0)); err != nil {
		t.Fatal(err)
	}
	now, _ := Parse("f.x", theirs().Bytes(), f)
	if missing, err := now.Revert(stored(t, d.Undo())); err != nil || len(missing) > 0 {
		t.Fatalf("%v %v\n%s", missing, err, now.Bytes())
	}
	if !bytes.Equal(now.Bytes(), want.Bytes()) {
		t.Fatalf("what others put beside ours is not as it was:\n%s\n%s", want.Bytes(), now.Bytes())
	}
}

func TestRevertLeavesNeighbours(t *testing.T) {
	seeds(t, func(path string, text []byte) {
		for _, f := range formats {
			if (filepath.Ext(path) == ".toml") == (f&TOML != 0) {
				checkBeside(t, text, f)
			}
		}
	})
}

// checkEdit makes one edit at the n-th value and compares everything else.
func checkEdit(t *testing.T, text []byte, f Format, n uint, remove bool) {
	t.Helper()
	d, err := Parse("f.x", text, f)
	if err != nil {
		tame(t, err)
		return
	}
	all := pathsOf(d.Root(), nil)
	p := all[n%uint(len(all))]
	target := d.Get(p).n
	if target == nil {
		return
	}
	want, wantComments := shape(text, d.root, target), comments(masked(text, target, remove), f)
	if remove {
		err = d.Remove(p)
	} else if target.kind == Array {
		want, p = shape(text, d.root), p.Elem(len(target.kids))
		err = d.Append(p[:len(p)-1], []byte(entry))
	} else {
		want, p = shape(text, d.root), p.Key("zz new")
		err = d.Set(p, []byte(`"value"`))
	}
	now := d.Bytes()
	if err != nil {
		tame(t, err)
		if !bytes.Equal(now, text) {
			t.Fatalf("refused, but changed: %v\n%q\n%q", err, text, now)
		}
		return
	}
	accepts(t, now, f)
	again, err := Parse("f.x", now, f)
	if err != nil {
		t.Fatalf("no longer readable: %v\n%q\n%q", err, text, now)
	}
	var skip *node
	if !remove {
		if skip = again.Get(p).n; skip == nil {
			t.Fatalf("%s is not there:\n%q\n%q", p, text, now)
		}
	}
	replaced := f&NullAbsent != 0 && target.kind == Null
	if got := shape(now, again.root, skip); got != want && f&TOML == 0 && !replaced {
		t.Fatalf("%s (remove %v):\n%s\n%s\n%q\n%q", p, remove, want, got, text, now)
	}
	if f&TOML != 0 && !remove && !within(text, now) {
		t.Fatalf("%s: rewritten\n%q\n%q", p, text, now)
	}
	if f&(Comments|TOML) != 0 && wantComments != comments(now, f) {
		t.Fatalf("%s (remove %v): comments changed\n%q\n%q", p, remove, text, now)
	}
	u := d.Undo()
	if back, ok := u.Exact(now); !ok || !bytes.Equal(back, text) {
		t.Fatalf("exact undo is no identity (%v)\n%q\n%q", ok, text, back)
	}
}

// masked blanks what a removal takes.
func masked(text []byte, n *node, remove bool) []byte {
	out := bytes.Clone(text)
	spans := n.lines()
	if n.form == inline {
		spans = append(spans, n.span, span{min(n.place(), n.start), n.end})
	}
	for _, s := range spans {
		if remove {
			copy(out[s.start:s.end], bytes.Repeat([]byte{' '}, s.end-s.start))
		}
	}
	return out
}

func TestEditKeepsForeignBytes(t *testing.T) {
	seeds(t, func(path string, text []byte) {
		for _, f := range formats {
			if (filepath.Ext(path) == ".toml") != (f&TOML != 0) || len(text) > 20000 {
				continue
			}
			for n := range uint(40) {
				checkEdit(t, text, f, n, false)
				checkEdit(t, text, f, n, true)
			}
		}
		if t.Failed() {
			t.Fatal(path)
		}
	})
}
