package install

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/splice"
)

// Uninstall takes hookspan's registration out of an agent: where nobody else has edited a file since,
// its very bytes come back; else exactly our parts go. An error means that nothing of this agent was
// changed.
func (e Env) Uninstall(ctx context.Context, a *agent.Agent, o Options) ([]File, error) {
	j, err := e.job(a, o.Scope, true) // what install has written, uninstall may take out
	if err != nil {
		return nil, err
	}
	if !o.DryRun {
		unlock, err := e.lock(ctx)
		if err != nil {
			return nil, err
		}
		defer unlock()
		j.ledger.clean()
	}
	sites, err := j.candidates()
	if err != nil {
		return nil, err
	}
	todo, err := j.tryOut(sites)
	if err != nil {
		return nil, err
	}
	keys, err := j.trustKeys(todo)
	if err != nil {
		return nil, err
	}
	// What was written last goes first.
	var files []File
	f, err := j.distrust(ctx, keys, o)
	if err != nil {
		return nil, err
	}
	if f.Changed {
		files = append(files, f)
	}
	for _, s := range todo {
		if f, err = j.takeOut(ctx, s, o); err != nil {
			return files, err
		}
		if f.Changed {
			files = append(files, f)
		}
	}
	if f, err = j.spared(ctx, o); err != nil {
		return files, err
	}
	if f.Changed {
		files = append(files, f)
	}
	if o.DryRun {
		return files, nil
	}
	return files, j.ledger.sweep()
}

// candidates are the files that may hold a registration: those of the table, and those of which the ledger
// says so, in the same folders.
func (j *job) candidates() ([]site, error) {
	var list []site
	for _, c := range j.setup.Carriers(j.scope) {
		path, err := j.Path(c.Path)
		if err != nil {
			return nil, err
		}
		paths := []string{path}
		if c.Own {
			paths = append(paths, besides(path)...)
		}
		for _, r := range j.ledger.all(j.agent.Name, j.scope) {
			if c.Own && filepath.Dir(r.Path) == filepath.Dir(path) && !slices.Contains(paths, r.Path) {
				paths = append(paths, r.Path)
			}
		}
		for _, p := range paths {
			list = append(list, site{Carrier: c, path: p})
		}
	}
	return list, nil
}

// besides lists the files that install may have made because a foreign one had the name.
func besides(path string) []string {
	ext := filepath.Ext(path)
	stem := path[:len(path)-len(ext)]
	found, _ := filepath.Glob(globSafe(stem) + "-[0-9]*" + ext)
	return found
}

