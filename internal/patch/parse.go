package patch

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
)

// Parse reads a `*** Begin Patch` text and returns the files that it touches, in order, with paths
// as written. Several update sections of one file become one.
//
// Each hunk is one [hook.Edit] of whole lines, every line with its "\n", the context lines on both
// sides; the text of a new file is in NewText. Line ends of the patch itself ("\r\n") are not part
// of either. A missing end line, a here-document around the patch, blanks, "*** End of File" and
// "*** Environment ID" are no fault.
//
// The error tells the first line that could not be understood; the files are complete also then,
// and the new text errs on the side of more.
func Parse(text string) ([]hook.File, error) {
	p := parser{current: -1}
	for n, line := range lines(text) {
		p.line(n, line)
	}
	p.closeFile()
	if !p.begun {
		p.problems.add(1, "there is no %q line", "*** Begin Patch")
	}
	if len(p.files) == 0 {
		p.problems.add(1, "it names no file")
	}
	return p.files, p.problems.err("patch")
}

// parser is the state between two lines.
type parser struct {
	files        []hook.File
	updates      map[string]int // index of the update section of a path
	current      int            // index of the open section, -1 = none
	begun, ended bool
	hunk         hunk
	content      strings.Builder // of an Add section
	problems     problems
}

func (p *parser) line(n int, line string) {
	m := marker{}
	if line != "" && line[0] != '+' && line[0] != '-' {
		m = readMarker(line)
	}
	switch m.word {
	case file:
		p.open(n, line, m)
	case moveTo:
		p.move(n, line, m)
	case begin:
		p.begin(n)
	case end:
		p.closeFile()
		p.ended = true
	case eof:
		p.closeHunk()
	case environ:
	default:
		p.text(n, line)
	}
}

func (p *parser) begin(n int) {
	if p.begun && !p.ended {
		p.problems.add(n, "a second %q", "*** Begin Patch")
	}
	p.closeFile()
	p.begun, p.ended = true, false
}

// open starts the section of a file.
func (p *parser) open(n int, line string, m marker) {
	p.closeFile()
	p.place(n, line, m)
	if m.path == "" {
		p.problems.add(n, "%q names no file", short(line))
		return
	}
	if i, known := p.updates[m.path]; known && m.op == hook.OpUpdate {
		p.current = i
		return
	}
	p.append(hook.File{Path: m.path, Op: m.op})
	if m.op == hook.OpUpdate {
		if p.updates == nil {
			p.updates = map[string]int{}
		}
		p.updates[m.path] = p.current
	}
}

// place notes what is odd about a header line or about where it stands.
func (p *parser) place(n int, line string, m marker) {
	switch {
	case m.loose != "":
		p.problems.add(n, "%q %s", short(line), m.loose)
	case p.ended:
		p.problems.add(n, "%q stands behind the end of the patch", short(line))
	}
}

// move gives the open update section its target. A target that has no such section, or is the
// second one, is a file of its own: some reader may write there.
func (p *parser) move(n int, line string, m marker) {
	p.place(n, line, m)
	if m.path == "" {
		p.problems.add(n, "%q names no file", short(line))
		return
	}
	if f := p.section(); f != nil && f.Op == hook.OpUpdate {
		f.Op, f.MovedTo = hook.OpMove, m.path
		return
	}
	p.problems.add(n, "%q does not belong to an update", short(line))
	p.closeFile()
	p.append(hook.File{Path: m.path, Op: hook.OpCreate})
}

func (p *parser) append(f hook.File) {
	p.current = len(p.files)
	p.files = append(p.files, f)
}

// section is the section that lines belong to, or nil.
func (p *parser) section() *hook.File {
	if p.current < 0 || p.ended {
		return nil
	}
	return &p.files[p.current]
}

// text reads a line that is not a marker.
func (p *parser) text(n int, line string) {
	f := p.section()
	blank := trim(line) == ""
	switch {
	case f == nil:
		p.outside(n, line, blank)
	case f.Op == hook.OpCreate:
		p.added(n, line, blank)
	case f.Op == hook.OpDelete:
		if !blank {
			p.problems.add(n, "%q follows a deleted file", short(line))
		}
	default:
		p.changed(n, line)
	}
}

// outside reads a line that no section holds: the wrapping before the patch ("apply_patch <<EOF"),
// where the first marker may share a line with it, and the end of the wrapping behind it.
func (p *parser) outside(n int, line string, blank bool) {
	if blank || p.ended {
		return
	}
	if p.begun {
		p.problems.add(n, "%q belongs to no file", short(line))
		return
	}
	if i := strings.LastIndex(line, "***"); i >= 0 && readMarker(line[i:]).word == begin {
		p.begun = true
	}
}

// added reads a line of a new file.
func (p *parser) added(n int, line string, blank bool) {
	text, plus := strings.CutPrefix(line, "+")
	if !plus && blank {
		return
	}
	if !plus {
		p.problems.add(n, "%q has no + in a new file", short(line))
	}
	p.content.WriteString(text)
	p.content.WriteByte('\n')
}

// changed reads a line of an update.
func (p *parser) changed(n int, line string) {
	if strings.HasPrefix(trim(line), "@@") {
		p.closeHunk()
		return
	}
	if !p.hunk.line(line) {
		p.problems.add(n, "%q is neither context nor a change", short(line))
	}
}

func (p *parser) closeHunk() {
	f := p.section()
	if e, ok := p.hunk.take(); ok && f != nil {
		f.Edits = append(f.Edits, e)
	}
}

func (p *parser) closeFile() {
	p.closeHunk()
	if f := p.section(); f != nil && f.Op == hook.OpCreate {
		text := p.content.String()
		f.NewText = &text
	}
	p.content = strings.Builder{}
	p.current = -1
}
