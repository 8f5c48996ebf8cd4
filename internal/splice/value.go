package splice

import (
	"iter"
)

// Kind is what a value is.
type Kind uint8

// The kinds. Moment is TOML's dates and times.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Moment
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"nothing", "null", "true or false", "a number", "a string", "a date", "a list", "an object"}[k]
}

// form is how a value is written down.
type form uint8

const (
	inline   form = iota // between brackets, or a scalar: everything in JSON
	table                // TOML: below its own [header], and the root
	implicit             // TOML: a table that only headers of its children name
	dotted               // TOML: a table that only dotted keys name
	buried               // TOML: a table that only dotted keys inside of an inline table name
	tables               // TOML: a list written as [[headers]]
)

type span struct{ start, end int }

// node is a value with its place in the text.
type node struct {
	kind Kind
	form form
	span         // inline: the value's text
	name string  // of a member: its key, decoded
	key  span    // of an inline member: its key's text
	line span    // TOML: the expression that makes it: a header, or key = value outside of brackets
	str  string  // String: the decoded text; other scalars: as written
	kids []*node // members or elements

	// Of inline lists and objects: the texts between the commas, and where the commas stand; the last may be without.
	items []span
	ends  []int
}

// trailing returns the offset of the comma behind the last item, or -1.
func (n *node) trailing() int {
	if len(n.items) > 0 && len(n.ends) == len(n.items) {
		return n.ends[len(n.ends)-1]
	}
	return -1
}

// itemOf returns which item of an inline list or object is the child alone, or -1: dotted keys of an inline table make
// children that have no item of their own.
func (n *node) itemOf(kid *node) int {
	for i, it := range n.items {
		if kid.form == inline && it.start == kid.place() && it.end == kid.end {
			return i
		}
	}
	return -1
}

// find returns the last member of that name, as JavaScript does with duplicates, and how many there are.
func (n *node) find(key string) (found *node, times int) {
	if n == nil || n.kind != Object {
		return nil, 0
	}
	for _, k := range n.kids {
		if k.name == key {
			found, times = k, times+1
		}
	}
	return found, times
}

// each visits a node and everything below it.
func (n *node) each(visit func(*node)) {
	visit(n)
	for _, k := range n.kids {
		k.each(visit)
	}
}

// Value is a value of a Doc as it was when it was taken; later edits do not change it. The zero Value is Absent.
type Value struct {
	text []byte
	n    *node
}

// Kind returns what the value is.
func (v Value) Kind() Kind {
	if v.n == nil {
		return Absent
	}
	return v.n.kind
}

// Text returns the value as it is written, or "" for a TOML table that is written under headers.
func (v Value) Text() string {
	if v.n == nil || v.n.form != inline {
		return ""
	}
	return string(v.text[v.n.start:v.n.end])
}

// Str returns the decoded text of a String, else "".
func (v Value) Str() string {
	if v.Kind() != String {
		return ""
	}
	return v.n.str
}

// Bool reports whether the value is true.
func (v Value) Bool() bool { return v.Kind() == Bool && v.Text() == "true" }

// Len returns how many members or elements there are.
func (v Value) Len() int {
	if v.n == nil {
		return 0
	}
	return len(v.n.kids)
}

// Get returns a member, the last one where the key stands twice; Absent if there is none or v is no object.
func (v Value) Get(key string) Value {
	found, _ := v.n.find(key)
	return Value{v.text, found}
}

// Elem returns an element of a list, or Absent.
func (v Value) Elem(i int) Value {
	if v.Kind() != Array || i < 0 || i >= len(v.n.kids) {
		return Value{}
	}
	return Value{v.text, v.n.kids[i]}
}

// Elems yields the elements of a list with their positions.
func (v Value) Elems() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		for i := range v.Len() {
			if v.n.kind != Array || !yield(i, Value{v.text, v.n.kids[i]}) {
				return
			}
		}
	}
}

// Members yields the members of an object in order, duplicates included.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for i := range v.Len() {
			if v.n.kind != Object || !yield(v.n.kids[i].name, Value{v.text, v.n.kids[i]}) {
				return
			}
		}
	}
}

// Line returns the line where the value (of a TOML table: its first header or key) begins, from 1; 0 if Absent.
func (v Value) Line() int {
	if v.n == nil {
		return 0
	}
	line, _ := position(v.text, v.n.place())
	return line
}

// place returns an offset that shows the value to a person.
func (n *node) place() int {
	switch {
	case n.key.end > n.key.start:
		return n.key.start
	case n.form == inline:
		return n.start
	case n.line.end > n.line.start:
		return n.line.start
	}
	for _, k := range n.kids {
		return k.place()
	}
	return n.start
}

// JSON returns the value as compact JSON with sorted keys and plain numbers: equal values have equal JSON. A moment is
// a string.
func (v Value) JSON() []byte {
	if v.n == nil {
		return nil
	}
	return v.n.canonical(nil)
}

// Equals reports whether the value is the same as a JSON text, whatever their layout, order of keys and spelling.
func (v Value) Equals(json []byte) bool {
	n, err := parseValue(json)
	return err == nil && v.n != nil && string(v.n.canonical(nil)) == string(n.canonical(nil))
}
