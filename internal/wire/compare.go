package wire

import (
	"bytes"
	"math"
	"strconv"
)

// Equal tells whether a and b mean the same: the order of keys does not count,
// strings are compared decoded (escapes of lone surrogates as they are), numbers
// by their exact value, so 1, 1.0 and 10e-1 are equal and
// 12345678901234567890 and ...891 are not. Absent equals only Absent.
func Equal(a, b Value) bool {
	if bytes.Equal(a.raw, b.raw) {
		return true
	}
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case Number:
		return parseDecimal(a.raw).equal(parseDecimal(b.raw))
	case String:
		return equalString(a.raw, b.raw)
	case Array:
		return equalArrays(a, b)
	case Object:
		return equalObjects(a, b)
	}
	return false // true and false; null and absent have one text only
}

func equalString(a, b []byte) bool {
	return string(exact(a[1:len(a)-1])) == string(exact(b[1:len(b)-1]))
}

// exact decodes a string without losing which lone surrogate it holds.
func exact(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return unescape(nil, raw, keepSurrogates)
}

func equalArrays(a, b Value) bool {
	x, y := elemsOf(a), elemsOf(b)
	for x.next() {
		if !y.next() || !Equal(x.value(), y.value()) {
			return false
		}
	}
	return !y.next()
}

// equalObjects walks both in step while the keys are in the same order, and
// looks the rest up.
func equalObjects(a, b Value) bool {
	x, y := membersOf(a), membersOf(b)
	for x.next() {
		if !y.next() {
			return false
		}
		if string(exact(x.key())) != string(exact(y.key())) {
			return equalUnordered(x, y)
		}
		if !Equal(x.value(), y.value()) {
			return false
		}
	}
	return !y.next()
}

// equalUnordered compares the members from the current one of each on.
func equalUnordered(x, y cursor) bool {
	rest := map[string]Value{}
	for more := true; more; more = y.next() {
		rest[string(exact(y.key()))] = y.value()
	}
	n := 0
	for more := true; more; more = x.next() {
		v, ok := rest[string(exact(x.key()))]
		if !ok || !Equal(x.value(), v) {
			return false
		}
		n++
	}
	return n == len(rest)
}

// decimal is a number in normal form: digits without zeros at either end, times
// ten to the power of exp. No digits is zero.
type decimal struct {
	negative bool
	digits   []byte
	exp      int64
	wild     bool // the exponent does not fit
	raw      []byte
}

func parseDecimal(raw []byte) decimal {
	d := decimal{raw: raw}
	num := raw
	if num[0] == '-' {
		d.negative = true
		num = num[1:]
	}
	if i := bytes.IndexAny(num, "eE"); i >= 0 {
		var err error
		d.exp, err = strconv.ParseInt(string(num[i+1:]), 10, 64)
		d.wild = err != nil || d.exp > math.MaxInt64/2 || d.exp < math.MinInt64/2
		num = num[:i]
	}
	whole, frac, _ := bytes.Cut(num, []byte{'.'})
	d.digits = append(append(make([]byte, 0, len(num)), whole...), frac...)
	d.digits = bytes.TrimLeft(d.digits, "0")
	trimmed := bytes.TrimRight(d.digits, "0")
	d.exp += int64(len(d.digits)-len(trimmed)) - int64(len(frac))
	d.digits = trimmed
	if len(trimmed) == 0 {
		return decimal{raw: raw}
	}
	return d
}

func (d decimal) equal(e decimal) bool {
	if d.wild || e.wild {
		return bytes.Equal(d.raw, e.raw)
	}
	return d.negative == e.negative && d.exp == e.exp && bytes.Equal(d.digits, e.digits)
}

// int64 returns the number if it is whole and fits.
func (d decimal) int64() (int64, bool) {
	if len(d.digits) == 0 {
		return 0, true
	}
	const most = 19 // digits of an int64
	if d.wild || d.exp < 0 || d.exp > most || len(d.digits) > most {
		return 0, false
	}
	text := make([]byte, 0, 2*most+1)
	if d.negative {
		text = append(text, '-')
	}
	text = append(text, d.digits...)
	for range d.exp {
		text = append(text, '0')
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}
