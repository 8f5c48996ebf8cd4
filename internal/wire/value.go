package wire

import (
	"iter"
	"strconv"
	"unicode/utf8"
)

// Kind is the JSON type of a Value.
type Kind uint8

// The kinds of values. Absent is the zero Value: there is nothing there.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns "absent", "null", "bool", "number", "string", "array" or "object".
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "bool"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	}
	return "absent"
}

// Value is one JSON value, kept as its text. The zero Value is Absent. Values
// share memory with the document they come from; they are never changed, so they
// may be copied and used by several goroutines.
type Value struct{ raw []byte }

// Kind returns the JSON type.
func (v Value) Kind() Kind {
	if len(v.raw) == 0 {
		return Absent
	}
	switch v.raw[0] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// Raw returns the verbatim text of the value, nil if it is Absent. It is valid
// UTF-8 and valid JSON. It may hold escapes of lone surrogates (\ud800): they are
// legal JSON, agents written in JavaScript send them, and most parsers take
// them; AppendWellFormed writes the text for those which do not. The caller must
// not change the bytes.
func (v Value) Raw() []byte { return v.raw }

// Get returns the member with exactly this key; Absent if there is none or v is
// not an object.
func (v Value) Get(key string) Value {
	for c := membersOf(v); c.next(); {
		if c.is(key) {
			return c.value()
		}
	}
	return Value{}
}

// Has tells whether v is an object with this key (its value may be null).
func (v Value) Has(key string) bool { return v.Get(key).raw != nil }

// Path follows keys through nested objects: v.Path("a", "b") is v.Get("a").Get("b").
func (v Value) Path(keys ...string) Value {
	for _, k := range keys {
		v = v.Get(k)
	}
	return v
}

// Str returns the decoded string, "" if v is not a string.
func (v Value) Str() string {
	s, _ := v.StrOK()
	return s
}

// StrOK returns the decoded string and whether v is one. The string is valid
// UTF-8: an escape of a lone surrogate gives U+FFFD.
func (v Value) StrOK() (string, bool) {
	if v.Kind() != String {
		return "", false
	}
	return decodeString(v.raw[1 : len(v.raw)-1]), true
}

// Bool returns the truth value and whether v is one.
func (v Value) Bool() (b, ok bool) {
	if v.Kind() != Bool {
		return false, false
	}
	return v.raw[0] == 't', true
}

// Int returns the number and whether v is a whole number that fits, however it
// is written: 3, 3.0 and 3e0 are the same.
func (v Value) Int() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(v.raw), 10, 64); err == nil {
		return n, true
	}
	return parseDecimal(v.raw).int64()
}

// Float returns the nearest float64 and whether v is a number that fits
// (1E400 does not).
func (v Value) Float() (float64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v.raw), 64)
	return f, err == nil
}

// Len returns the number of members or elements, 0 for anything but an object
// or array.
func (v Value) Len() int {
	n := 0
	for c := membersOf(v); c.next(); {
		n++
	}
	for c := elemsOf(v); c.next(); {
		n++
	}
	return n
}

// Members yields the decoded keys and the values of an object in their order;
// nothing if v is not an object.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for c := membersOf(v); c.next(); {
			if !yield(decodeString(c.key()), c.value()) {
				return
			}
		}
	}
}

// Elems yields the elements of an array; nothing if v is not an array.
func (v Value) Elems() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for c := elemsOf(v); c.next(); {
			if !yield(c.value()) {
				return
			}
		}
	}
}

// parseDepth is the most arrays and objects inside each other that Parse takes:
// more than Read, because our own records wrap what Read has accepted.
const parseDepth = 2 * DefaultDepth

// maxBytes is the most that Parse and Limits.Bytes allow: offsets are 32 bits.
const maxBytes = 1<<31 - 1

// Parse reads b as exactly one JSON value of any kind, with nothing but blanks
// around it; one byte order mark at the very start is accepted (Claude Code does
// so in handlers' answers). Bytes inside strings that are not UTF-8 become
// U+FFFD, as in Claude Code. Nesting is limited to twice DefaultDepth. The Value shares
// b's memory, so the caller must not change b afterwards. The error is an *Error.
func Parse(b []byte) (Value, error) {
	if len(b) > maxBytes {
		return Value{}, &Error{Kind: TooBig, Offset: maxBytes, Msg: "more than " + strconv.Itoa(maxBytes) + " bytes"}
	}
	v, err := parse(b, parseDepth)
	if err != nil {
		return Value{}, err
	}
	return v, nil
}

func parse(b []byte, depth int) (Value, *Error) {
	if !utf8.Valid(b) {
		d := decoder{form: formUTF8}
		b = d.decode(make([]byte, 0, len(b)+16), b, true)
	}
	s := newScanner(depth)
	if len(b) >= len(bom) && string(b[:len(bom)]) == bom {
		s.pos = len(bom)
	}
	if err := s.scan(b); err != nil {
		return Value{}, err
	}
	if err := s.finish(); err != nil {
		return Value{}, err
	}
	for s.pos = s.end; s.pos < len(b); s.pos++ {
		if !isBlank(b[s.pos]) {
			return Value{}, s.unexpected("there is more text after the JSON value")
		}
	}
	return Value{b[s.start:s.end:s.end]}, nil
}
