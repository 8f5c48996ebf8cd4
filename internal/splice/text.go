package splice

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

const bom = "\ufeff"

// readable refuses what is no UTF-8 text, and says what it is instead.
func readable(name string, text []byte) error {
	hint := "save it as UTF-8"
	if len(text) > MaxSize {
		return &Error{Fault: TooBig, Path: name, What: "larger than " + strconv.Itoa(MaxSize>>20) + " MiB",
			Hint: "a settings file of that size is a mistake; nothing was changed"}
	}
	if bytes.HasPrefix(text, []byte{0xff, 0xfe}) || bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		return &Error{Fault: Encoding, Path: name, Line: 1, What: "the file is UTF-16", Hint: hint}
	}
	if at := bytes.IndexByte(text, 0); at >= 0 {
		return fail(Encoding, name, text, at, "a NUL byte: the file is binary, or UTF-16", hint)
	}
	if utf8.Valid(text) {
		return nil
	}
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 {
			return fail(Encoding, name, text, at, "a byte that is not UTF-8", hint)
		}
		at += n
	}
	return nil
}

// blank reports whether a text holds nothing but white space.
func blank[T string | []byte](text T) bool {
	for i := range len(text) {
		if !isSpace(text[i]) {
			return false
		}
	}
	return true
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// lineStart returns where the line of an offset begins.
func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// lineEnd returns where the line of an offset ends: at its line break, or at the end of the text.
func lineEnd(text []byte, at int) int {
	n := bytes.IndexByte(text[at:], '\n')
	if n < 0 {
		return len(text)
	}
	if n > 0 && text[at+n-1] == '\r' {
		n--
	}
	return at + n
}

// afterBreak steps over the line break at an offset, if there is one.
func afterBreak(text []byte, at int) int {
	if at < len(text) && text[at] == '\r' {
		at++
	}
	if at < len(text) && text[at] == '\n' {
		at++
	}
	return at
}

// beforeBreak steps back over the line break that ends at an offset.
func beforeBreak(text []byte, at int) int {
	if at > 0 && text[at-1] == '\n' {
		at--
		if at > 0 && text[at-1] == '\r' {
			at--
		}
	}
	return at
}

// indentOf returns the blanks at the start of the line of an offset.
func indentOf(text []byte, at int) string {
	start := lineStart(text, at)
	end := start
	if end == 0 && bytes.HasPrefix(text, []byte(bom)) {
		start, end = len(bom), len(bom)
	}
	for end < len(text) && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	return string(text[start:end])
}

// startsLine reports whether only blanks stand before an offset on its line.
func startsLine(text []byte, at int) bool {
	return blank(text[lineStart(text, at):at])
}

// breakNear returns the line break in use around an offset: that of its own line, else of the line before, else
// the first of the text, else "\n".
func breakNear(text []byte, at int) string {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return breakAt(text, at+n)
	}
	if n := bytes.LastIndexByte(text[:at], '\n'); n >= 0 {
		return breakAt(text, n)
	}
	return "\n"
}

func breakAt(text []byte, lf int) string {
	if lf > 0 && text[lf-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
