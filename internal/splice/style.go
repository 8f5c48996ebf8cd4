package splice

import (
	"bytes"
	"strings"
)

// style is how a file is laid out around a place.
type style struct {
	toml  bool
	lines bool      // one item a line; else everything on one
	eol   string    // the line break
	unit  string    // one level of indentation
	colon string    // between key and value, blanks included
	gap   string    // after a comma on the same line
	pads  [2]string // inside the brackets on one line: of lists, of objects
}

func padOf(k Kind) int {
	if k == Object {
		return 1
	}
	return 0
}

// pad returns what stands inside the brackets of a list or an object on one line.
func (s *style) pad(k Kind) string { return s.pads[padOf(k)] }

// styleAt reads the style from the neighbours of a value: what stands last before it counts, else what comes first
// behind it, else what most programs write.
func (d *Doc) styleAt(n *node) *style {
	s := &style{toml: d.format&TOML != 0, eol: breakNear(d.text, n.start), unit: "  ", colon: ": ", gap: " "}
	if s.toml {
		s.colon, s.pads[1] = " = ", " "
	} else {
		s.lines = d.root == nil || len(d.root.items) == 0 || d.broken(d.root.span)
	}
	var unit, colon, gap bool
	var pads [2]bool
	see := func(seen *bool, at int) bool {
		take := !*seen || at <= n.start
		*seen = true
		return take
	}
	if d.root == nil {
		return s
	}
	d.root.each(func(m *node) {
		if m.key.end > 0 {
			if text := string(d.text[m.key.end:max(m.start, m.key.end)]); plainColon(text) && see(&colon, m.start) {
				s.colon = text
			}
		}
		if m.form != inline || len(m.items) == 0 {
			return
		}
		first := m.items[0]
		if startsLine(d.text, first.start) {
			base, own := indentOf(d.text, m.start), indentOf(d.text, first.start)
			if strings.HasPrefix(own, base) && see(&unit, m.start) {
				s.unit = own[len(base):]
			}
			return
		}
		if text := d.text[m.start+1 : first.start]; blanks(text) && see(&pads[padOf(m.kind)], m.start) {
			s.pads[padOf(m.kind)] = string(text)
		}
		if len(m.items) > 1 {
			if text := d.text[m.ends[0]+1 : m.items[1].start]; blanks(text) && see(&gap, m.start) {
				s.gap = string(text)
			}
		}
	})
	if !gap && !s.toml && !s.lines && !strings.HasSuffix(s.colon, " ") {
		s.gap = ""
	}
	return s
}

// broken reports whether a stretch of text has a line break.
func (d *Doc) broken(s span) bool { return bytes.IndexByte(d.text[s.start:s.end], '\n') >= 0 }

func blanks(b []byte) bool { return len(bytes.Trim(b, " \t")) == 0 }

// plainColon reports whether a text is a colon or an equals sign among blanks.
func plainColon(s string) bool {
	t := strings.Trim(s, " \t")
	return t == ":" || t == "="
}

// member writes a key and its value.
func (s *style) member(key string, v Value, indent string, lines bool) string {
	return string(s.value(append(s.quoteKey(key), s.colon...), v, indent, lines))
}

func (s *style) quoteKey(key string) []byte {
	if s.toml && plainKey(key) {
		return []byte(key)
	}
	return s.quote(nil, key)
}

func (s *style) quote(dst []byte, text string) []byte {
	if !s.toml {
		return appendQuoted(dst, text)
	}
	// TOML's strings are JSON's, but that DEL must be escaped.
	return append(dst, strings.ReplaceAll(string(appendQuoted(nil, text)), "\x7f", `\u007f`)...)
}

// value appends a value: scalars as they were given, lists and objects laid out anew. The indentation is that of the
// line on which the value begins.
func (s *style) value(dst []byte, v Value, indent string, lines bool) []byte {
	switch v.Kind() {
	case Array, Object:
	case String:
		if s.toml {
			return s.quote(dst, v.Str())
		}
		return append(dst, v.Text()...)
	default:
		return append(dst, v.Text()...)
	}
	open, closing := byte('['), byte(']')
	if v.Kind() == Object {
		open, closing = '{', '}'
	}
	dst = append(dst, open)
	for i, kid := range v.n.kids {
		switch {
		case lines:
			dst = append(dst, s.eol+indent+s.unit...)
		case i == 0:
			dst = append(dst, s.pad(v.Kind())...)
		default:
			dst = append(dst, s.gap...)
		}
		if v.Kind() == Object {
			dst = append(append(dst, s.quoteKey(kid.name)...), s.colon...)
		}
		dst = s.value(dst, Value{v.text, kid}, indent+s.unit, lines)
		if i < v.Len()-1 {
			dst = append(dst, ',')
		}
	}
	switch {
	case v.Len() == 0:
	case lines:
		dst = append(dst, s.eol+indent...)
	default:
		dst = append(dst, s.pad(v.Kind())...)
	}
	return append(dst, closing)
}

// wrap writes a value below keys: {"a":{"b":value}}.
func wrap(keys []string, value []byte) []byte {
	var head, tail []byte
	for _, k := range keys {
		head = append(appendQuoted(append(head, '{'), k), ':')
		tail = append(tail, '}')
	}
	return append(append(head, value...), tail...)
}
