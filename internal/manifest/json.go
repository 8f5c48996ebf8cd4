package manifest

import (
	"errors"
	"strings"

	"github.com/hookspan/hookspan/internal/wire"
)

// readJSON reads a manifest that begins with "{". It returns nil after reporting an error.
func readJSON(r *report, src source) *node {
	v, err := wire.Parse([]byte(src.text))
	if err != nil {
		failJSON(r, src, err)
		return nil
	}
	w := jsonWalker{src: src, report: r}
	return w.node(v, strings.IndexByte(src.text, '{'), 0)
}

func failJSON(r *report, src source, err error) {
	var e *wire.Error
	if !errors.As(err, &e) {
		r.fail(pos{1, 1}, "", "failed to read JSON: %v", err)
		return
	}
	at := src.at(int(e.Offset))
	rest := src.text[min(int(e.Offset), len(src.text)):]
	switch {
	case e.Kind == wire.Duplicate:
		r.fail(at, "a key may stand once in an object", "the key %q is there twice", e.Key)
	case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "/*"), strings.HasPrefix(rest, "#"):
		r.fail(at, "write the manifest as YAML, where # begins a comment, or take it out", "JSON has no comments")
	case e.Kind == wire.Syntax && strings.HasSuffix(strings.TrimRight(src.text[:min(int(e.Offset), len(src.text))], " \t\r\n"), ",") &&
		strings.IndexAny(rest, "}]") == 0:
		r.fail(at, "take the comma out", "JSON allows no comma before %q", rest[:1])
	default:
		r.fail(at, "a file that begins with { is read as JSON", "not JSON: %s", e.Msg)
	}
}

// jsonWalker gives the values of a valid document their positions. A value's text stands in its
// parent's text verbatim and in order, so that only keys and the marks between them are skipped here.
type jsonWalker struct {
	src    source
	report *report
}

func (w jsonWalker) node(v wire.Value, offset, depth int) *node {
	n := &node{at: w.src.at(offset), json: true}
	if depth > maxDepth {
		w.report.fail(n.at, "", "nested deeper than %d levels", maxDepth)
		return n
	}
	switch v.Kind() {
	case wire.Bool:
		n.kind, n.text = boolean, string(v.Raw())
	case wire.Number:
		n.kind, n.text = number, string(v.Raw())
	case wire.String:
		n.kind, n.text = text, v.Str()
	case wire.Array:
		n.kind = list
		i := offset + len("[")
		for e := range v.Elems() {
			i = w.skip(i, ",")
			n.elems = append(n.elems, w.node(e, i, depth+1))
			i += len(e.Raw())
		}
	case wire.Object:
		n.kind = object
		i := offset + len("{")
		for k, m := range v.Members() {
			i = w.skip(i, ",")
			f := field{key: k, at: w.src.at(i)}
			i = w.skip(w.stringEnd(i), ":")
			f.value = w.node(m, i, depth+1)
			n.fields = append(n.fields, f)
			i += len(m.Raw())
		}
	}
	return n
}

// skip returns the place of the next byte that is neither a blank nor the mark.
func (w jsonWalker) skip(i int, mark string) int {
	for i < len(w.src.text) && strings.IndexByte(" \t\r\n"+mark, w.src.text[i]) >= 0 {
		i++
	}
	return i
}

// stringEnd returns the place behind the string that begins at i.
func (w jsonWalker) stringEnd(i int) int {
	for i++; i < len(w.src.text) && w.src.text[i] != '"'; i++ {
		if w.src.text[i] == '\\' {
			i++
		}
	}
	return i + 1
}
