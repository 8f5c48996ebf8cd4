package wire

import "strconv"

// ObjectWriter writes a JSON object member by member, compact and in the order
// of the calls. The zero value is an empty object. Keys are not checked for
// duplicates.
type ObjectWriter struct{ buf []byte }

func (o *ObjectWriter) key(key string) {
	if len(o.buf) == 0 {
		o.buf = append(o.buf, '{')
	} else {
		o.buf = append(o.buf, ',')
	}
	o.buf = AppendString(o.buf, key)
	o.buf = append(o.buf, ':')
}

// Raw adds a member whose value is JSON text, verbatim; the caller vouches that
// it is one valid value. Nothing is added if raw is empty, so an Absent value
// stays absent.
func (o *ObjectWriter) Raw(key string, raw []byte) {
	if len(raw) == 0 {
		return
	}
	o.key(key)
	o.buf = append(o.buf, raw...)
}

// Str adds a string.
func (o *ObjectWriter) Str(key, s string) {
	o.key(key)
	o.buf = AppendString(o.buf, s)
}

// StrIf adds a string unless it is empty.
func (o *ObjectWriter) StrIf(key, s string) {
	if s != "" {
		o.Str(key, s)
	}
}

// Strs adds an array of strings.
func (o *ObjectWriter) Strs(key string, list []string) {
	o.key(key)
	o.buf = append(o.buf, '[')
	for i, s := range list {
		if i > 0 {
			o.buf = append(o.buf, ',')
		}
		o.buf = AppendString(o.buf, s)
	}
	o.buf = append(o.buf, ']')
}

// Bool adds true or false.
func (o *ObjectWriter) Bool(key string, b bool) {
	o.key(key)
	o.buf = strconv.AppendBool(o.buf, b)
}

// Int adds a whole number.
func (o *ObjectWriter) Int(key string, n int64) {
	o.key(key)
	o.buf = strconv.AppendInt(o.buf, n, 10)
}

// Empty tells whether nothing was added yet.
func (o *ObjectWriter) Empty() bool { return len(o.buf) == 0 }

// Bytes returns the object's text, "{}" if it is empty. It may be called more
// than once; the bytes are valid until the next member is added.
func (o *ObjectWriter) Bytes() []byte {
	if len(o.buf) == 0 {
		return []byte("{}")
	}
	out := append(o.buf, '}')
	o.buf = out[:len(out)-1]
	return out[:len(out):len(out)]
}

// Value returns the object as a Value. It does not check: what Raw was given and
// keys that were added twice are the caller's to answer for.
func (o *ObjectWriter) Value() Value {
	return Value{append([]byte(nil), o.Bytes()...)}
}
