package splice

import "slices"

// Revert takes out what earlier edits put in, from a document that has been edited since: each part where it still
// stands (whatever its layout and order of keys), then the lists and objects that were made for it and are empty now,
// then the file, if there was none and nothing is left in it. What others added inside of a part stays. Missing are the
// parts that were not found as they were put in: changed by hand, or removed.
//
// Try Undo.Exact first. After an error the document is to be thrown away.
func (d *Doc) Revert(u Undo) (missing []Part, err error) {
	d.Continue(u)
	for i := range slices.Backward(d.parts) {
		part := &d.parts[i]
		if part.Value == nil || part.Needed {
			continue
		}
		found, err := d.revert(*part)
		if err != nil {
			return nil, err
		}
		if !found {
			missing = append(missing, *part)
			continue
		}
		part.Value = nil
	}
	return missing, d.Tidy()
}

// Tidy removes what edits made and what is empty now: lists and objects, required members that nothing stands beside,
// and the file. Revert ends with it; call it after removing by hand what Revert had reported missing.
func (d *Doc) Tidy() error {
	for dropped := true; dropped; {
		err := d.pruneAll(func(*Part) bool { return true })
		if err != nil {
			return err
		}
		if dropped, err = d.dropNeeded(); err != nil {
			return err
		}
	}
	return d.bury()
}

// pruneAll prunes for all parts of a kind, until nothing is left to prune.
func (d *Doc) pruneAll(which func(*Part) bool) error {
	for again := true; again; {
		again = false
		for i := range slices.Backward(d.parts) {
			part := &d.parts[i]
			if !which(part) {
				continue
			}
			pruned, err := d.prune(part)
			if err != nil {
				return err
			}
			again = again || pruned
		}
	}
	return nil
}

// revert takes one part out, wherever it stands now.
func (d *Doc) revert(part Part) (found bool, err error) {
	p, whole, ok := d.search(part)
	if !ok {
		return false, nil
	}
	if part.Was != nil {
		return whole, d.restore(p, part, whole)
	}
	if whole {
		return true, d.take(p, part.Led)
	}
	v, err := parsed(part.Value)
	if err != nil {
		return false, err
	}
	return true, d.subtract(p, v)
}

// restore puts back the value that a part replaced.
func (d *Doc) restore(p Path, part Part, whole bool) error {
	if !whole {
		return nil
	}
	n, _, err := d.reach(p)
	if err != nil {
		return err
	}
	if n.form == inline {
		return d.apply(edit{n.span, *part.Was})
	}
	return d.Set(p, []byte(*part.Was))
}

// Find returns where a part stands now, unchanged in value.
func (d *Doc) Find(part Part) (Path, bool) {
	p, whole, ok := d.search(part)
	return p, ok && whole
}

// search looks for a part: first for its whole value, at its old place, else the last one in its list; then for a value
// that holds all of it and more.
func (d *Doc) search(part Part) (p Path, whole, ok bool) {
	if part.Value == nil {
		return nil, false, false
	}
	want, err := parsed(part.Value)
	if err != nil {
		return nil, false, false
	}
	same := func(v Value) bool { return v.n != nil && string(v.JSON()) == string(want.JSON()) }
	if !part.Element {
		v := d.Get(part.At)
		return part.At, same(v), same(v) || holds(v, want)
	}
	list := d.Get(part.At)
	if list.Kind() != Array {
		return nil, false, false
	}
	if same(list.Elem(part.Index)) {
		return part.At.Elem(part.Index), true, true
	}
	for i := range slices.Backward(list.n.kids) {
		if same(list.Elem(i)) {
			return part.At.Elem(i), true, true
		}
	}
	if holds(list.Elem(part.Index), want) {
		return part.At.Elem(part.Index), false, true
	}
	for i := range slices.Backward(list.n.kids) {
		if holds(list.Elem(i), want) {
			return part.At.Elem(i), false, true
		}
	}
	return nil, false, false
}

// holds reports whether a value is another one with things added: members to its objects, elements to its lists.
func holds(v, want Value) bool {
	if v.Kind() != want.Kind() {
		return false
	}
	switch v.Kind() {
	case Object:
		for key, kid := range want.Members() {
			if !holds(v.Get(key), kid) {
				return false
			}
		}
		return true
	case Array:
		taken := make([]bool, v.Len())
		for _, kid := range want.Elems() {
			i := slices.IndexFunc(indexes(v.Len()), func(i int) bool { return !taken[i] && holds(v.Elem(i), kid) })
			if i < 0 {
				return false
			}
			taken[i] = true
		}
		return true
	}
	return string(v.JSON()) == string(want.JSON())
}

