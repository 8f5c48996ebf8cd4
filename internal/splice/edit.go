package splice

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// Append puts a value (JSON) behind the last element of the list at p. Objects and the list are made where they are
// missing. In TOML the value becomes a [[table]] or stands inline, as its neighbours do.
//
// Errors are *Error with Shape or Duplicate; then nothing has changed.
func (d *Doc) Append(p Path, value []byte) error {
	v, err := d.value(value)
	if err != nil {
		return err
	}
	n, rest, err := d.reach(p)
	if err != nil {
		return err
	}
	if len(rest) == 0 && n != nil && n.kind != Array && !d.absent(n) {
		return d.shape(n, p, Array.String())
	}
	part := Part{At: p, Element: true, Value: v.JSON()}
	if len(rest) == 0 && n != nil && n.kind == Array {
		part.Index = len(n.kids)
	}
	return d.insert(part, n, rest, v)
}

// Set gives the member or element at p a value (JSON). A member that is missing is put behind the last one, with the
// objects around it; an element must be there. Errors as those of Append.
func (d *Doc) Set(p Path, value []byte) error {
	v, err := d.value(value)
	if err != nil {
		return err
	}
	if len(p) == 0 {
		return &Error{Fault: Shape, Path: d.name, What: "the root cannot be set"}
	}
	n, rest, err := d.reach(p)
	if err != nil {
		return err
	}
	if n != nil && len(rest) == 0 {
		return d.swap(p, n, v)
	}
	return d.insert(Part{At: p, Value: v.JSON()}, n, rest, v)
}

// Require is Set for a member that the file needs to be valid, such as a version: an existing one stays as it is, and
// Revert leaves ours if the file holds anything by then that it did not hold before, since that may need it.
func (d *Doc) Require(p Path, value []byte) error {
	if n, rest, err := d.reach(p); err != nil || n != nil && len(rest) == 0 && !d.absent(n) {
		return err
	}
	known := len(d.parts)
	if err := d.Set(p, value); err != nil {
		return err
	}
	for i := known; i < len(d.parts); i++ {
		d.parts[i].Needed = true
	}
	return nil
}

// Remove takes out the member or element at p, with its comma and its line; comments stay. If it is a part that earlier
// edits put in, the lists and objects that were made for it go too, once they are empty.
func (d *Doc) Remove(p Path) error {
	n, rest, err := d.reach(p)
	if err != nil {
		return err
	}
	if len(p) == 0 || n == nil || len(rest) > 0 {
		return &Error{Fault: Shape, Path: d.name, What: p.String() + " is not there, so it cannot be removed"}
	}
	i := d.partAt(p)
	if i < 0 {
		inPart := d.inPart(p[:len(p)-1])
		if err := d.take(p, d.led(n)); err != nil {
			return err
		}
		inPart()
		return nil
	}
	part := d.parts[i]
	if err := d.take(p, part.Led); err != nil {
		return err
	}
	d.parts[i].Value, d.parts[i].Was = nil, nil
	if err := d.pruneAll(func(p *Part) bool { return p.Value == nil }); err != nil {
		return err
	}
	d.parts = slices.DeleteFunc(d.parts, func(p Part) bool { return p.Value == nil && p.Made == 0 })
	return nil
}

// value reads the JSON text of a new value.
func (d *Doc) value(text []byte) (Value, error) {
	n, err := parseValue(text)
	if err != nil {
		return Value{}, fmt.Errorf("failed to edit %s: %w", d.name, err)
	}
	if d.format&TOML == 0 {
		return Value{text, n}, nil
	}
	var null bool
	n.each(func(k *node) { null = null || k.kind == Null })
	if null {
		return Value{}, &Error{Fault: Shape, Path: d.name, What: "TOML has no null"}
	}
	return Value{text, n}, nil
}

// absent reports whether a value counts as not there.
func (d *Doc) absent(n *node) bool { return n.kind == Null && d.format&NullAbsent != 0 }

// insert puts a part where it is not: below n, the last value that exists on its path; the rest of the path is made.
func (d *Doc) insert(part Part, n *node, rest Path, v Value) error {
	var keys []string
	for _, s := range rest {
		if s.Key == nil {
			return &Error{Fault: Shape, Path: d.name, What: fmt.Sprintf("there is no list for [%d] of %s", s.Index, part.At)}
		}
		if !utf8.ValidString(*s.Key) {
			return &Error{Fault: Encoding, Path: d.name, What: "a key that is not UTF-8: " + part.At.String()}
		}
		keys = append(keys, *s.Key)
	}
	part.Made = len(keys)
	if !part.Element {
		part.Made--
	}
	edits, err := d.plan(&part, n, keys, v)
	if err != nil {
		return err
	}
	inPart := d.inPart(part.holder())
	if err := d.apply(edits...); err != nil {
		return err
	}
	if !inPart() {
		d.parts = append(d.parts, part)
	}
	return nil
}

