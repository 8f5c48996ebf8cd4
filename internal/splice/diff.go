package splice

import (
	"strings"
)

// Diff shows a change as a unified diff, "" if there is none. nil is a file that does not exist. Control characters that a
// terminal would obey are shown as ^X.
func Diff(path string, before, after []byte) string {
	from, to := path, path
	if before == nil {
		from = "/dev/null"
	}
	if after == nil {
		to = "/dev/null"
	}
	return strings.Map(shown, visible(unified(from, to, string(before), string(after))))
}

// visible keeps what a line break, a tab and the CR of a CRLF mean, and spells the other control characters out.
func visible(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '\n' || c == '\t' || c == '\r' && i+1 < len(s) && s[i+1] == '\n':
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			b.WriteString("^" + string(rune(c^0x40)))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// shown drops the C1 controls and the marks that turn the direction of text around.
func shown(r rune) rune {
	switch {
	case r >= 0x80 && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return '\ufffd'
	}
	return r
}
