package splice

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// This file edits what stands between brackets: objects and lists of JSON, inline tables and lists of TOML.

// lineTail looks at what follows on the line of an offset: after is the end of the last comment there (else the offset
// itself), stop where the next token or the line break stands.
func (d *Doc) lineTail(at int) (after, stop int, comment, brk bool) {
	after, stop = at, at
	for {
		for stop < len(d.text) && (d.text[stop] == ' ' || d.text[stop] == '\t') {
			stop++
		}
		if stop == len(d.text) || d.text[stop] == '\n' || d.text[stop] == '\r' {
			return after, stop, comment, true
		}
		end, line := commentEnd(d.text, stop, d.format)
		if end < 0 || d.broken(span{stop, end}) {
			return after, stop, comment, false
		}
		after, stop, comment = end, end, comment || line
	}
}

// addLast puts a member (key not nil) or an element behind the last one. Where the list was empty, inside is what stood
// between its brackets.
func (d *Doc) addLast(n *node, key *string, v Value) (edits []edit, inside *string) {
	s := d.styleAt(n)
	write := func(indent string, lines bool) string {
		if key == nil {
			return string(s.value(nil, v, indent, lines))
		}
		return s.member(*key, v, indent, lines)
	}
	if len(n.items) == 0 {
		return d.addFirst(n, s, write)
	}
	from := n.items[len(n.items)-1]
	comma, closing, end := ",", "", from.end
	if at := n.trailing(); at >= 0 { // a list with a comma behind its last item keeps one
		comma, closing, end = "", ",", at+1
	}
	after, stop, lineComment, brk := d.lineTail(end)
	_, first, _, _ := d.lineTail(lineStart(d.text, from.start))
	own := first == from.start // nothing but comments before it on its line
	if !own && !lineComment {
		at, lines := after, d.broken(from) && s.lines
		text := s.gap + write(indentOf(d.text, from.start), lines) + closing
		return joinAt(from.end, comma, at, text), nil
	}
	indent := indentOf(d.text, from.start)
	if !own {
		indent = indentOf(d.text, n.start) + s.unit
	}
	at := after
	if brk {
		at = stop
	}
	s.eol = breakNear(d.text, at)
	text := write(indent, s.lines && !d.oneLine(n.kids[len(n.kids)-1], write(indent, false)))
	return joinAt(from.end, comma, at, s.eol+indent+text+closing), nil
}

// oneLine reports whether a new item shall stand on one line, as its neighbour does.
func (d *Doc) oneLine(neighbour *node, text string) bool {
	return len(neighbour.kids) > 0 && !d.broken(neighbour.span) && len(text) <= 100
}

// joinAt makes one edit of two that touch.
func joinAt(a int, first string, b int, second string) []edit {
	if a == b || first == "" {
		return []edit{{span{b, b}, first + second}}
	}
	return []edit{{span{a, a}, first}, {span{b, b}, second}}
}

// addFirst fills an empty list.
func (d *Doc) addFirst(n *node, s *style, write func(indent string, lines bool) string) ([]edit, *string) {
	base := indentOf(d.text, n.start)
	indent := base + s.unit
	space := span{n.start + 1, n.end - 1}
	inside := string(d.text[space.start:space.end])
	last, lastStart, line := d.lastComment(space)
	switch {
	case last < 0 && blanks([]byte(inside)) && !s.lines:
		pad := s.pad(n.kind)
		return []edit{{space, pad + write(base, false) + pad}}, &inside
	case last < 0 && blanks([]byte(inside)):
		return []edit{{space, s.eol + indent + write(indent, true) + s.eol + base}}, &inside
	case last < 0:
		s.eol = breakNear(d.text, space.start)
		return []edit{{span{space.start, space.start}, s.eol + indent + write(indent, s.lines)}}, &inside
	}
	if startsLine(d.text, lastStart) {
		indent = indentOf(d.text, lastStart)
	}
	_, stop, _, brk := d.lineTail(last)
	switch {
	case brk || line:
		s.eol = breakNear(d.text, stop)
		return []edit{{span{stop, stop}, s.eol + indent + write(indent, s.lines)}}, &inside
	case s.lines:
		return []edit{{span{last, space.end}, s.eol + indent + write(indent, true) + s.eol + base}}, &inside
	}
	return []edit{{span{last, last}, " " + write(base, false)}}, &inside
}

