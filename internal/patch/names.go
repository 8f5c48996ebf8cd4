package patch

import "strings"

// fileName reads the name of a "---" or "+++" line: a tab parts it from a time.
func fileName(s string) string {
	if strings.HasPrefix(s, `"`) {
		return unquote(s)
	}
	s, _, _ = strings.Cut(s, "\t")
	return trim(s)
}

// gitNames reads the two names of a "diff --git" line. Names with blanks stand there unquoted, so
// that only equal names can be told apart; others are told by the lines behind.
func gitNames(s string) (old, new string, ok bool) {
	s = trim(s)
	switch {
	case strings.HasPrefix(s, `"`):
		end := closingQuote(s)
		if end < 0 {
			return "", "", false
		}
		old, new = unquote(s[:end+1]), unquote(trim(s[end+1:]))
	case strings.HasSuffix(s, `"`):
		i := strings.Index(s, ` "`)
		if i < 0 {
			return "", "", false
		}
		old, new = s[:i], unquote(s[i+1:])
	case strings.Count(s, " ") == 1:
		old, new, _ = strings.Cut(s, " ")
	default:
		half := len(s) / 2
		if len(s)%2 == 0 || s[half] != ' ' {
			return "", "", false
		}
		old, new = s[:half], s[half+1:]
		if a, b := withoutPrefix(old, new); a != b {
			return "", "", false
		}
	}
	old, new = withoutPrefix(old, new)
	return old, new, old != "" && new != ""
}

// withoutPrefix takes off what diff tools put in front of the two names: "a/" and "b/", or git's
// mnemonic letters (index, work tree, commit, object). A name that stands alone, because the other
// side is /dev/null, loses its letter as well: so git prints it.
func withoutPrefix(old, new string) (string, string) {
	a, oldTail := prefix(old)
	b, newTail := prefix(new)
	switch {
	case a != 0 && b != 0 && a != b:
		return oldTail, newTail
	case old == devNull && b != 0:
		return old, newTail
	case new == devNull && a != 0:
		return oldTail, new
	}
	return old, new
}

func prefix(name string) (letter byte, tail string) {
	if len(name) > 2 && name[1] == '/' && strings.IndexByte("abiwco", name[0]) >= 0 {
		return name[0], name[2:]
	}
	return 0, name
}

// closingQuote finds the quote that ends s, which begins with one; -1 = none.
func closingQuote(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// unquote undoes git's C-like quoting: "\303\244.txt" with quotes around.
func unquote(s string) string {
	s = trim(s)
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	end := closingQuote(s)
	if end < 0 {
		return s
	}
	var b strings.Builder
	for i := 1; i < end; i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		c, width := escaped(s[i:end])
		b.WriteByte(c)
		i += width - 1
	}
	return b.String()
}

// escaped reads what follows a backslash: three octal digits or a letter of C.
func escaped(s string) (c byte, width int) {
	if len(s) >= 3 && octal(s[0]) && octal(s[1]) && octal(s[2]) {
		return (s[0]-'0')<<6 | (s[1]-'0')<<3 | (s[2] - '0'), 3
	}
	if s == "" {
		return '\\', 1
	}
	if i := strings.IndexByte("abtnvfr", s[0]); i >= 0 {
		return "\a\b\t\n\v\f\r"[i], 1
	}
	return s[0], 1
}

func octal(c byte) bool { return '0' <= c && c <= '7' }
