package splice

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// This file edits what TOML writes outside of brackets: [headers], [[headers]] and key = value lines.

const (
	buriedWhat = " is written with dotted keys inside of brackets, which are not edited"
	buriedHint = "write the table with its own brackets, or under a header"
)

// planTOML returns the edits that put a part below n, a table or a list of tables.
func (d *Doc) planTOML(part *Part, n *node, keys []string, v Value) ([]edit, error) {
	s := d.styleAt(&node{span: span{len(d.text), len(d.text)}})
	if n.form == buried {
		return nil, d.refuse(Shape, n, part.At.String()+buriedWhat, buriedHint)
	}
	if part.Element && v.Kind() != Object && len(keys) == 0 {
		return nil, d.refuse(Shape, n, fmt.Sprintf("%s is a list of tables, and holds nothing else", part.At), "")
	}
	names := make([]string, 0, len(part.At))
	for _, step := range part.At {
		if step.Key != nil {
			names = append(names, *step.Key)
		}
	}
	if v.Kind() == Object && n.form != dotted {
		var blocks []string
		s.block(&blocks, names, part.Element, v)
		return d.addBlocks(part, blocks, s), nil
	}
	if part.Element {
		list, err := parsed([]byte("[" + v.Text() + "]"))
		if err != nil {
			return nil, err
		}
		v = list
	}
	if n.form == dotted { // its keys stand together; headers elsewhere would split it
		dots := d.dots(part.At[:len(part.At)-len(keys)], s)
		return d.addLine(n, s.header(append(dots, keys...)), v), nil
	}
	if len(keys) > 1 || n.form == implicit {
		header := "[" + s.header(names[:len(names)-1]) + "]"
		return d.addBlocks(part, []string{header + "\n" + s.member(keys[len(keys)-1], v, "", false)}, s), nil
	}
	return d.addLine(n, s.header(keys), v), nil
}

// dots returns what the keys of a table that dotted keys make begin with: its name from the table whose header they
// stand under.
func (d *Doc) dots(p Path, s *style) []string {
	var names []string
	for i, step := range p {
		n, _, err := d.reach(p[:i+1])
		switch {
		case err != nil || n.form == table:
			names = nil
		case n.form == dotted:
			names = append(names, *step.Key)
		}
	}
	return names
}

// header writes a dotted key.
func (s *style) header(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = string(s.quoteKey(name))
	}
	return strings.Join(quoted, ".")
}

// block writes a table as a header and lines, tables in it as blocks behind it.
func (s *style) block(blocks *[]string, names []string, list bool, v Value) {
	open, closing := "[", "]"
	if list {
		open, closing = "[[", "]]"
	}
	*blocks = append(*blocks, open+s.header(names)+closing+s.body(v))
	for key, kid := range v.Members() {
		below := append(names[:len(names):len(names)], key)
		switch {
		case kid.Kind() == Object:
			s.block(blocks, below, false, kid)
		case tablesOnly(kid):
			for _, elem := range kid.Elems() {
				s.block(blocks, below, true, elem)
			}
		}
	}
}

// body writes the members that stand in the table itself, each on a line of its own after a line break.
func (s *style) body(v Value) string {
	var b strings.Builder
	for key, kid := range v.Members() {
		if kid.Kind() != Object && !tablesOnly(kid) {
			b.WriteString("\n" + s.member(key, kid, "", false))
		}
	}
	return b.String()
}

// tablesOnly reports whether a list can be written as [[headers]].
func tablesOnly(v Value) bool {
	for _, elem := range v.Elems() {
		if elem.Kind() != Object {
			return false
		}
	}
	return v.Kind() == Array && v.Len() > 0
}

