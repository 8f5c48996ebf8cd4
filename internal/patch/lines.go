package patch

import (
	"strings"
	"unicode"
)

// lines yields the lines of a text without their ends ("\n" or "\r\n"), counted from 1. A carriage
// return alone ends a line only where a file header follows it: to some readers that is a new line,
// and it must not hide a file from a guard.
func lines(text string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		n := 0
		for len(text) > 0 {
			line, rest, _ := strings.Cut(text, "\n")
			text = rest
			line = strings.TrimSuffix(line, "\r")
			for {
				head, tail, cut := cutAtHeader(line)
				n++
				if !yield(n, head) {
					return
				}
				if !cut {
					break
				}
				line = tail
			}
		}
	}
}

// cutAtHeader splits a line at the first lone carriage return with a file header behind it.
func cutAtHeader(line string) (head, tail string, cut bool) {
	for at := 0; ; {
		i := strings.IndexByte(line[at:], '\r')
		if i < 0 {
			return line, "", false
		}
		at += i + 1
		next, _, _ := strings.Cut(line[at:], "\r")
		if m := readMarker(next); m.word == file || m.word == moveTo {
			return line[:at-1], line[at:], true
		}
	}
}

// trim takes blanks off both ends as the agents do: Unicode white space (Rust, JavaScript) and the
// byte order mark, which JavaScript counts as white space.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return r == '\ufeff' || unicode.IsSpace(r) })
}
