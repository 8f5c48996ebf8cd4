package install

import (
	"slices"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/splice"
	"github.com/hookspan/hookspan/internal/wire"
)

// editor puts our entries into one document and takes them out again.
type editor struct {
	doc     *splice.Doc
	carrier agent.Carrier
	names   []string // of the agent in a command
	setup   *agent.Setup
	parts   []splice.Part // what earlier installs put in
	trusted bool          // the place of a group is part of its trust (Codex)
	shared  bool          // a project's file: what is in it follows from the manifest
}

// found is an entry of ours in a document.
type found struct {
	Event   string
	Started Started
	Line    int
	handler splice.Path // to the handler
	item    splice.Path // to the element of the event's list: the handler itself, or its group
	alone   bool        // no other handler in the group
}

// events returns the path to the map of events.
func (ed *editor) events() splice.Path { return splice.At(ed.carrier.At...) }

// find lists our entries, event by event.
func (ed *editor) find() []found {
	var list []found
	at := ed.events()
	for event, v := range ed.doc.Get(at).Members() {
		if v.Kind() == splice.Array {
			list = append(list, ed.findIn(at.Key(event), event, v)...)
		}
	}
	return list
}

func (ed *editor) findIn(at splice.Path, event string, items splice.Value) []found {
	var list []found
	for i, item := range items.Elems() {
		if s, ok := ed.starts(item); ok {
			list = append(list, found{event, s, item.Line(), at.Elem(i), at.Elem(i), true})
		}
		handlers := item.Get("hooks")
		for j, h := range handlers.Elems() {
			if s, ok := ed.starts(h); ok {
				list = append(list, found{event, s, h.Line(), at.Elem(i).Key("hooks").Elem(j), at.Elem(i), handlers.Len() == 1})
			}
		}
	}
	return list
}

// starts reports whether a handler starts us, by any of its command lines.
func (ed *editor) starts(h splice.Value) (Started, bool) {
	if h.Kind() != splice.Object {
		return Started{}, false
	}
	if argv, ok := argvOf(h); ok {
		return StartsArgv(argv, ed.names)
	}
	for _, key := range []string{"command", "bash", "linux", "osx", "powershell", "windows", "commandWindows"} {
		if s, ok := Starts(h.Get(key).Str(), ed.names); ok {
			return s, true
		}
	}
	return Started{}, false
}

// argvOf returns the program and arguments of a handler that no shell reads.
func argvOf(h splice.Value) ([]string, bool) {
	program := h.Get("exec").Str()
	if program == "" && h.Get("args").Kind() == splice.Array {
		program = h.Get("command").Str()
	}
	if program == "" {
		return nil, false
	}
	argv := []string{program}
	for _, a := range h.Get("args").Elems() {
		argv = append(argv, a.Str())
	}
	return argv, true
}

// install makes the document hold the entries: what is missing is added last, what is there and right
// stays as it is, what a moved program or a new version changes is changed in place. holes are empty
// groups that an uninstall has left, which are filled first.
func (ed *editor) install(entries []Entry, holes []hole) error {
	if err := ed.doc.Expect(ed.events(), splice.Object); err != nil {
		return err
	}
	if err := ed.dropStale(entries); err != nil {
		return err
	}
	for _, en := range entries {
		if err := ed.put(en, holes); err != nil {
			return err
		}
	}
	for _, n := range ed.carrier.Needs {
		if len(entries) == 0 {
			break
		}
		if err := ed.doc.Require(splice.At(n.Key), []byte(n.JSON)); err != nil {
			return err
		}
	}
	return nil
}

func (ed *editor) put(en Entry, holes []hole) error {
	at := ed.events().Key(en.Native)
	mine := ed.findIn(at, en.Native, ed.doc.Get(at))
	if len(mine) == 0 {
		return ed.add(at, en, holes)
	}
	for _, f := range mine {
		if err := ed.update(f, en); err != nil {
			return err
		}
	}
	return ed.single(at, en)
}

func (ed *editor) add(at splice.Path, en Entry, holes []hole) error {
	for _, h := range holes {
		if v := ed.doc.Get(at.Elem(h.Index)); h.Event == en.Native && v.Kind() == splice.Object && v.Len() == 0 {
			return ed.doc.Set(at.Elem(h.Index), en.JSON)
		}
	}
	return ed.doc.Append(at, en.JSON)
}

// update brings an entry up to date. One that stands as we put it is replaced whole; of one that
// somebody has changed, only the command lines are ours to change.
func (ed *editor) update(f found, en Entry) error {
	if ed.doc.Get(f.item).Equals(en.JSON) {
		return nil
	}
	if ed.pristine(f.item) {
		return ed.doc.Set(f.item, en.JSON)
	}
	if err := ed.updateMatcher(f, en); err != nil {
		return err
	}
	return ed.updateLines(f, en.keys)
}

func (ed *editor) updateLines(f found, keys []key) error {
	for _, k := range keys {
		v := ed.doc.Get(f.handler.Key(k.name))
		if v.Kind() != splice.String || v.Str() == k.line {
			continue
		}
		text := escaped(wire.AppendString(nil, k.line), ed.setup.Escape)
		if err := ed.doc.Set(f.handler.Key(k.name), text); err != nil {
			return err
		}
	}
	return nil
}