// addBlocks puts blocks where they mean what the path says: at the end of the file, or, below an element of a list of
// tables, at the end of that element.
func (d *Doc) addBlocks(part *Part, blocks []string, s *style) []edit {
	at := len(d.text)
	for i, step := range part.At {
		if step.Key == nil {
			at = d.endOf(part.At[:i+1])
		}
	}
	s.eol = breakNear(d.text, at)
	spaced := d.spaced()
	sep := s.eol
	if spaced {
		sep += s.eol
	}
	for i, b := range blocks {
		blocks[i] = strings.ReplaceAll(b, "\n", s.eol)
	}
	text := strings.Join(blocks, sep)
	head := d.text[:at]
	var lead, tail string
	head = bytes.TrimPrefix(head, []byte(bom))
	started := !blank(head)
	if len(head) > 0 && head[len(head)-1] != '\n' {
		lead = s.eol
	} else {
		tail = s.eol
	}
	if part.Led = started && spaced && !d.blankBefore(at); part.Led {
		lead += s.eol
	}
	return []edit{{span{at, at}, lead + text + tail}}
}

// endOf returns where the line behind everything of a table begins; the end of the text if that line is the last.
func (d *Doc) endOf(p Path) int {
	n, _, err := d.reach(p)
	if err != nil {
		return len(d.text)
	}
	return d.lineAfter(n.lines())
}

func (d *Doc) lineAfter(lines []span) int {
	end := 0
	for _, l := range lines {
		end = max(end, l.end)
	}
	return afterBreak(d.text, lineEnd(d.text, end))
}

// blankBefore reports whether the line above an offset is empty; the offset begins a line, or ends a text without a
// last line break.
func (d *Doc) blankBefore(at int) bool {
	if at > 0 && d.text[at-1] != '\n' {
		return false
	}
	end := beforeBreak(d.text, at)
	return end < at && blank(d.text[lineStart(d.text, end):end])
}

// spaced reports whether the file has empty lines before its headers; a file without neighbours to tell it has.
func (d *Doc) spaced() bool {
	with, without := 0, 0
	d.root.each(func(n *node) {
		if n.form != table || n.line.end == 0 {
			return
		}
		at := d.aboveComments(lineStart(d.text, n.line.start))
		if at == 0 {
			return
		}
		if d.blankBefore(at) {
			with++
		} else {
			without++
		}
	})
	return with >= without
}

// addLine puts key = value into a table: behind its last line, or its header; in the root, before the first header. The
// key is written as it shall stand.
func (d *Doc) addLine(n *node, key string, v Value) []edit {
	lines := n.own(nil)
	at, indent := 0, ""
	switch {
	case len(lines) > 0:
		at = d.lineAfter(lines)
		indent = indentOf(d.text, lines[len(lines)-1].start)
	case n.line.end > 0:
		at = d.lineAfter([]span{n.line})
		indent = indentOf(d.text, n.line.start)
	default:
		at = d.firstHeader()
	}
	s := d.styleAt(&node{span: span{at, at}})
	s.eol = breakNear(d.text, max(at-1, 0))
	text := indent + key + s.colon + string(s.value(nil, v, "", false))
	if at > 0 && at == len(d.text) && d.text[at-1] != '\n' && string(d.text) != bom {
		return []edit{{span{at, at}, s.eol + text}}
	}
	return []edit{{span{at, at}, text + s.eol}}
}

// firstHeader returns where the first header's line begins, or that of the comments directly above it, or the
// empty lines above those: what is put there does not take the header's distance.
func (d *Doc) firstHeader() int {
	at := len(d.text)
	d.root.each(func(n *node) {
		if n.line.end > 0 {
			at = min(at, lineStart(d.text, n.line.start))
		}
	})
	at = d.aboveComments(at)
	for d.blankBefore(at) {
		at = lineStart(d.text, beforeBreak(d.text, at))
	}
	if at == 0 && bytes.HasPrefix(d.text, []byte(bom)) {
		return len(bom)
	}
	return at
}

// aboveComments returns where the comment lines directly above a line begin.
func (d *Doc) aboveComments(at int) int {
	for at > 0 && bytes.HasPrefix(bytes.TrimLeft(d.text[lineStart(d.text, at-1):at], " \t"), []byte("#")) {
		at = lineStart(d.text, at-1)
	}
	return at
}

