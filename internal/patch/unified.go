package patch

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
)

// ParseUnified reads a unified diff, git's or plain, and returns the files that it touches, as
// [Parse] does for the other dialect. Paths lose the "a/" and "b/" that diff tools put in front and
// git's quoting, nothing else.
//
// A rename is a move; the source of a copy is not touched. Where the two names of a section differ
// without a rename, both are returned: programs that apply such a diff choose either. A wrong line
// count in a hunk's header, which models like to write, does not hide the section behind it.
func ParseUnified(text string) ([]hook.File, error) {
	var all []string
	for _, line := range lines(text) {
		all = append(all, line)
	}
	u := unified{lines: all}
	for i := 0; i < len(all); i++ {
		u.line(i)
	}
	u.close()
	if len(u.files) == 0 {
		u.problems.add(1, "it names no file")
	}
	return u.files, u.problems.err("diff")
}

// unified is the state between two lines of a diff.
type unified struct {
	lines    []string
	files    []hook.File
	sec      section
	open     bool
	problems problems
}

func (u *unified) line(i int) {
	line := u.lines[i]
	if names, ok := strings.CutPrefix(line, "diff "); ok && u.opens(i) {
		u.start(i, names)
		return
	}
	if u.startsFile(i) {
		u.oldName(line)
		return
	}
	if u.open && u.sec.inHunk() && u.hunkLine(i, line) {
		return
	}
	u.header(i, line)
}

// opens reports whether a "diff" line begins a section: no line of a hunk begins so.
func (u *unified) opens(i int) bool {
	rest := u.lines[i][len("diff "):]
	return strings.HasPrefix(rest, "--git ") || strings.HasPrefix(rest, "--cc ") || strings.HasPrefix(rest, "--combined ")
}

// startsFile reports whether a "---" line and the one behind it name a file. In the middle of a hunk
// a hunk's header must follow, since there the two lines may be content.
func (u *unified) startsFile(i int) bool {
	if !strings.HasPrefix(u.lines[i], "--- ") || i+1 >= len(u.lines) || !strings.HasPrefix(u.lines[i+1], "+++ ") {
		return false
	}
	if !u.open || !u.sec.inHunk() {
		return true
	}
	return i+2 < len(u.lines) && strings.HasPrefix(u.lines[i+2], "@@ ")
}

func (u *unified) start(i int, names string) {
	u.close()
	u.open, u.sec = true, section{}
	verb, names, _ := strings.Cut(names, " ")
	if verb != "--git" { // a merge's diff names one file
		u.sec.old, u.sec.new = unquote(names), unquote(names)
		return
	}
	old, new, ok := gitNames(names)
	if !ok { // then "rename" or "---" lines tell the names
		u.sec.unsure = i + 1
		return
	}
	u.sec.old, u.sec.new = old, new
}

// oldName takes a "---" line; the "+++" line behind it comes next.
func (u *unified) oldName(line string) {
	if !u.open || u.sec.named || u.sec.hunks > 0 {
		u.close()
		u.open, u.sec = true, section{}
	}
	u.sec.oldLine = fileName(line[len("--- "):])
	u.sec.named, u.sec.unsure = true, 0
	u.sec.count = counts{}
}

// header reads a line outside of hunks.
func (u *unified) header(i int, line string) {
	s := &u.sec
	switch {
	case strings.HasPrefix(line, "+++ ") && u.open && s.named && s.newLine == "":
		s.newLine = fileName(line[len("+++ "):])
		s.settle()
	case strings.HasPrefix(line, "@@ ") && u.open:
		if !s.startHunk(line) {
			u.problems.add(i+1, "%q has no line counts", short(line))
		}
	case strings.HasPrefix(line, "Index: "):
		u.close()
		u.open, u.sec = true, section{}
		u.sec.old = trim(line[len("Index: "):])
		u.sec.new = u.sec.old
	case !u.open:
	case strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-"):
		u.stray(i, line)
	default:
		s.extended(line)
	}
}

// hunkLine reads a line of a hunk that is not complete yet.
func (u *unified) hunkLine(i int, line string) bool {
	s := &u.sec
	switch {
	case line == "":
		s.count.old, s.count.new = s.count.old-1, s.count.new-1
	case line[0] == ' ':
		s.count.old, s.count.new = s.count.old-1, s.count.new-1
	case line[0] == '-':
		s.count.old--
	case line[0] == '+':
		s.count.new--
	case line[0] == '\\': // "\ No newline at end of file"
		return true
	default:
		u.problems.add(i+1, "%q ends a hunk too early", short(line))
		s.count = counts{}
		return false
	}
	s.hunk.line(line)
	return true
}

// stray takes a change behind the end of its hunk: the count was too small.
func (u *unified) stray(i int, line string) {
	if u.sec.hunks > 0 {
		u.sec.hunk.line(line)
	}
	if line != "---" { // a signature or a rule around the diff
		u.problems.add(i+1, "%q belongs to no hunk", short(line))
	}
}

func (u *unified) close() {
	if !u.open {
		return
	}
	u.open = false
	files := u.sec.files()
	if len(files) == 0 && u.sec.unsure > 0 {
		u.problems.add(u.sec.unsure, "%q does not tell its two names apart", short(u.lines[u.sec.unsure-1]))
	}
	u.files = append(u.files, files...)
}