// plan returns the edits that put a part in.
func (d *Doc) plan(part *Part, n *node, keys []string, v Value) (edits []edit, err error) {
	if d.format&TOML != 0 && n.form != inline {
		return d.planTOML(part, n, keys, v)
	}
	text := []byte(v.Text())
	if part.Element && (len(keys) > 0 || n == nil || n.kind != Array) {
		text = slices.Concat([]byte{'['}, text, []byte{']'})
	}
	if n == nil || n.kind == Null {
		whole, err := parsed(wrap(keys, text))
		if err != nil {
			return nil, err
		}
		return d.planWhole(part, n, whole), nil
	}
	if len(keys) == 0 {
		edits, part.Inside = d.addLast(n, nil, v)
		return edits, nil
	}
	member, err := parsed(wrap(keys[1:], text))
	if err != nil {
		return nil, err
	}
	edits, part.Inside = d.addLast(n, &keys[0], member)
	return edits, nil
}

func parsed(text []byte) (Value, error) {
	n, err := parseValue(text)
	return Value{text, n}, err
}

// planWhole writes a whole value: in place of a null, or as the document.
func (d *Doc) planWhole(part *Part, null *node, v Value) []edit {
	if null != nil {
		s := d.styleAt(null)
		part.Made, part.Null = part.Made+1, true
		return []edit{{null.span, string(s.value(nil, v, indentOf(d.text, null.start), s.lines))}}
	}
	s := d.styleAt(&node{})
	text := string(s.value(nil, v, "", true))
	start, end := 0, len(d.text)
	if len(d.text) >= len(bom) && string(d.text[:len(bom)]) == bom {
		start = len(bom)
	}
	if blank(d.text[start:]) {
		return []edit{{span{start, end}, text + s.eol}}
	}
	if d.text[end-1] != '\n' { // comments only
		text = s.eol + text
	}
	return []edit{{span{end, end}, text + s.eol}}
}

// swap replaces an existing value. A part that stands there takes the new value; else the old one is kept for Undo.
func (d *Doc) swap(p Path, n *node, v Value) error {
	if string(n.canonical(nil)) == string(v.JSON()) {
		return nil
	}
	if n.form != inline {
		return d.swapTable(p, n, v)
	}
	s := d.styleAt(n)
	lines := s.lines && (d.broken(n.span) || len(n.kids) == 0)
	was, inPart := string(d.text[n.start:n.end]), d.inPart(p)
	if err := d.apply(edit{n.span, string(s.value(nil, v, indentOf(d.text, n.start), lines))}); err != nil {
		return err
	}
	if !inPart() {
		d.swapped(p, v, was)
	}
	return nil
}

// swapped notes a replaced value.
func (d *Doc) swapped(p Path, v Value, was string) {
	part := Part{At: p, Value: v.JSON(), Was: &was}
	if holder, last := p.parent(); last.Key == nil {
		part.At, part.Element, part.Index = holder, true, last.Index
	}
	d.parts = append(d.parts, part)
}

// take removes the value at p from the text; led tells that the empty line above goes too (TOML).
func (d *Doc) take(p Path, led bool) error {
	n, _, err := d.reach(p)
	if err != nil {
		return err
	}
	holder, last := p.parent()
	in, _, err := d.reach(holder)
	if err != nil {
		return err
	}
	var edits []edit
	switch {
	case in.form == buried || in.form == inline && in.itemOf(n) < 0:
		return d.refuse(Shape, n, p.String()+buriedWhat, buriedHint)
	case in.form == inline:
		edits = d.drop(in, in.itemOf(n), d.insideOf(holder))
	default:
		edits = d.cutLines(n.lines(), led)
	}
	if err := d.apply(edits...); err != nil {
		return err
	}
	if last.Key == nil {
		d.shift(holder, last.Index)
	}
	return nil
}

// insideOf returns what stood between the brackets of a list or object before the first part came into it.
func (d *Doc) insideOf(p Path) string {
	for _, part := range d.parts {
		if held := part.holder(); part.Inside != nil && held[:len(held)-part.Made].Equal(p) {
			return *part.Inside
		}
	}
	return ""
}

// shift moves the parts that stood behind a removed element.
func (d *Doc) shift(list Path, from int) {
	for i := range d.parts {
		if p := &d.parts[i]; p.Element && p.Index > from && p.At.Equal(list) {
			p.Index--
		}
	}
}

// inPart looks, before an edit, for the part that the value at p belongs to. Its result, called after the edit, notes the
// part's new value; it is false where there is no such part.
func (d *Doc) inPart(p Path) (note func() bool) {
	for i := len(p); i > 0; i-- {
		if k := d.partAt(p[:i]); k >= 0 {
			return func() bool {
				d.parts[k].Value = d.Get(p[:i]).JSON()
				return true
			}
		}
	}
	return func() bool { return false }
}

// partAt returns which part stands at a path, with the value that it was put in with, or -1.
func (d *Doc) partAt(p Path) int {
	i := d.partOf(p)
	if i < 0 || !d.Get(p).Equals(d.parts[i].Value) {
		return -1
	}
	return i
}

// partOf returns which part was put in at a path, or -1.
func (d *Doc) partOf(p Path) int {
	if len(p) == 0 {
		return -1
	}
	holder, last := p.parent()
	for i, part := range d.parts {
		switch {
		case part.Value == nil:
		case part.Element && last.Key == nil && part.Index == last.Index && part.At.Equal(holder), !part.Element && part.At.Equal(p):
			return i
		}
	}
	return -1
}
