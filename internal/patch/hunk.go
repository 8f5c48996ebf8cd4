package patch

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
)

// hunk collects one changed part of a file.
type hunk struct {
	old, new strings.Builder
	changed  bool
	blanks   int // empty lines that are context only if more follows: they may just part two hunks
}

// line takes a line with its sign in front. A line without a sign counts as context, for a lenient
// reader would take it so, and is reported as unknown.
func (h *hunk) line(line string) (known bool) {
	if line == "" {
		h.blanks++
		return true
	}
	for ; h.blanks > 0; h.blanks-- {
		h.both("")
	}
	switch line[0] {
	case '+':
		h.changed = true
		h.new.WriteString(line[1:] + "\n")
	case '-':
		h.changed = true
		h.old.WriteString(line[1:] + "\n")
	case ' ':
		h.both(line[1:])
	default:
		h.both(line)
		return false
	}
	return true
}

func (h *hunk) both(line string) {
	h.old.WriteString(line + "\n")
	h.new.WriteString(line + "\n")
}

// take ends the hunk. A hunk of context alone changes nothing and is no edit.
func (h *hunk) take() (hook.Edit, bool) {
	e, changed := hook.Edit{Old: h.old.String(), New: h.new.String()}, h.changed
	*h = hunk{}
	return e, changed
}
