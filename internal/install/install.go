package install

import (
	"context"
	"slices"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/splice"
)

// Options of an install or uninstall.
type Options struct {
	Scope       agent.Scope
	Strict      bool // our own failure is a no, where the agent can be told so
	DryRun      bool // nothing is written, nothing noted
	FollowLinks bool // a settings file may be a link to a place outside of the home
}

// File is what has happened to one file.
type File struct {
	Path    string   // as it was named
	Events  []string // that start us from here, by their native names
	Before  []byte   // nil: there was no file
	After   []byte   // nil: there is none
	Changed bool
	Backup  string // the copy that was made of it, if one was
}

// Install registers hookspan in an agent. The manifests decide what a project's registration needs. An
// error means that nothing of this agent was changed.
func (e Env) Install(ctx context.Context, a *agent.Agent, m Manifests, o Options) ([]File, error) {
	j, err := e.job(a, o.Scope, o.FollowLinks)
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
	w := want(a, m, o)
	if j.setup.Layout == agent.Generated {
		return j.installCode(ctx, w, o)
	}
	entries, err := e.Wanted(a, w)
	if err != nil {
		return nil, err
	}
	return j.installEntries(ctx, entries, o)
}

// want is what the scope and the manifests ask for.
func want(a *agent.Agent, m Manifests, o Options) Want {
	w := Want{Scope: o.Scope, Strict: o.Strict}
	if o.Scope == agent.ScopeProject && m.Project != nil {
		w.Needs = NeedsOf(a, m.Project)
	} else {
		w.Extra = Natives(a, m.User)
	}
	return w
}

// share is the part of a registration that one site carries.
type share struct {
	site    site
	entries []Entry
	after   []byte
}

func (j *job) installEntries(ctx context.Context, entries []Entry, o Options) ([]File, error) {
	sites, err := j.open()
	if err != nil {
		return nil, err
	}
	shares := make([]share, len(sites))
	for i := range sites {
		shares[i].site = sites[i]
	}
	for _, en := range entries {
		s := j.choose(sites, en.Native)
		i := slices.IndexFunc(sites, func(t site) bool { return t.path == s.path })
		shares[i].entries = append(shares[i].entries, en)
	}
	// All of it is tried before any of it is done.
	for i := range shares {
		if err := j.try(&shares[i]); err != nil {
			return nil, err
		}
	}
	var files []File
	for i := range shares {
		f, err := j.put(ctx, &shares[i], o)
		if err != nil {
			return files, err
		}
		if len(f.Events) > 0 || f.Changed {
			files = append(files, f)
		}
	}
	return files, nil
}

// try plans a share, and finds out whether it could be written.
func (j *job) try(sh *share) error {
	after, _, _, err := j.planInstall(sh.site, sh.site.file, sh.entries)
	if err != nil {
		return err
	}
	sh.after = after
	if equal(after, sh.site.file.Bytes) {
		return nil
	}
	_, err = j.store(sh.site.path).Check(sh.site.path)
	return err
}

// equal compares files: nil is none.
func equal(a, b []byte) bool { return (a == nil) == (b == nil) && string(a) == string(b) }

// planInstall returns what the file shall be, how to undo it, and the holes that stay.
func (j *job) planInstall(s site, f splice.File, entries []Entry) (after []byte, u splice.Undo, holes []hole, err error) {
	s.file = f
	if s.rec, err = j.ledger.load(j.agent.Name, j.scope, f.Target, f.Bytes); err != nil {
		return nil, u, nil, err
	}
	if len(entries) == 0 && s.rec == nil {
		return f.Bytes, u, nil, nil
	}
	if s.doc, err = j.parse(&s); err != nil {
		return nil, u, nil, err
	}
	if s.rec != nil && !s.rec.Undo.Untouched(f.Bytes) && s.rec.Undo.After != "" {
		s.doc.Continue(s.rec.Undo)
	}
	ed := j.editor(&s)
	if s.rec != nil {
		holes = s.rec.Holes
	}
	if err := ed.install(entries, holes); err != nil {
		return nil, u, nil, err
	}
	holes = ed.open(holes)
	return s.doc.Bytes(), s.doc.Undo(), holes, nil
}

// put writes a share. What is planned is planned again from what stands in the file by then.
func (j *job) put(ctx context.Context, sh *share, o Options) (File, error) {
	f := File{Path: sh.site.path, Before: sh.site.file.Bytes, After: sh.after}
	for _, en := range sh.entries {
		f.Events = append(f.Events, en.Native)
	}
	f.Changed = !equal(f.Before, f.After)
	if o.DryRun || len(sh.entries) == 0 && !f.Changed {
		return f, nil
	}
	rec := &record{Agent: j.agent.Name, Scope: j.scope.String(), Path: sh.site.path}
	st := j.store(sh.site.path)
	st.Intent = func(now splice.File, after []byte) error {
		old, err := j.ledger.load(j.agent.Name, j.scope, now.Target, now.Bytes)
		if err != nil {
			return err
		}
		rec.Target = now.Target
		pending := *rec
		if old != nil {
			pending.Undo, pending.Holes, pending.Filled = old.Undo, old.Holes, old.Filled
			rec.Filled = before(old)
		}
		pending.Pending = &rec.Undo
		if err := j.ledger.noteFolders(now.Missing); err != nil {
			return err
		}
		return j.ledger.save(&pending, j.scope)
	}
	res, err := st.Update(ctx, sh.site.path, func(now splice.File) (after []byte, err error) {
		f.Before = now.Bytes
		after, rec.Undo, rec.Holes, err = j.planInstall(sh.site, now, sh.entries)
		return after, err
	})
	if err != nil {
		return f, err
	}
	f.After, f.Changed, f.Backup = res.After, res.Wrote, res.Backup
	if res.Wrote {
		return f, j.ledger.save(rec, j.scope)
	}
	return f, nil
}

// before lists the holes that stood in the file before our entries.
func before(old *record) []hole {
	if old.Undo.After == "" {
		return old.Holes
	}
	return old.Filled
}

// open lists the holes that are still there.
func (ed *editor) open(holes []hole) []hole {
	return slices.DeleteFunc(slices.Clone(holes), func(h hole) bool {
		v := ed.doc.Get(ed.events().Key(h.Event).Elem(h.Index))
		return v.Kind() != splice.Object || v.Len() > 0
	})
}
