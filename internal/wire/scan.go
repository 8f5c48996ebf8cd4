package wire

import (
	"strconv"
	"unicode/utf8"
)

// state is what the scanner expects next, or what it is inside of.
type state uint8

const (
	beforeValue    state = iota // blanks (and byte order marks) before the document
	wantValue                   // after ':' and after ',' in an array
	wantValueOrEnd              // after '['
	wantKey                     // after ',' in an object
	wantKeyOrEnd                // after '{'
	wantColon
	afterValue
	complete
	inString
	inEscape
	inHex
	inWord
	numMinus // the states of a number come last, see step
	numZero
	numInt
	numDot
	numFrac
	numE
	numSign
	numExp
)

// frame is one open array or object.
type frame struct {
	object bool
	keys   keySet
}

// scanner checks one JSON document in one pass. It keeps its place in fields, so
// that the text may arrive in pieces, and its own stack, so that deep input
// cannot grow the goroutine's.
type scanner struct {
	text     []byte // everything so far; whole runes of valid UTF-8
	pos      int    // the next byte to look at
	start    int    // where the value begins
	end      int    // behind its last byte, once state is complete
	state    state
	stream   bool // Read's rules: an object, byte order marks before it
	boms     int
	maxDepth int
	stack    []frame
	keys     keys

	str    int    // first byte inside the current string
	isKey  bool   // the current string is a key
	escape bool   // the current string has an escape
	hex    int    // digits of \uXXXX still to come
	word   string // rest of true, false or null
}

// newScanner has room for what a payload usually needs.
func newScanner(depth int) scanner {
	return scanner{
		maxDepth: depth,
		stack:    make([]frame, 0, 8),
		keys:     keys{refs: make([]keyRef, 0, 32)},
	}
}

// scan goes on as far as text reaches. Text must begin with what earlier calls
// were given.
func (s *scanner) scan(text []byte) *Error {
	s.text = text
	for s.pos < len(text) && s.state != complete {
		if err := s.step(text[s.pos]); err != nil {
			return err
		}
	}
	return nil
}

func (s *scanner) step(c byte) *Error {
	switch {
	case s.state == inString:
		return s.inside()
	case s.state >= numMinus:
		return s.number(c)
	case s.state == inEscape:
		return s.escaped(c)
	case s.state == inHex:
		return s.hexDigit(c)
	case s.state == inWord:
		return s.letter(c)
	case isBlank(c):
		s.pos++
		return nil
	}
	return s.token(c)
}

func (s *scanner) token(c byte) *Error {
	switch s.state {
	case beforeValue:
		return s.first(c)
	case wantValueOrEnd:
		if c == ']' {
			return s.close()
		}
		return s.value(c)
	case wantValue:
		return s.value(c)
	case wantKeyOrEnd:
		if c == '}' {
			return s.close()
		}
		return s.key(c)
	case wantKey:
		return s.key(c)
	case wantColon:
		if c != ':' {
			return s.unexpected("a colon is missing after the key")
		}
		s.pos++
		s.state = wantValue
		return nil
	}
	return s.next(c)
}

// first begins the document.
func (s *scanner) first(c byte) *Error {
	if s.stream && c == bom[0] {
		return s.skipBOM()
	}
	s.start = s.pos
	if s.stream && c != '{' {
		return s.unexpected("the input is not a JSON object")
	}
	return s.value(c)
}

func (s *scanner) skipBOM() *Error {
	rest := s.text[s.pos:]
	if len(rest) < len(bom) { // cut by the size limit: TooBig follows
		s.pos = len(s.text)
		return nil
	}
	if string(rest[:len(bom)]) != bom {
		return s.unexpected("the input is not a JSON object")
	}
	s.boms++
	s.pos += len(bom)
	return nil
}

func (s *scanner) value(c byte) *Error {
	switch {
	case c == '{' || c == '[':
		return s.open(c)
	case c == '"':
		s.beginString(false)
	case c == '-':
		s.pos++
		s.state = numMinus
	case c == '0':
		s.pos++
		s.state = numZero
	case '1' <= c && c <= '9':
		s.pos++
		s.state = numInt
	case c == 't':
		s.beginWord("rue")
	case c == 'f':
		s.beginWord("alse")
	case c == 'n':
		s.beginWord("ull")
	default:
		return s.unexpected("a value is missing")
	}
	return nil
}

func (s *scanner) key(c byte) *Error {
	if c != '"' {
		return s.unexpected("a key in quotes is missing")
	}
	s.beginString(true)
	return nil
}

// next stands between two members or elements.
func (s *scanner) next(c byte) *Error {
	object := s.stack[len(s.stack)-1].object
	switch {
	case c == ',' && object:
		s.state = wantKey
	case c == ',':
		s.state = wantValue
	case c == '}' && object, c == ']' && !object:
		return s.close()
	case object:
		return s.unexpected("a comma or } is missing")
	default:
		return s.unexpected("a comma or ] is missing")
	}
	s.pos++
	return nil
}

// open refuses the level that would be too deep before it is entered.
func (s *scanner) open(c byte) *Error {
	if len(s.stack) >= s.maxDepth {
		return s.fail(TooDeep, s.pos, "more than "+strconv.Itoa(s.maxDepth)+" arrays and objects inside each other")
	}
	s.stack = append(s.stack, frame{object: c == '{', keys: s.keys.open()})
	s.pos++
	s.state = wantValueOrEnd
	if c == '{' {
		s.state = wantKeyOrEnd
	}
	return nil
}

func (s *scanner) close() *Error {
	top := len(s.stack) - 1
	if s.stack[top].object {
		s.keys.close(s.stack[top].keys)
	}
	s.stack[top] = frame{}
	s.stack = s.stack[:top]
	s.pos++
	s.endValue()
	return nil
}

