package handler

import "strings"

// word is one word of a command line. Where known is false it depends on what only a shell knows
// (globs, positional parameters, an unquoted value with blanks).
type word struct {
	text   string
	known  bool
	quoted bool // an empty word without quotes is no word
}

// splitter reads a shell command line that is nothing but simple words.
type splitter struct {
	text string
	at   int
	env  func(string) (string, bool)
}

// splitWords splits a command line into its words as sh would, with variables of env filled in and
// redirections left out. ok is false where the text is more than one simple command: lists, pipes,
// substitutions, here-documents. Words of such a text mean nothing.
func splitWords(text string, env func(string) (string, bool)) (words []word, ok bool) {
	s := splitter{text: text, env: env}
	for {
		s.blanks()
		if s.at >= len(s.text) || s.text[s.at] == '#' {
			return words, true
		}
		switch c := s.text[s.at]; {
		case c == '\n':
			rest := strings.TrimSpace(s.text[s.at:])
			return words, rest == "" || rest[0] == '#' && !strings.Contains(rest, "\n")
		case strings.IndexByte(";&|()`", c) >= 0:
			return nil, false
		case c == '<' || c == '>':
			if !s.redirection() {
				return nil, false
			}
		default:
			w, ok := s.word()
			if !ok {
				return nil, false
			}
			if s.at < len(s.text) && strings.IndexByte("<>", s.text[s.at]) >= 0 && digits(w.text) {
				continue // "2>": the number belongs to the redirection
			}
			if w.text != "" || w.quoted || !w.known {
				words = append(words, w)
			}
		}
	}
}

func (s *splitter) blanks() {
	for s.at < len(s.text) {
		switch {
		case s.text[s.at] == ' ' || s.text[s.at] == '\t' || s.text[s.at] == '\r':
			s.at++
		case strings.HasPrefix(s.text[s.at:], "\\\n"):
			s.at += 2
		default:
			return
		}
	}
}

// redirection skips an operator and its target.
func (s *splitter) redirection() bool {
	from := s.at
	for s.at < len(s.text) && strings.IndexByte("<>&|", s.text[s.at]) >= 0 {
		s.at++
	}
	if strings.HasPrefix(s.text[from:s.at], "<<") {
		return false
	}
	s.blanks()
	if s.at >= len(s.text) || strings.IndexByte("\n;&|()`<>#", s.text[s.at]) >= 0 {
		return false
	}
	_, ok := s.word()
	return ok
}

// word reads one word; false = it has a substitution or an open quote.
func (s *splitter) word() (word, bool) {
	var b strings.Builder
	w := word{known: true}
	for start := s.at; s.at < len(s.text); {
		c := s.text[s.at]
		switch {
		case strings.IndexByte(" \t\r\n;&|()<>", c) >= 0:
			w.text = b.String()
			return w, true
		case c == '`':
			return w, false
		case c == '\'':
			end := strings.IndexByte(s.text[s.at+1:], '\'')
			if end < 0 {
				return w, false
			}
			w.quoted = true
			b.WriteString(s.text[s.at+1 : s.at+1+end])
			s.at += end + 2
		case c == '"':
			if !s.quoted(&b, &w) {
				return w, false
			}
		case c == '$':
			value, ok := s.variable(&w)
			if !ok {
				return w, false
			}
			w.known = w.known && !strings.ContainsAny(value, " \t\n*?[")
			b.WriteString(value)
		case c == '~' && s.at == start:
			b.WriteString(s.home(&w))
		default:
			s.plain(&b, &w)
		}
	}
	w.text = b.String()
	return w, true
}

// plain takes one byte outside of quotes.
func (s *splitter) plain(b *strings.Builder, w *word) {
	c := s.text[s.at]
	s.at++
	if c == '\\' && s.at < len(s.text) {
		if s.text[s.at] != '\n' {
			b.WriteByte(s.text[s.at])
		}
		s.at++
		return
	}
	if strings.IndexByte("*?[{", c) >= 0 {
		w.known = false
	}
	b.WriteByte(c)
}

// home fills in "~" and "~/…"; another user's home is not known here.
func (s *splitter) home(w *word) string {
	s.at++
	home, set := s.env("HOME")
	if s.at < len(s.text) && strings.IndexByte("/ \t\n", s.text[s.at]) < 0 || !set {
		w.known = false
		return "~"
	}
	return home
}

// quoted reads text in double quotes.
func (s *splitter) quoted(b *strings.Builder, w *word) bool {
	w.quoted = true
	for s.at++; s.at < len(s.text); {
		c := s.text[s.at]
		switch {
		case c == '"':
			s.at++
			return true
		case c == '`':
			return false
		case c == '$':
			value, ok := s.variable(w)
			if !ok {
				return false
			}
			b.WriteString(value)
		case c == '\\' && s.at+1 < len(s.text) && strings.IndexByte("\"\\$`\n", s.text[s.at+1]) >= 0:
			if s.text[s.at+1] != '\n' {
				b.WriteByte(s.text[s.at+1])
			}
			s.at += 2
		default:
			b.WriteByte(c)
			s.at++
		}
	}
	return false
}

// variable fills in $NAME and ${NAME}; false = another expansion.
func (s *splitter) variable(w *word) (string, bool) {
	rest := s.text[s.at+1:]
	braced := strings.HasPrefix(rest, "{")
	if braced {
		rest = rest[1:]
	}
	n := nameLen(rest)
	switch {
	case braced && (n == 0 || n >= len(rest) || rest[n] != '}'):
		return "", false
	case strings.HasPrefix(rest, "("):
		return "", false
	case n == 0 && rest != "" && strings.IndexByte("@*#?-$!0123456789", rest[0]) >= 0:
		w.known = false
		s.at += 2
		return "", true
	case n == 0:
		w.known = w.known && !strings.HasPrefix(rest, "'") && !strings.HasPrefix(rest, `"`) // bash quotes so
		s.at++
		return "$", true
	}
	s.at += 1 + n
	if braced {
		s.at += 2
	}
	value, _ := s.env(rest[:n])
	return value, true
}

// nameLen is the length of a variable's name at the front of s.
func nameLen(s string) int {
	n := 0
	for n < len(s) && (s[n] == '_' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || n > 0 && s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return n
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
