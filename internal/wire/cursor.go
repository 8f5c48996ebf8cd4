package wire

import "bytes"

// cursor walks the members of an object or the elements of an array. Its text
// is valid, so it only has to find where things end.
type cursor struct {
	raw    []byte
	object bool
	at     int // where the next member or element is looked for; 0 = at its end
	k0, k1 int // the current key with its quotes
	v0, v1 int // the current value
}

func membersOf(v Value) cursor {
	if v.Kind() != Object {
		return cursor{}
	}
	return cursor{raw: v.raw, object: true, at: 1}
}

func elemsOf(v Value) cursor {
	if v.Kind() != Array {
		return cursor{}
	}
	return cursor{raw: v.raw, at: 1}
}

// next moves on and reports whether there was something to move to.
func (c *cursor) next() bool {
	if c.at == 0 {
		return false
	}
	i := skipBlanks(c.raw, c.at)
	if c.raw[i] == ',' {
		i = skipBlanks(c.raw, i+1)
	}
	if c.raw[i] == '}' || c.raw[i] == ']' {
		c.at = 0
		return false
	}
	if c.object {
		c.k0, c.k1 = i, skipString(c.raw, i)
		i = skipBlanks(c.raw, c.k1)       // to the colon
		i = skipBlanks(c.raw, i+len(":")) // to the value
	}
	c.v0, c.v1 = i, skipValue(c.raw, i)
	c.at = c.v1
	return true
}

// key returns the current key as it is written, without quotes.
func (c *cursor) key() []byte { return c.raw[c.k0+1 : c.k1-1] }

func (c *cursor) value() Value { return Value{c.raw[c.v0:c.v1:c.v1]} }

// is compares the decoded key.
func (c *cursor) is(key string) bool {
	raw := c.key()
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw) == key
	}
	return decodeString(raw) == key
}

func skipBlanks(b []byte, i int) int {
	for i < len(b) && isBlank(b[i]) {
		i++
	}
	return i
}

// skipString returns the place behind the string that begins at i.
func skipString(b []byte, i int) int {
	first := i + 1
	for j := first; ; {
		n := bytes.IndexByte(b[j:], '"')
		if n < 0 {
			return len(b)
		}
		j += n
		slashes := 0
		for k := j - 1; k >= first && b[k] == '\\'; k-- {
			slashes++
		}
		j++
		if slashes%2 == 0 {
			return j
		}
	}
}

// skipValue returns the place behind the value that begins at i. It counts
// brackets instead of calling itself.
func skipValue(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = skipString(b, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\n', '\r', '\t':
			i++
			continue
		default:
			i = skipScalar(b, i)
		}
		if depth == 0 {
			return i
		}
	}
	return len(b)
}

// skipScalar returns the place behind a number, true, false or null.
func skipScalar(b []byte, i int) int {
	for i < len(b) {
		switch b[i] {
		case ',', '}', ']', ' ', '\n', '\r', '\t':
			return i
		}
		i++
	}
	return i
}
