package wire

import "bytes"

// With returns the object with this key set to raw, which must be one valid JSON
// value (blanks around it are dropped). All bytes outside the member stay: an
// existing member keeps its place and key, a new one goes last, separated as the
// members before it are. If v is not an object or raw is not valid, the result is
// Absent: a broken rewrite must not look like one that worked.
func (v Value) With(key string, raw []byte) Value {
	val, err := parse(raw, maxDepth)
	if v.Kind() != Object || err != nil {
		return Value{}
	}
	c := membersOf(v)
	for c.next() {
		if c.is(key) {
			return v.splice(c.v0, c.v1, val.raw)
		}
	}
	if c.v1 == 0 { // no member
		return v.splice(1, 1, appendMember(nil, key, nil, nil, val.raw))
	}
	comma, beforeColon, afterColon := style(v)
	return v.splice(c.v1, c.v1, appendMember(comma, key, beforeColon, afterColon, val.raw))
}

// Without returns the object without this key, and with one comma less; all
// other bytes stay. An object that loses its only member becomes {}. Anything
// but an object is returned as it is.
func (v Value) Without(key string) Value {
	end := 1 // behind the member before
	c := membersOf(v)
	for c.next() {
		if !c.is(key) {
			end = c.v1
			continue
		}
		from := c.k0
		removed := c.v1
		switch {
		case c.next():
			return v.splice(from, c.k0, nil)
		case end > 1:
			return v.splice(end, removed, nil)
		}
		return Value{[]byte("{}")}
	}
	return v
}

func (v Value) splice(from, to int, text []byte) Value {
	out := make([]byte, 0, len(v.raw)-(to-from)+len(text))
	out = append(out, v.raw[:from]...)
	out = append(out, text...)
	return Value{append(out, v.raw[to:]...)}
}

func appendMember(dst []byte, key string, beforeColon, afterColon, raw []byte) []byte {
	dst = AppendString(dst, key)
	dst = append(dst, beforeColon...)
	dst = append(dst, ':')
	dst = append(dst, afterColon...)
	return append(dst, raw...)
}

// style returns how a non-empty object separates its members (the comma with the
// blanks around it) and what it puts around colons, both as its last member has
// it. Of an only member we know no comma: it is followed by what stands before
// the member if that is a new line, else by what follows the colon, because
// those who write one blank there ({"a": 1}) write one after commas as well.
func style(v Value) (comma, beforeColon, afterColon []byte) {
	end, members := 1, 0
	var gap []byte
	c := membersOf(v)
	for c.next() {
		gap = v.raw[end:c.k0]
		end = c.v1
		members++
	}
	colon := c.k1 + bytes.IndexByte(v.raw[c.k1:], ':')
	beforeColon, afterColon = v.raw[c.k1:colon], v.raw[colon+1:c.v0]
	if members > 1 {
		return bytes.Clone(gap), beforeColon, afterColon
	}
	if bytes.IndexByte(gap, '\n') < 0 {
		gap = afterColon
	}
	return append([]byte{','}, gap...), beforeColon, afterColon
}
