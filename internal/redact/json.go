package redact

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hookspan/hookspan/internal/wire"
)

// JSON returns a JSON document with its secrets masked; raw itself if there are none. What is no
// JSON is masked as a text.
func JSON(raw []byte) []byte {
	if _, err := wire.Parse(raw); err != nil {
		return []byte(Text(string(raw)))
	}
	j := document{in: raw}
	j.value(skipBlanks(raw, 0), harmless, "")
	if j.out == nil {
		return raw
	}
	return append(j.out, raw[j.done:]...)
}

// document is one walk over valid JSON. Its depth is bounded by wire.Parse.
type document struct {
	in   []byte
	out  []byte
	done int
	keys int // the number of the last masked key
}

func (j *document) replace(from, to int, with string) {
	j.out = append(j.out, j.in[j.done:from]...)
	j.out = wire.AppendString(j.out, with)
	j.done = to
}

// value masks in the value at i and returns its end. under is the sort of the nearest name above it
// that is a secret's, key the name of this value.
func (j *document) value(i int, under sort, key string) int {
	switch j.in[i] {
	case '{':
		return j.object(i, under)
	case '[':
		return j.array(i, under, key)
	case '"':
		end := stringEnd(j.in, i)
		j.str(i, end, under, key)
		return end
	}
	end := i
	for end < len(j.in) && strings.IndexByte(",]} \t\r\n", j.in[end]) < 0 {
		end++
	}
	if number := j.in[i] == '-' || isDigit(j.in[i]); number && under >= secret {
		j.replace(i, end, Mask)
	}
	return end
}

func (j *document) array(i int, under sort, key string) int {
	for i = skipBlanks(j.in, i+1); j.in[i] != ']'; i = skipBlanks(j.in, i) {
		if j.in[i] == ',' {
			i++
			continue
		}
		i = j.value(i, under, key)
	}
	return i + 1
}

func (j *document) object(i int, under sort) int {
	var named sort // {"name": "DB_PASSWORD", "value": ...}
	for i = skipBlanks(j.in, i+1); j.in[i] != '}'; i = skipBlanks(j.in, i) {
		if j.in[i] == ',' {
			i++
			continue
		}
		end := stringEnd(j.in, i)
		key := j.decoded(i, end)
		v := skipBlanks(j.in, skipBlanks(j.in, end)+1)
		as := max(under, sortOf(key))
		switch {
		case j.key(i, end, key):
			as = max(under, countable) // what it said is not known the next time
		case isNameKey(key) && j.in[v] == '"':
			named = sortOf(j.decoded(v, stringEnd(j.in, v)))
			as = under
		case strings.EqualFold(key, "value"):
			as = max(as, named)
		}
		i = j.value(v, as, key)
	}
	return i + 1
}

func isNameKey(key string) bool {
	return strings.EqualFold(key, "name") || strings.EqualFold(key, "key") || strings.EqualFold(key, "variable")
}

// key masks a key that is a secret itself, and reports whether it is masked, now or before. Its mask
// gets a number, since no two keys may be the same.
func (j *document) key(from, to int, key string) bool {
	if text(key, false) == key {
		return strings.HasPrefix(key, Mask+"#")
	}
	if j.keys == 0 {
		j.keys = highest(j.in)
	}
	j.keys++
	j.replace(from, to, Mask+"#"+strconv.Itoa(j.keys))
	return true
}

// highest returns the highest number that a mask in the document has.
func highest(raw []byte) (n int) {
	for {
		_, behind, found := bytes.Cut(raw, []byte(Mask+"#"))
		if !found {
			return n
		}
		number := 0
		for i := 0; i < len(behind) && i < 9 && isDigit(behind[i]); i++ {
			number = 10*number + int(behind[i]-'0')
		}
		n, raw = max(n, number), behind
	}
}

// str masks a string.
func (j *document) str(from, to int, under sort, key string) {
	s := j.decoded(from, to)
	masked := maskString(s, under, key)
	for range maxPasses { // what was a reference may be none with a mask in it
		again := maskString(masked, under, key)
		if again == masked {
			break
		}
		masked = again
	}
	if masked != s {
		j.replace(from, to, masked)
	}
}

func maskString(s string, under sort, key string) string {
	sure := under >= countable || under == loose && looksSecret(s)
	if sure && !isLiteral(s) && !isReference(s) && !(under == countable && isNumber(s)) {
		return Mask
	}
	return text(s, !isIDKey(key))
}

// isIDKey reports whether a name is one of ids and digests, which are random and no secrets.
func isIDKey(key string) bool {
	for _, w := range [...]string{"id", "uuid", "hash", "sha", "checksum", "digest", "integrity", "etag", "cursor", "signature"} {
		if lastWord(key, strings.ToLower(key), w) {
			return true
		}
	}
	return false
}

// decoded returns the string between two places.
func (j *document) decoded(from, to int) string {
	v, err := wire.Parse(j.in[from:to])
	if err != nil {
		return "" // it was parsed as a part of the document
	}
	return v.Str()
}

func stringEnd(b []byte, i int) int {
	for i++; b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func skipBlanks(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}
