package redact

import "strings"

// cut returns the first place at or behind i of one of the characters.
func cut(s string, i int, chars string) int {
	if n := strings.IndexAny(s[i:], chars); n >= 0 {
		return i + n
	}
	return len(s)
}

// closing returns where the closing quote begins, with its backslashes: the same mark behind the same
// number of backslashes. -1 = there is none.
func closing(s string, i int, mark byte, slashes int) int {
	for i < len(s) {
		n := strings.IndexByte(s[i:], mark)
		if n < 0 {
			return -1
		}
		at := i + n
		before := 0
		for at-before > i && s[at-1-before] == '\\' {
			before++
		}
		if before == slashes || slashes == 0 && (before%2 == 0 || mark == '\'' || mark == '`') {
			return at - slashes
		}
		i = at + 1
	}
	return -1
}

// delimited reports whether a value can end before p.
func delimited(s string, p int) bool {
	return p >= len(s) || isSpace(s[p]) || isQuote(s[p]) || strings.IndexByte(",)}];:|&<>\\", s[p]) >= 0
}

// shellWord returns the end of the word at i: it goes on over quoted parts, and ends at a blank, or at
// the quote that closes the string in which the word stands.
func shellWord(s string, i int) int {
	for i < len(s) {
		c := s[i]
		switch {
		case isSpace(c):
			return i
		case c == '\\':
			q := skip(s, i, func(c byte) bool { return c == '\\' })
			if q < len(s) && isQuote(s[q]) && delimited(s, q+1) && s[i:q+1] != `\'` {
				return i // the text is quoted itself, and its string ends here
			}
			i = min(len(s), q+(q-i)%2)
		case isQuote(c):
			if delimited(s, i+1) {
				return i
			}
			end := closing(s, i+1, c, 0)
			if end < 0 {
				return lineEnd(s, i)
			}
			i = end + 1
		default:
			i++
		}
	}
	return len(s)
}

// isCall reports whether a program calls or indexes something here: next(), cfg.tokens[0].
func isCall(s string) bool {
	for _, word := range [...]string{"await ", "new ", "yield "} {
		s = strings.TrimPrefix(s, word)
	}
	if s == "" {
		return false
	}
	end := skip(s, 0, func(c byte) bool { return isAlnum(c) || c == '_' || c == '.' })
	return end > 0 && end < 80 && end < len(s) && (s[end] == '(' || s[end] == '[') && !isDigit(s[0])
}

// isPath reports whether a value is an absolute path.
func isPath(s string) bool {
	return s != "" && (s[0] == '/' || s[0] == '~' || s[0] == '.') || len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/')
}

// userinfo returns the password in what stands behind "://".
func userinfo(s string, i int) (from, to int) {
	end := cut(s, i, "/?#\"'`<>\\ \t\r\n")
	at := strings.LastIndexByte(s[i:end], '@')
	colon := strings.IndexByte(s[i:end], ':')
	if colon < 0 || i < len(s) && s[i] == '[' {
		return 0, 0
	}
	if at < 0 && !isNumber(s[i+colon+1:end]) && colon+1 < end-i {
		// A password with a slash, unescaped. A port would be a number.
		near := s[:min(len(s), i+256)]
		at = strings.LastIndexByte(near[i:cut(near, i, "\"'`<> \t\r\n")], '@')
	}
	if at <= colon+1 || isReference(s[i+colon+1:i+at]) {
		return 0, 0
	}
	return i + colon + 1, i + at
}