func (s *scanner) endValue() {
	if len(s.stack) > 0 {
		s.state = afterValue
		return
	}
	s.state = complete
	s.end = s.pos
}

func (s *scanner) beginString(isKey bool) {
	s.pos++
	s.str, s.isKey, s.escape = s.pos, isKey, false
	s.state = inString
}

// inside passes over plain characters, the bulk of any payload.
func (s *scanner) inside() *Error {
	text, i := s.text, s.pos
	for i < len(text) && text[i] >= ' ' && text[i] != '"' && text[i] != '\\' {
		i++
	}
	s.pos = i
	switch {
	case i == len(text):
		return nil
	case text[i] == '\\':
		s.pos++
		s.escape = true
		s.state = inEscape
		return nil
	case text[i] == '"':
		return s.endString()
	}
	return s.unexpected("a string must not hold a control character; it is written as an escape")
}

func (s *scanner) endString() *Error {
	ref := keyRef{start: uint32(s.str), end: uint32(s.pos), escaped: s.escape}
	s.pos++
	if !s.isKey {
		s.endValue()
		return nil
	}
	s.state = wantColon
	if s.keys.add(s.text, &s.stack[len(s.stack)-1].keys, ref) {
		return nil
	}
	key := decodeString(s.text[ref.start:ref.end])
	err := s.fail(Duplicate, s.str-1, "the key "+strconv.Quote(clip(key))+" appears twice in one object")
	err.Key = key
	return err
}

func (s *scanner) escaped(c byte) *Error {
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.state = inString
	case 'u':
		s.state, s.hex = inHex, 4
	default:
		return s.unexpected("an unknown escape in a string")
	}
	s.pos++
	return nil
}

func (s *scanner) hexDigit(c byte) *Error {
	if hexValue(c) < 0 {
		return s.unexpected("\\u wants four hexadecimal digits")
	}
	s.pos++
	s.hex--
	if s.hex == 0 {
		s.state = inString
	}
	return nil
}

func (s *scanner) beginWord(rest string) {
	s.pos++
	s.word = rest
	s.state = inWord
}

func (s *scanner) letter(c byte) *Error {
	if c != s.word[0] {
		return s.unexpected("not one of true, false and null")
	}
	s.pos++
	s.word = s.word[1:]
	if s.word == "" {
		s.endValue()
	}
	return nil
}

// number follows the grammar of RFC 8259, section 6.
func (s *scanner) number(c byte) *Error {
	digit := '0' <= c && c <= '9'
	switch s.state {
	case numMinus:
		if c == '0' {
			return s.shift(numZero)
		}
		if digit {
			return s.shift(numInt)
		}
	case numInt:
		if digit {
			return s.shift(numInt)
		}
		return s.afterInt(c)
	case numZero:
		if digit {
			return s.unexpected("a number must not begin with 0")
		}
		return s.afterInt(c)
	case numDot:
		if digit {
			return s.shift(numFrac)
		}
	case numFrac:
		if digit {
			return s.shift(numFrac)
		}
		return s.afterFrac(c)
	case numE:
		if c == '+' || c == '-' {
			return s.shift(numSign)
		}
		if digit {
			return s.shift(numExp)
		}
	case numSign:
		if digit {
			return s.shift(numExp)
		}
	default: // numExp
		if digit {
			return s.shift(numExp)
		}
		s.endValue()
		return nil
	}
	return s.unexpected("a digit is missing in a number")
}

func (s *scanner) afterInt(c byte) *Error {
	if c == '.' {
		return s.shift(numDot)
	}
	return s.afterFrac(c)
}

func (s *scanner) afterFrac(c byte) *Error {
	if c == 'e' || c == 'E' {
		return s.shift(numE)
	}
	s.endValue()
	return nil
}

func (s *scanner) shift(to state) *Error {
	s.pos++
	s.state = to
	return nil
}

// finish is told that no more text comes.
func (s *scanner) finish() *Error {
	switch s.state {
	case complete:
		return nil
	case beforeValue:
		return s.fail(Empty, s.pos, "there is no JSON in the input")
	case numZero, numInt, numFrac, numExp:
		s.endValue() // only the end of a top-level number is told by the end of input
		if s.state == complete {
			return nil
		}
	}
	return s.fail(Truncated, s.pos, "the input ends inside "+s.place())
}

func (s *scanner) place() string {
	switch s.state {
	case inString, inEscape, inHex:
		return "a string"
	case inWord:
		return "true, false or null"
	case afterValue, wantKey, wantKeyOrEnd, wantColon, wantValueOrEnd, wantValue:
		if s.stack[len(s.stack)-1].object {
			return "an object"
		}
		return "an array"
	}
	return "a number"
}

// unexpected is the error for the character at pos.
func (s *scanner) unexpected(msg string) *Error {
	r, n := utf8.DecodeRune(s.text[s.pos:])
	switch {
	case s.state == inString || s.state == inEscape || s.state == inHex:
		// text was expected: the message about the string says it all
	case r == utf8.RuneError:
		return s.fail(Encoding, s.pos, "bytes that are neither UTF-8 nor UTF-16 text")
	case r == 0:
		return s.fail(Encoding, s.pos, "a NUL: this is binary data or UTF-32")
	}
	return s.fail(Syntax, s.pos, msg+" (found "+strconv.Quote(string(s.text[s.pos:s.pos+n]))+")")
}

func (s *scanner) fail(k ErrKind, at int, msg string) *Error {
	return &Error{Kind: k, Offset: int64(at), Msg: msg}
}

// clip keeps a message short when a key is not.
func clip(s string) string {
	if len(s) <= 80 {
		return s
	}
	n := 80
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }
