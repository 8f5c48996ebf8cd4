package splice

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner reads JSON, with the additions that the format allows, into nodes. It keeps what a decoder loses: places,
// duplicates, the spelling of numbers and strings.
type scanner struct {
	name   string
	text   []byte
	format Format
	at     int
	depth  int
}

// parseJSON reads a document. A text without a value gives nil.
func parseJSON(name string, text []byte, f Format) (*node, error) {
	s := &scanner{name: name, text: text, format: f}
	if len(text) >= len(bom) && string(text[:len(bom)]) == bom {
		if f&BOM == 0 {
			return nil, fail(Syntax, name, text, 0, "a byte order mark, which the program that reads this file does not accept",
				"save the file as UTF-8 without BOM")
		}
		s.at = len(bom)
	}
	if err := s.skip(); err != nil {
		return nil, err
	}
	if s.at == len(text) {
		return nil, nil
	}
	root, err := s.value()
	if err != nil {
		return nil, err
	}
	if err := s.skip(); err != nil {
		return nil, err
	}
	if s.at < len(text) {
		return nil, s.fail("text after the end of the document", "delete it, or mend the brackets before it")
	}
	return root, nil
}

// parseValue reads one value of plain JSON, as callers give it.
func parseValue(text []byte) (*node, error) {
	n, err := parseJSON("the new value", text, JSON)
	if err == nil && n == nil {
		err = fail(Syntax, "the new value", text, 0, "there is none", "")
	}
	return n, err
}

func (s *scanner) fail(what, hint string) error {
	return fail(Syntax, s.name, s.text, s.at, what, hint)
}

// peek returns the byte at the place, 0 at the end. The text holds no NUL.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// skip steps over white space and comments.
func (s *scanner) skip() error {
	for s.at < len(s.text) {
		c := s.text[s.at]
		if isSpace(c) {
			s.at++
			continue
		}
		if c != '/' {
			return nil
		}
		if s.format&Comments == 0 {
			return s.fail("a comment, or a stray /", "the program that reads this file accepts plain JSON only")
		}
		end, _ := commentEnd(s.text, s.at, s.format)
		if end < 0 {
			return s.fail("a comment that does not end, or a stray /", "close it with */")
		}
		s.at = end
	}
	return nil
}

// commentEnd returns where the comment at an offset ends, or -1 if none stands there; line tells that it reaches to the
// end of its line.
func commentEnd(text []byte, at int, f Format) (end int, line bool) {
	rest := text[at:]
	switch {
	case f&TOML != 0 && len(rest) > 0 && rest[0] == '#', f&TOML == 0 && len(rest) > 1 && rest[0] == '/' && rest[1] == '/':
		for at < len(text) && text[at] != '\n' && text[at] != '\r' {
			at++
		}
		return at, true
	case f&TOML == 0 && len(rest) > 1 && rest[0] == '/' && rest[1] == '*':
		for at += 2; at+1 < len(text); at++ {
			if text[at] == '*' && text[at+1] == '/' {
				return at + 2, false
			}
		}
	}
	return -1, false
}

func (s *scanner) value() (*node, error) {
	start := s.at
	switch c := s.peek(); {
	case c == '{' || c == '[':
		return s.list(c)
	case c == '"':
		text, err := s.str()
		return &node{kind: String, str: text, span: span{start, s.at}}, err
	case c == '-' || '0' <= c && c <= '9':
		return s.number()
	case c == 0:
		return nil, s.fail("the file ends in the middle of the document", "it was cut off; restore it, or complete it by hand")
	}
	for i, word := range [...]string{"null", "true", "false"} {
		if s.word(word) {
			return &node{kind: [...]Kind{Null, Bool, Bool}[i], str: word, span: span{start, s.at}}, nil
		}
	}
	return nil, s.fail("no JSON value: "+s.sight(), valueHint(s.peek()))
}

func valueHint(c byte) string {
	if c == '\'' {
		return "strings stand in double quotes"
	}
	return "correct it by hand"
}

// sight quotes what stands at the place, for a message.
func (s *scanner) sight() string {
	end := s.at
	for end < len(s.text) && end < s.at+20 && !isSpace(s.text[end]) && s.text[end] != ',' {
		_, n := utf8.DecodeRune(s.text[end:])
		end += n
	}
	return strconv.Quote(string(s.text[s.at:max(end, min(s.at+1, len(s.text)))]))
}

// word steps over a word that no letter or digit follows.
func (s *scanner) word(w string) bool {
	end := s.at + len(w)
	if end > len(s.text) || string(s.text[s.at:end]) != w || end < len(s.text) && wordByte(s.text[end]) {
		return false
	}
	s.at = end
	return true
}

func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '.' || c == '+' || c == '-' || c >= utf8.RuneSelf
}

func (s *scanner) number() (*node, error) {
	start := s.at
	digits := func() bool {
		from := s.at
		for '0' <= s.peek() && s.peek() <= '9' {
			s.at++
		}
		return s.at > from
	}
	if s.peek() == '-' {
		s.at++
	}
	ok := s.peek() == '0'
	if ok {
		s.at++
	} else {
		ok = digits()
	}
	if ok && s.peek() == '.' {
		s.at++
		ok = digits()
	}
	if ok && (s.peek() == 'e' || s.peek() == 'E') {
		s.at++
		if s.peek() == '+' || s.peek() == '-' {
			s.at++
		}
		ok = digits()
	}
	if !ok || s.at < len(s.text) && wordByte(s.text[s.at]) {
		s.at = start
		return nil, s.fail("no JSON number: "+s.sight(), "correct it by hand")
	}
	return &node{kind: Number, str: string(s.text[start:s.at]), span: span{start, s.at}}, nil
}