// lastComment returns the end and the start of the last comment in a stretch without values, or -1.
func (d *Doc) lastComment(space span) (end, start int, line bool) {
	end, start = -1, -1
	for at := space.start; at < space.end; {
		if e, l := commentEnd(d.text, at, d.format); e >= 0 {
			end, start, line, at = e, at, l, e
			continue
		}
		at++
	}
	return end, start, line
}

// drop takes the i-th item out, with its comma and the line that was its own. All comments stay. Where the
// list becomes empty, and nobody has added comments, inside stands between its brackets again.
func (d *Doc) drop(n *node, i int, inside string) []edit {
	item := n.items[i]
	if space := (span{n.start + 1, n.end - 1}); len(n.items) == 1 && squeeze(d.around(item, n)) == squeeze([]byte(inside)) {
		return []edit{{space, inside}}
	}
	if i < len(n.items)-1 {
		return d.dropInner(item, n.ends[i])
	}
	var edits []edit
	end := item.end
	if at := n.trailing(); at >= 0 {
		edits, end = d.cutComma(item.end, at)
	} else if i > 0 {
		at := n.ends[i-1]
		edits = []edit{{span{at, at + 1}, ""}}
	}
	_, stop, _, brk := d.lineTail(end)
	if startsLine(d.text, item.start) {
		above := beforeBreak(d.text, lineStart(d.text, item.start))
		cut := span{item.start, max(item.end, end)}
		before := n.start + 1
		if i > 0 {
			before = n.items[i-1].end
		}
		switch _, comment, line := d.lastComment(span{before, above}); {
		case !blanks(d.text[end:stop]):
		case brk:
			cut = span{above, stop}
		case comment < 0 || !line || lineEnd(d.text, comment) < above: // else the bracket would become a comment
			cut.start = above
		}
		return merge(append(edits, edit{cut, ""}))
	}
	start := item.start
	for start > 0 && (d.text[start-1] == ' ' || d.text[start-1] == '\t') {
		start--
	}
	return merge(append(edits, edit{span{start, max(item.end, end)}, ""}))
}

// around returns what stands beside the only item of a list: comments and white space.
func (d *Doc) around(item span, n *node) []byte {
	behind := item.end
	rest := slices.Clone(d.text[n.start+1 : item.start])
	if at := n.trailing(); at >= 0 {
		rest, behind = append(rest, d.text[item.end:at]...), at+1
	}
	return append(rest, d.text[behind:n.end-1]...)
}

// squeeze leaves out all white space.
func squeeze(text []byte) string {
	return strings.Join(strings.FieldsFunc(string(text), func(r rune) bool { return r < utf8.RuneSelf && isSpace(byte(r)) }), "")
}

// dropInner takes out an item that others follow.
func (d *Doc) dropInner(item span, comma int) []edit {
	edits, end := d.cutComma(item.end, comma)
	_, stop, _, brk := d.lineTail(end)
	empty := blanks(d.text[end:stop])
	cut := span{item.start, end}
	switch own := startsLine(d.text, item.start); {
	case own && brk && empty:
		cut = span{lineStart(d.text, item.start), afterBreak(d.text, stop)}
	case brk && empty: // last of its line, behind others
		for cut.start > 0 && (d.text[cut.start-1] == ' ' || d.text[cut.start-1] == '\t') {
			cut.start--
		}
	case empty:
		cut.end = stop
	}
	return merge(append(edits, edit{cut, ""}))
}

// cutComma deletes a comma behind an item. Where only blanks stand between, end is behind the comma, so that one cut
// takes both; else the comment between them stays.
func (d *Doc) cutComma(itemEnd, comma int) (edits []edit, end int) {
	if blank(d.text[itemEnd:comma]) {
		return nil, comma + 1
	}
	return []edit{{span{comma, comma + 1}, ""}}, itemEnd
}

// merge joins edits that touch or overlap; they all delete.
func merge(edits []edit) []edit {
	sortEdits(edits)
	out := edits[:1]
	for _, e := range edits[1:] {
		if last := &out[len(out)-1]; e.start <= last.end {
			last.end = max(last.end, e.end)
			continue
		}
		out = append(out, e)
	}
	return out
}