// updateMatcher widens or narrows what a project's manifest decides. A group that others use as well
// keeps its matcher.
func (ed *editor) updateMatcher(f found, en Entry) error {
	if !ed.derived(f) {
		return nil
	}
	at := f.item.Key("matcher")
	now := ed.doc.Get(at)
	switch {
	case now.Str() == en.Matcher:
		return nil
	case en.Matcher != "":
		return ed.doc.Set(at, wire.AppendString(nil, en.Matcher))
	case now.Kind() != splice.Absent:
		return ed.doc.Remove(at)
	}
	return nil
}

// derived reports whether an entry is one that install writes into a project's file, on this machine or another,
// and that nobody has put beside others.
func (ed *editor) derived(f found) bool { return ed.shared && f.alone && f.Started.Program == Name }

// pristine reports whether an element stands as an earlier install put it.
func (ed *editor) pristine(item splice.Path) bool {
	for _, part := range ed.parts {
		if at, ok := ed.doc.Find(part); ok && at.Equal(item) {
			return true
		}
	}
	return false
}

// single removes copies: entries of ours for the same event and matcher beside the first one.
func (ed *editor) single(at splice.Path, en Entry) error {
	for {
		mine := ed.findIn(at, en.Native, ed.doc.Get(at))
		again := slices.IndexFunc(mine, func(f found) bool {
			first := slices.IndexFunc(mine, func(g found) bool { return ed.matcher(g) == ed.matcher(f) })
			return !mine[first].handler.Equal(f.handler)
		})
		if again < 0 {
			return nil
		}
		if _, err := ed.take(mine[again]); err != nil {
			return err
		}
	}
}

func (ed *editor) matcher(f found) string { return ed.doc.Get(f.item.Key("matcher")).Str() }

// dropStale removes entries that an earlier install put in and that are no longer wanted, and brings
// those that a person has put elsewhere up to date with the program's place.
func (ed *editor) dropStale(entries []Entry) error {
	for {
		stale := slices.IndexFunc(ed.find(), func(f found) bool { return !wants(entries, f.Event) && (ed.pristine(f.item) || ed.derived(f)) })
		if stale < 0 {
			return ed.follow(entries)
		}
		if _, err := ed.take(ed.find()[stale]); err != nil {
			return err
		}
	}
}

func wants(entries []Entry, event string) bool {
	return slices.ContainsFunc(entries, func(en Entry) bool { return en.Native == event })
}

// follow changes the program's path in entries of ours for events that are not registered by install.
func (ed *editor) follow(entries []Entry) error {
	if len(entries) == 0 {
		return nil
	}
	for _, f := range ed.find() {
		if wants(entries, f.Event) || f.Started.Native == "" || f.Started.Project {
			continue
		}
		keys := slices.Clone(entries[0].keys)
		for i := range keys {
			keys[i].line = strings.Replace(keys[i].line, " "+entries[0].Native, " "+f.Started.Native, 1)
		}
		if err := ed.updateLines(f, keys); err != nil {
			return err
		}
	}
	return nil
}

// take removes an entry: the handler, and its group if nothing else is in it. Where the place of the
// groups behind it is part of their trust, an empty group stays; it is returned.
func (ed *editor) take(f found) (*hole, error) {
	if !f.alone {
		return nil, ed.doc.Remove(f.handler)
	}
	list, last := f.item[:len(f.item)-1], f.item[len(f.item)-1].Index
	if ed.trusted && last < ed.doc.Get(list).Len()-1 {
		return &hole{f.Event, last}, ed.doc.Set(f.item, []byte("{}"))
	}
	return nil, ed.doc.Remove(f.item)
}

// remove takes all our entries out.
func (ed *editor) remove() (holes []hole, err error) {
	for {
		mine := ed.find()
		if len(mine) == 0 {
			return holes, nil
		}
		f := mine[len(mine)-1]
		h, err := ed.take(f)
		if err != nil {
			return nil, err
		}
		if h != nil {
			holes = append(holes, *h)
		}
	}
}

// fill removes the holes behind which nothing stands any more. It returns those that must stay.
func (ed *editor) fill(holes []hole) (left []hole, err error) {
	for again := true; again; {
		again = false
		for i, h := range holes {
			list := ed.events().Key(h.Event)
			item := list.Elem(h.Index)
			v := ed.doc.Get(item)
			if v.Kind() != splice.Object || v.Len() > 0 {
				holes, again = slices.Delete(slices.Clone(holes), i, i+1), true
				break
			}
			if h.Index == ed.doc.Get(list).Len()-1 {
				if err := ed.doc.Remove(item); err != nil {
					return nil, err
				}
				holes = slices.Delete(slices.Clone(holes), i, i+1)
				again = true
				break
			}
		}
	}
	return holes, nil
}

// prune removes the lists that our entries have left empty, and the map of events with them. It is for
// files of which the ledger knows nothing: whether they stood there before is not known.
func (ed *editor) prune(emptied []string) error {
	at := ed.events()
	for _, event := range emptied {
		if v := ed.doc.Get(at.Key(event)); v.Kind() == splice.Array && v.Len() == 0 {
			if err := ed.doc.Remove(at.Key(event)); err != nil {
				return err
			}
		}
	}
	if v := ed.doc.Get(at); len(at) > 0 && len(emptied) > 0 && v.Kind() == splice.Object && v.Len() == 0 {
		return ed.doc.Remove(at)
	}
	return nil
}