// list reads an object or an array.
func (s *scanner) list(open byte) (*node, error) {
	if s.depth++; s.depth > MaxDepth {
		return nil, fail(TooBig, s.name, s.text, s.at, "nested deeper than "+strconv.Itoa(MaxDepth)+" levels", "no agent reads such a file")
	}
	defer func() { s.depth-- }()
	n := &node{kind: Array, span: span{start: s.at}}
	closing := byte(']')
	if open == '{' {
		n.kind, closing = Object, '}'
	}
	s.at++
	if err := s.skip(); err != nil {
		return nil, err
	}
	for s.peek() != closing {
		if err := s.item(n, closing); err != nil {
			return nil, err
		}
	}
	s.at++
	n.end = s.at
	return n, nil
}

// item reads a member or an element, and the comma behind it.
func (s *scanner) item(n *node, closing byte) error {
	start := s.at
	var name string
	var key span
	if n.kind == Object {
		var err error
		if name, key, err = s.key(); err != nil {
			return err
		}
	}
	kid, err := s.value()
	if err != nil {
		return err
	}
	kid.name, kid.key = name, key
	n.kids = append(n.kids, kid)
	n.items = append(n.items, span{start, kid.end})
	if err := s.skip(); err != nil {
		return err
	}
	if s.peek() == closing {
		return nil
	}
	if s.peek() != ',' {
		return s.missing(closing)
	}
	comma := s.at
	n.ends = append(n.ends, comma)
	s.at++
	if err := s.skip(); err != nil {
		return err
	}
	if s.peek() == closing && s.format&TrailingCommas == 0 {
		s.at = comma
		return s.fail("a comma before "+string(closing), "the program that reads this file does not accept it; delete the comma")
	}
	return nil
}

func (s *scanner) missing(closing byte) error {
	if s.at == len(s.text) {
		return s.fail("the file ends before its "+string(closing), "it was cut off; restore it, or complete it by hand")
	}
	return s.fail("a comma or "+string(closing)+" is missing before "+s.sight(), "correct it by hand")
}

// key reads a key and the colon behind it.
func (s *scanner) key() (name string, key span, err error) {
	key.start = s.at
	if s.peek() != '"' {
		if s.at == len(s.text) {
			return "", key, s.missing('}')
		}
		hint := "correct it by hand"
		if s.peek() != ',' {
			hint = "keys stand in double quotes"
		}
		return "", key, s.fail("a key is missing before "+s.sight(), hint)
	}
	if name, err = s.str(); err != nil {
		return "", key, err
	}
	key.end = s.at
	if err = s.skip(); err != nil {
		return "", key, err
	}
	if s.peek() != ':' {
		return "", key, s.fail("a colon is missing after the key "+strconv.Quote(name), "correct it by hand")
	}
	s.at++
	return name, key, s.skip()
}

// str reads a string and decodes it. A lone surrogate, which JSON can spell and UTF-8 cannot, is kept in the three bytes
// that its number has, so that two different ones stay different.
func (s *scanner) str() (string, error) {
	start := s.at
	s.at++
	var out []byte
	from := s.at
	for {
		switch c := s.peek(); {
		case c == 0 || c == '\n' || c == '\r':
			s.at = start
			return "", s.fail("a string that does not end on its line", "add the missing quote")
		case c < ' ':
			return "", s.fail("a control character in a string", `write it as \u`+hex4(rune(c)))
		case c == '"':
			out = append(out, s.text[from:s.at]...)
			s.at++
			return string(out), nil
		case c == '\\':
			out = append(out, s.text[from:s.at]...)
			var err error
			if out, err = s.escape(out); err != nil {
				return "", err
			}
			from = s.at
		default:
			s.at++
		}
	}
}

func hex4(r rune) string {
	h := strconv.FormatInt(int64(r), 16)
	return "0000"[min(len(h), 4):] + h
}

// escape reads what a backslash begins.
func (s *scanner) escape(out []byte) ([]byte, error) {
	const short, means = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if s.at+1 < len(s.text) {
		c := s.text[s.at+1]
		for i := range len(short) {
			if short[i] == c {
				s.at += 2
				return append(out, means[i]), nil
			}
		}
		if r, ok := s.unit(s.at); ok {
			s.at += 6
			if low, ok := s.unit(s.at); ok && utf16.IsSurrogate(r) {
				if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
					s.at += 6
					r = both
				}
			}
			return appendRune(out, r), nil
		}
	}
	return nil, s.fail("a backslash that begins no escape", `write \\ for a backslash`)
}

// unit reads \uXXXX at an offset.
func (s *scanner) unit(at int) (rune, bool) {
	if at+6 > len(s.text) || s.text[at] != '\\' || s.text[at+1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range s.text[at+2 : at+6] {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// appendRune is utf8.AppendRune, which would lose a lone surrogate.
func appendRune(out []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(out, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0xbf, 0x80|byte(r)&0xbf)
	}
	return utf8.AppendRune(out, r)
}
