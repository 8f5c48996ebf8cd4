package patch

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
)

// word is what a "***" line says.
type word uint8

const (
	none    word = iota // not a marker
	begin               // *** Begin Patch
	end                 // *** End Patch
	eof                 // *** End of File
	file                // *** Add File: PATH, and any other verb before "File:"
	moveTo              // *** Move to: PATH
	environ             // *** Environment ID: ID (Codex with several environments)
)

// marker is one "***" line.
type marker struct {
	word  word
	op    hook.Op
	path  string
	loose string // what is unusual about it; "" = as the grammar has it
}

// readMarker reads a line as a marker. Blanks after the stars and around the colon do not matter,
// nor does case. A line that begins with a blank is a marker if it is one of the grammar's (Codex
// trims it first); other forms are then context, as in any text that has stars in it. Lines that
// begin with "+" or "-" are content.
func readMarker(line string) marker {
	text := trim(line)
	if !strings.HasPrefix(text, "***") {
		return marker{}
	}
	m := read(trim(strings.TrimLeft(text, "*")))
	if m.loose != "" && line[0] == ' ' {
		return marker{}
	}
	return m
}

// read reads what follows the stars.
func read(text string) marker {
	first, rest := letters(text)
	second, rest := letters(rest)
	switch {
	case first == "begin" && second == "patch":
		return marker{word: begin}
	case first == "end" && second == "patch":
		return marker{word: end}
	case first == "end" && second == "of":
		return marker{word: eof}
	case first == "environment" && second == "id":
		return marker{word: environ}
	case (first == "move" || first == "rename") && second == "to":
		path, colon := pathAfterColon(rest)
		return marker{word: moveTo, path: path, loose: loose(first == "move", colon)}
	case second == "file":
		op, known := opOf(first)
		path, colon := pathAfterColon(rest)
		return marker{word: file, op: op, path: path, loose: loose(known, colon)}
	}
	return marker{}
}

// letters takes one word of ASCII letters, in lower case, off the front of s.
func letters(s string) (string, string) {
	s = strings.TrimLeft(s, " \t")
	i := 0
	for i < len(s) && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z') {
		i++
	}
	return strings.ToLower(s[:i]), s[i:]
}

func pathAfterColon(s string) (path string, colon bool) {
	s = trim(s)
	path, colon = strings.CutPrefix(s, ":")
	return trim(path), colon
}

// opOf tells what a verb does. A verb that is in no grammar counts as an update.
func opOf(verb string) (op hook.Op, known bool) {
	switch verb {
	case "add":
		return hook.OpCreate, true
	case "update":
		return hook.OpUpdate, true
	case "delete":
		return hook.OpDelete, true
	case "create", "new", "write":
		return hook.OpCreate, false
	case "remove":
		return hook.OpDelete, false
	}
	return hook.OpUpdate, false
}

func loose(known, colon bool) string {
	switch {
	case !known:
		return "is not a header of the patch format"
	case !colon:
		return "has no colon"
	}
	return ""
}