func indexes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// subtract takes out of the value at p the elements of lists that are ours. Members stay: what others added may need
// them.
func (d *Doc) subtract(p Path, ours Value) error {
	switch ours.Kind() {
	case Object:
		for key, kid := range ours.Members() {
			if err := d.subtract(p.Key(key), kid); err != nil {
				return err
			}
		}
	case Array:
		for i := range slices.Backward(ours.n.kids) {
			if err := d.subtractElem(p, ours.Elem(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *Doc) subtractElem(list Path, ours Value) error {
	at, whole, ok := d.search(Part{At: list, Element: true, Index: -1, Value: ours.JSON()})
	switch {
	case !ok:
		return nil
	case !whole:
		return d.subtract(at, ours)
	}
	n, _, err := d.reach(at)
	if err != nil {
		return err
	}
	return d.take(at, d.led(n))
}

// prune removes the lists and objects that were made for a part, from the innermost on, as long as they are empty.
func (d *Doc) prune(part *Part) (pruned bool, err error) {
	if part.Value != nil {
		if _, _, stands := d.search(*part); stands {
			return false, nil
		}
	}
	for part.Made > 0 {
		held := part.holder()
		n, rest, err := d.reach(held)
		if err != nil {
			return pruned, err
		}
		if n != nil && len(rest) == 0 {
			if !d.hollow(n) {
				return pruned, nil
			}
			if err := d.collapse(held, n, part.Null && part.Made == 1); err != nil {
				return pruned, err
			}
			pruned = true
		}
		part.Value = nil
		if len(held) == 0 { // a document that was null
			part.Made = 0
			break
		}
		// What is left of the part is what was made further out.
		part.At, part.Element, part.Made = held[:len(held)-1], true, part.Made-1
	}
	return pruned, nil
}

// hollow reports whether a list or object has nothing in it, comments included.
func (d *Doc) hollow(n *node) bool {
	if len(n.kids) > 0 || n.kind != Array && n.kind != Object {
		return false
	}
	if n.form != inline {
		return true
	}
	last, _, _ := d.lastComment(span{n.start + 1, n.end - 1})
	return last < 0
}

func (d *Doc) collapse(p Path, n *node, null bool) error {
	if null && n.form == inline {
		return d.apply(edit{n.span, "null"})
	}
	return d.take(p, d.led(n))
}

// dropNeeded removes the required members if nothing stands beside them, or what stands there is what stood there before
// the edits: then nobody has come to need them.
func (d *Doc) dropNeeded() (dropped bool, err error) {
	text, root, kept := d.text, d.root, slices.Clone(d.parts)
	alone := true
	for i := range slices.Backward(d.parts) {
		part := &d.parts[i]
		if part.Value == nil || !part.Needed {
			continue
		}
		at, stands := d.Find(*part)
		if !stands {
			continue
		}
		drop := func() error { return d.take(at, part.Led) }
		if part.Was != nil {
			drop = func() error { return d.restore(at, *part, true) }
		}
		if err := drop(); err != nil {
			return false, err
		}
		holder, _ := at.parent()
		alone = alone && d.Get(holder).Len() == 0
		part.Value, dropped = nil, true
	}
	if dropped && !alone && d.meaning() != d.meant {
		d.text, d.root, d.parts = text, root, kept
		return false, nil
	}
	return dropped, nil
}

// meaning is the identity of a document's values.
func (d *Doc) meaning() string {
	if d.root == nil {
		return sum([]byte("{}"))
	}
	return sum(d.root.canonical(nil))
}

// bury ends a document that edits began: where no value stood before and none is left.
func (d *Doc) bury() error {
	start := 0
	if len(d.text) >= len(bom) && string(d.text[:len(bom)]) == bom {
		start = len(bom)
	}
	if d.format&TOML == 0 {
		if d.bare == nil || d.root == nil || !d.hollow(d.root) {
			return nil
		}
		rest := slices.Concat(d.text[start:d.root.start], d.text[d.root.end:])
		whole := edit{span{0, len(d.text)}, *d.bare}
		if !blank(rest) { // comments around it stay
			whole = edit{span{lineStart(d.text, d.root.start), afterBreak(d.text, d.root.end)}, ""}
		}
		if err := d.apply(whole); err != nil {
			return err
		}
		start = min(start, len(d.text))
	}
	d.gone = d.made && blank(d.text[start:])
	return nil
}