func globSafe(s string) string {
	var b []byte
	for i := range len(s) {
		if bytes.IndexByte([]byte(`*?[\`), s[i]) >= 0 {
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return string(b)
}

// tryOut plans everything before any of it is done. It returns the sites at which there is something to do,
// or to forget.
func (j *job) tryOut(sites []site) ([]site, error) {
	var todo []site
	for _, s := range sites {
		ok, err := j.tryOne(&s)
		if err != nil {
			return nil, err
		}
		if ok {
			todo = append(todo, s)
		}
	}
	return todo, nil
}

func (j *job) tryOne(s *site) (todo bool, err error) {
	if s.file, err = splice.Load(s.path, ""); err != nil {
		return false, unlessGone(err)
	}
	if s.rec, err = j.ledger.load(j.agent.Name, j.scope, s.file.Target, s.file.Bytes); err != nil {
		return false, err
	}
	known := j.ledger.knows(j.agent.Name, j.scope, s.file.Target)
	if !s.file.Exists {
		return known, nil
	}
	if s.rec == nil && !bytes.Contains(s.file.Bytes, []byte(Name)) {
		return known, nil // whatever it is, nothing of ours is in it
	}
	after, _, err := j.planOut(*s, s.file)
	if err != nil {
		return false, err
	}
	if equal(after, s.file.Bytes) {
		return known, nil
	}
	_, err = j.store(s.path).Check(s.path)
	return true, err
}

// unlessGone forgives a file that is not there: a link that leads nowhere, a folder that is a file.
func unlessGone(err error) error {
	var e *splice.Error
	if errors.As(err, &e) && e.Fault == splice.BadLink {
		return nil
	}
	return err
}

// planOut returns the file without our parts, and the holes that must stay in it.
func (j *job) planOut(s site, f splice.File) (after []byte, holes []hole, err error) {
	if isCode(s.Carrier) {
		if f.Exists && j.isOwn(s.Carrier, f) {
			return nil, nil, nil
		}
		return f.Bytes, nil, nil
	}
	s.file = f
	if s.rec, err = j.ledger.load(j.agent.Name, j.scope, f.Target, f.Bytes); err != nil || !f.Exists {
		return nil, nil, err
	}
	if s.rec != nil && s.rec.Undo.Untouched(f.Bytes) {
		return f.Bytes, nil, nil
	}
	if s.rec != nil {
		if before, ok := s.rec.Undo.Exact(f.Bytes); ok {
			return j.refill(s, before)
		}
	}
	if s.rec == nil && !bytes.Contains(f.Bytes, []byte(Name)) {
		return f.Bytes, nil, nil
	}
	if s.doc, err = read(s.Carrier, s.path, f.Bytes); err != nil {
		return nil, nil, err
	}
	return j.edited(&s)
}

// refill returns the file as it was before our entries came, and what is left of the holes in it.
func (j *job) refill(s site, before []byte) (after []byte, holes []hole, err error) {
	if len(s.rec.Filled) == 0 {
		return before, nil, nil
	}
	if s.doc, err = read(s.Carrier, s.path, before); err != nil {
		return nil, nil, err
	}
	holes, err = j.editor(&s).fill(s.rec.Filled)
	return s.doc.Bytes(), holes, err
}

// edited takes our parts out of a file that somebody has edited, or of which the ledger knows nothing.
func (j *job) edited(s *site) (after []byte, holes []hole, err error) {
	ed := j.editor(s)
	if s.rec == nil {
		return j.unknown(ed)
	}
	if ed.trusted {
		s.doc.Continue(s.rec.Undo)
		holes = s.rec.Holes
	} else if _, err := s.doc.Revert(s.rec.Undo); err != nil {
		return nil, nil, err
	}
	more, err := ed.remove()
	if err != nil {
		return nil, nil, err
	}
	if holes, err = ed.fill(append(holes, more...)); err != nil {
		return nil, nil, err
	}
	if err := s.doc.Tidy(); err != nil {
		return nil, nil, err
	}
	return s.doc.Bytes(), holes, nil
}

func (j *job) unknown(ed *editor) (after []byte, holes []hole, err error) {
	var emptied []string
	for _, f := range ed.find() {
		emptied = append(emptied, f.Event)
	}
	if holes, err = ed.remove(); err != nil {
		return nil, nil, err
	}
	if err := ed.prune(emptied); err != nil {
		return nil, nil, err
	}
	if ed.carrier.Own && len(emptied) > 0 && ed.hollow() {
		return nil, nil, nil
	}
	return ed.doc.Bytes(), holes, nil
}

// hollow reports whether a document holds nothing but what a file of ours needs.
func (ed *editor) hollow() bool {
	for name, v := range ed.doc.Root().Members() {
		need := slices.IndexFunc(ed.carrier.Needs, func(n agent.Need) bool { return n.Key == name && v.Equals([]byte(n.JSON)) })
		if need < 0 {
			return false
		}
	}
	return true
}

func (j *job) takeOut(ctx context.Context, s site, o Options) (File, error) {
	f := File{Path: s.path, Before: s.file.Bytes}
	if o.DryRun {
		after, _, err := j.planOut(s, s.file)
		f.After, f.Changed = after, !equal(after, f.Before)
		return f, err
	}
	// Where nothing is to be written, this still clears away what a killed process has left beside the file.
	var holes []hole
	res, err := j.store(s.path).Update(ctx, s.path, func(now splice.File) (after []byte, err error) {
		f.Before = now.Bytes
		after, holes, err = j.planOut(s, now)
		return after, err
	})
	if err != nil {
		return f, err
	}
	f.After, f.Changed, f.Backup = res.After, res.Wrote, res.Backup
	return f, j.settle(s, holes)
}

// settle forgets a file; but not its holes, which a later call fills.
func (j *job) settle(s site, holes []hole) error {
	rec := &record{Agent: j.agent.Name, Scope: j.scope.String(), Path: s.path, Target: s.file.Target, Holes: holes}
	if len(holes) == 0 {
		return j.ledger.drop(rec, j.scope)
	}
	return j.ledger.save(rec, j.scope)
}