// own returns the lines that stand in a table itself, not under headers of its children.
func (n *node) own(lines []span) []span {
	for _, k := range n.kids {
		switch k.form {
		case inline:
			lines = append(lines, k.line)
		case dotted:
			lines = k.own(lines)
		}
	}
	slices.SortFunc(lines, func(a, b span) int { return a.start - b.start })
	return lines
}

// lines returns the expressions that make a value and everything in it.
func (n *node) lines() []span {
	var all []span
	n.each(func(k *node) {
		if k.line.end > k.line.start {
			all = append(all, k.line)
		}
	})
	return all
}

// led reports whether the empty line above a value goes with it: it does, unless the next line needs it.
func (d *Doc) led(n *node) bool {
	lines := n.lines()
	if len(lines) == 0 {
		return false
	}
	at := d.lineAfter(lines)
	return at == len(d.text) || blank(d.text[at:lineEnd(d.text, at)])
}

// cutLines takes expressions out, with their lines, and with the empty lines above headers in between; led tells that
// the one above the first header goes too. Comments stay.
func (d *Doc) cutLines(lines []span, led bool) []edit {
	slices.SortFunc(lines, func(a, b span) int { return a.start - b.start })
	var edits []edit
	above := -1
	for i, l := range lines {
		start, end := lineStart(d.text, l.start), lineEnd(d.text, l.end)
		if start == 0 && bytes.HasPrefix(d.text, []byte(bom)) {
			start = len(bom)
		}
		if rest := d.text[l.end:end]; !blanks(rest) {
			edits = append(edits, edit{span{l.start, end - len(bytes.TrimLeft(rest, " \t"))}, ""})
			continue
		}
		if d.text[l.start] == '[' && d.blankBefore(start) {
			if gap := lineStart(d.text, beforeBreak(d.text, start)); i == 0 && led || gap == above {
				start = gap
			}
		}
		above = afterBreak(d.text, end)
		edits = append(edits, edit{span{start, above}, ""})
	}
	if len(edits) == 0 {
		return nil
	}
	edits = merge(edits)
	if last := &edits[len(edits)-1]; last.end == len(d.text) && d.text[last.end-1] != '\n' {
		last.start = beforeBreak(d.text, last.start) // a file without a last line break keeps to it
	}
	return edits
}

// swapTable gives a table another content, under the header that it has.
func (d *Doc) swapTable(p Path, n *node, v Value) error {
	_, last := p.parent()
	if n.form != table || n.line.end == 0 || v.Kind() != Object {
		return d.refuse(Shape, n, p.String()+" is written as a table, and cannot become "+v.Kind().String(), "change it by hand")
	}
	var names []string
	for _, step := range p {
		if step.Key != nil {
			names = append(names, *step.Key)
		}
	}
	s := d.styleAt(n)
	s.eol = breakNear(d.text, n.line.start)
	sep := s.eol
	if d.spaced() {
		sep += s.eol
	}
	var blocks []string
	s.block(&blocks, names, last.Key == nil, v)
	_, blocks[0], _ = strings.Cut(blocks[0]+"\n", "\n")
	body := strings.TrimSuffix(blocks[0], "\n")
	if body != "" {
		body = s.eol + strings.ReplaceAll(body, "\n", s.eol)
	}
	for _, b := range blocks[1:] {
		body += sep + strings.ReplaceAll(b, "\n", s.eol)
	}
	was, inPart := string(n.canonical(nil)), d.inPart(p)
	rest := slices.DeleteFunc(n.lines(), func(l span) bool { return l == n.line })
	at := lineEnd(d.text, n.line.end)
	edits := append(d.cutLines(rest, true), edit{span{at, at}, body})
	if err := d.apply(edits...); err != nil {
		return err
	}
	if !inPart() {
		d.swapped(p, v, was)
	}
	return nil
}
