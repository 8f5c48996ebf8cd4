package splice

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlReader turns the expressions of a TOML text into one tree. The text is valid: toml.Unmarshal has taken it.
type tomlReader struct {
	name string
	text []byte
	skew int // bytes before the text that the parser sees: a byte order mark
	deep int
}

// parseTOML reads a document. The root is an object without a text of its own.
func parseTOML(name string, text []byte, f Format) (*node, error) {
	r := &tomlReader{name: name, text: text}
	if bytes.HasPrefix(text, []byte(bom)) {
		if f&BOM == 0 {
			return nil, fail(Syntax, name, text, 0, "a byte order mark, which the program that reads this file does not accept",
				"save the file as UTF-8 without BOM")
		}
		r.skew = len(bom)
	}
	body := text[r.skew:]
	var all map[string]any
	if err := toml.Unmarshal(body, &all); err != nil {
		return nil, r.syntax(err)
	}
	root := &node{kind: Object, form: table, span: span{r.skew, r.skew}}
	open := root
	p := &unstable.Parser{}
	p.Reset(body)
	for p.NextExpression() {
		var err error
		if open, err = r.expression(p.Expression(), root, open); err != nil {
			return nil, err
		}
	}
	if p.Error() != nil {
		return nil, r.syntax(p.Error())
	}
	return root, nil
}

func (r *tomlReader) syntax(err error) error {
	e := &Error{Fault: Syntax, Path: r.name, What: "no TOML: " + strings.TrimPrefix(err.Error(), "toml: "), Hint: "correct it by hand"}
	var at *toml.DecodeError
	if errors.As(err, &at) {
		e.Line, e.Column = at.Position()
	}
	return e
}

// expression takes in one header or one key = value. It returns the table that is open behind it.
func (r *tomlReader) expression(x *unstable.Node, root, open *node) (*node, error) {
	keys := r.keys(x)
	last := keys[len(keys)-1]
	if x.Kind == unstable.KeyValue {
		line := r.span(x.Raw)
		return open, r.keyValue(x, keys, line, open)
	}
	at := root
	for _, k := range keys[:len(keys)-1] {
		next, err := r.into(at, k, implicit)
		if err != nil {
			return nil, err
		}
		at = next
	}
	line := r.header(keys[0].start, last.end, x.Kind == unstable.ArrayTable)
	if x.Kind == unstable.Table {
		t, err := r.into(at, last, implicit)
		if err != nil {
			return nil, err
		}
		t.form, t.line = table, line
		return t, nil
	}
	list, _ := at.find(last.name)
	if list == nil {
		list = &node{kind: Array, form: tables, name: last.name}
		at.kids = append(at.kids, list)
	}
	if list.form != tables {
		return nil, fail(Syntax, r.name, r.text, line.start, "no TOML: "+strconv.Quote(last.name)+" is no list of tables", "")
	}
	t := &node{kind: Object, form: table, line: line}
	list.kids = append(list.kids, t)
	return t, nil
}

// tomlKey is one part of a dotted key.
type tomlKey struct {
	name string
	span
}

func (r *tomlReader) keys(x *unstable.Node) []tomlKey {
	var keys []tomlKey
	for it := x.Key(); it.Next(); {
		keys = append(keys, tomlKey{string(it.Node().Data), r.span(it.Node().Raw)})
	}
	return keys
}

func (r *tomlReader) span(raw unstable.Range) span {
	start := int(raw.Offset) + r.skew
	return span{start, start + int(raw.Length)}
}

// header widens the span of a header's key to its brackets.
func (r *tomlReader) header(start, end int, list bool) span {
	start = bytes.LastIndexByte(r.text[:start], '[')
	end += bytes.IndexByte(r.text[end:], ']') + 1
	if list {
		start, end = start-1, end+1
	}
	return span{start, end}
}

// into steps into a table, of a list into its last one, and makes what is not there.
func (r *tomlReader) into(at *node, k tomlKey, f form) (*node, error) {
	next, _ := at.find(k.name)
	if next == nil {
		next = &node{kind: Object, form: f, name: k.name}
		at.kids = append(at.kids, next)
	}
	if next.form == tables {
		next = next.kids[len(next.kids)-1]
	}
	if next.kind != Object || next.form == inline {
		return nil, fail(Syntax, r.name, r.text, k.start, "no TOML: "+strconv.Quote(k.name)+" is no table", "")
	}
	return next, nil
}

// keyValue takes key = value into a table. Outside of brackets, line is the whole expression.
func (r *tomlReader) keyValue(x *unstable.Node, keys []tomlKey, line span, at *node) error {
	last, f := keys[len(keys)-1], dotted
	if at.form == inline {
		f = buried
	}
	for _, k := range keys[:len(keys)-1] {
		next, err := r.into(at, k, f)
		if err != nil {
			return err
		}
		at = next
	}
	start := last.end
	for start < len(r.text) && (r.text[start] == ' ' || r.text[start] == '\t' || r.text[start] == '=') {
		start++
	}
	kid, err := r.value(x.Value(), start)
	if err != nil {
		return err
	}
	kid.name, kid.key, kid.line = last.name, span{keys[0].start, last.end}, line
	at.kids = append(at.kids, kid)
	return nil
}

// value reads the value that begins at an offset.
func (r *tomlReader) value(x *unstable.Node, start int) (*node, error) {
	if r.deep++; r.deep > MaxDepth {
		return nil, fail(TooBig, r.name, r.text, start, "nested deeper than "+strconv.Itoa(MaxDepth)+" levels", "no agent reads such a file")
	}
	defer func() { r.deep-- }()
	n := &node{span: span{start, start}}
	switch x.Kind {
	case unstable.Array, unstable.InlineTable:
		return n, r.list(x, n)
	case unstable.String:
		n.kind, n.str = String, string(x.Data)
	case unstable.Bool:
		n.kind = Bool
	case unstable.Integer, unstable.Float:
		n.kind = Number
	default:
		n.kind = Moment
	}
	n.end = r.span(x.Raw).end
	if n.kind != String {
		n.str = string(r.text[n.start:n.end])
	}
	return n, nil
}

// list reads what stands between brackets. The parser tells no places for brackets and commas; all that can stand
// between two items is white space, comments and one comma.
func (r *tomlReader) list(x *unstable.Node, n *node) error {
	n.kind = Array
	if x.Kind == unstable.InlineTable {
		n.kind = Object
	}
	at := n.start + 1
	for it := x.Children(); it.Next(); {
		at = r.skip(at)
		item := span{start: at}
		if c := it.Node(); c.Kind == unstable.KeyValue {
			if err := r.keyValue(c, r.keys(c), span{}, n); err != nil {
				return err
			}
			item.end = r.span(c.Raw).end
		} else {
			kid, err := r.value(c, at)
			if err != nil {
				return err
			}
			n.kids = append(n.kids, kid)
			item.end = kid.end
		}
		n.items = append(n.items, item)
		if at = r.skip(item.end); at < len(r.text) && r.text[at] == ',' {
			n.ends = append(n.ends, at)
			at++
		}
	}
	n.end = r.skip(at) + 1
	if n.end > len(r.text) {
		return fail(Syntax, r.name, r.text, n.start, "no TOML: a bracket that does not close", "")
	}
	return nil
}

func (r *tomlReader) skip(at int) int {
	for at < len(r.text) {
		if isSpace(r.text[at]) {
			at++
		} else if end, _ := commentEnd(r.text, at, TOML); end >= 0 {
			at = end
		} else {
			return at
		}
	}
	return at
}
