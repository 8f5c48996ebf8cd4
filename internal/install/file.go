package install

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/splice"
)

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

func format(c agent.Carrier) splice.Format {
	f := splice.JSON
	switch c.Format {
	case agent.TOML:
		f = splice.TOML
	case agent.JSONComments:
		f |= splice.Comments
	case agent.JSONC:
		f |= splice.Comments | splice.TrailingCommas
	}
	if c.BOM {
		f |= splice.BOM
	}
	return f
}

// read reads a carrier's text; nil = there is no file. Where a byte order mark is one fault and something else
// another, the other is told, since it is the one that takes a look at the file.
func read(c agent.Carrier, path string, text []byte) (*splice.Doc, error) {
	doc, err := splice.Parse(path, text, format(c))
	if err == nil || c.BOM {
		return doc, err
	}
	if _, other := splice.Parse(path, text, format(c)|splice.BOM); other != nil {
		err = other
	}
	return nil, err
}

// isCode reports whether a carrier is a generated file, not a document.
func isCode(c agent.Carrier) bool {
	return c.Format == agent.JavaScript || c.Format == agent.TypeScript
}

// site is a carrier with what stands in it.
type site struct {
	agent.Carrier
	path string
	file splice.File
	doc  *splice.Doc // nil: code
	rec  *record     // nil: the ledger knows nothing of it
}

// job is one call for one agent.
type job struct {
	Env
	agent  *agent.Agent
	setup  agent.Setup
	scope  agent.Scope
	ledger ledger
	free   bool // links may lead anywhere
}

func (e Env) job(a *agent.Agent, scope agent.Scope, free bool) (*job, error) {
	j := &job{Env: e, agent: a, setup: a.Setup(), scope: scope, ledger: e.ledger(), free: free}
	if len(j.setup.Carriers(scope)) == 0 {
		return nil, errors.New("nothing is known about where " + a.Title + " looks for hooks of " + scope.String() + " scope")
	}
	if scope == agent.ScopeProject && e.AtHome() {
		return nil, errors.New("the project is the home folder itself: its files are those of user scope; leave --scope out, or go to a project")
	}
	return j, nil
}

// AtHome reports whether the project is the home folder itself, whose files are those of user scope.
func (e Env) AtHome() bool { return same(e.Project, e.Home) }

// same reports whether two folders are one.
func same(a, b string) bool {
	ra, errA := filepath.EvalSymlinks(a)
	rb, errB := filepath.EvalSymlinks(b)
	return a == b || errA == nil && errB == nil && ra == rb
}

// store is how files are written: links may lead to anywhere in the home, or, for files outside of the
// home, in their own folder or checkout.
func (j *job) store(path string) splice.Store {
	s := splice.Store{State: j.State, Backup: true, AllowOutside: j.free}
	switch {
	case below(path, j.Home):
		s.Root = j.Home
	case j.scope == agent.ScopeProject:
		s.Root = j.Project
	}
	return s
}

func below(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// open reads all carriers of the scope. An unreadable or broken one is an error: an entry elsewhere would
// not make up for it.
func (j *job) open() ([]site, error) {
	var list []site
	for _, c := range j.setup.Carriers(j.scope) {
		path, err := j.Path(c.Path)
		if err != nil {
			return nil, err
		}
		if c.Own {
			if path, err = j.ownName(c, path); err != nil {
				return nil, err
			}
		}
		s, err := j.openOne(c, path)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

func (j *job) openOne(c agent.Carrier, path string) (site, error) {
	s := site{Carrier: c, path: path}
	st := j.store(path)
	var err error
	if s.file, err = splice.Load(path, st.Root); err != nil {
		return s, err
	}
	if s.file.Outside && !j.free {
		_, err := st.Check(path)
		return s, hint(err)
	}
	if s.rec, err = j.ledger.load(j.agent.Name, j.scope, s.file.Target, s.file.Bytes); err != nil || isCode(c) {
		return s, err
	}
	s.doc, err = j.parse(&s)
	return s, err
}

// hint says how a link out of the home is allowed.
func hint(err error) error {
	var e *splice.Error
	if errors.As(err, &e) && e.Fault == splice.Outside {
		e.Hint = "if that is meant: --follow-links"
	}
	return err
}

// parse reads a site's document; with the ledger's knowledge of what earlier installs did.
func (j *job) parse(s *site) (*splice.Doc, error) {
	doc, err := read(s.Carrier, s.path, s.file.Bytes)
	if err != nil {
		return nil, err
	}
	return doc, j.expect(doc, s.At)
}

// expect refuses what the agent would refuse where all of its events hang on it: an event in Codex's files that is no
// list.
func (j *job) expect(doc *splice.Doc, at []string) error {
	if err := doc.Expect(splice.At(at...), splice.Object); err != nil || j.setup.Choice != agent.ChooseUsed {
		return err
	}
	for name := range doc.Get(splice.At(at...)).Members() {
		if name == trustTable {
			continue
		}
		if err := doc.Expect(splice.At(at...).Key(name), splice.Array); err != nil {
			return err
		}
	}
	return nil
}

// ownName is the name of a file that is ours alone: the next free one where a foreign file has it.
func (j *job) ownName(c agent.Carrier, path string) (string, error) {
	ext := filepath.Ext(path)
	stem := strings.TrimSuffix(path, ext)
	const tries = 100
	for n := 2; n < tries; n++ {
		f, err := splice.Load(path, "")
		if err != nil || !f.Exists || j.isOwn(c, f) {
			return path, nil // an error is told by whoever opens it
		}
		path = stem + "-" + strconv.Itoa(n) + ext
	}
	return "", &splice.Error{Fault: splice.NotFile, Path: path, What: "there is no free name for a file of ours beside it", Hint: "remove some of the files named " + filepath.Base(stem) + "-*"}
}

// isOwn reports whether a file is the one that install made.
func (j *job) isOwn(c agent.Carrier, f splice.File) bool {
	if isCode(c) {
		return j.setup.IsBridge != nil && j.setup.IsBridge(f.Bytes)
	}
	if r, err := j.ledger.load(j.agent.Name, j.scope, f.Target, f.Bytes); err == nil && r != nil && !r.Undo.Untouched(f.Bytes) {
		return true
	}
	if len(bytes.TrimSpace(f.Bytes)) == 0 {
		return true
	}
	doc, err := read(c, f.Path, f.Bytes)
	if err != nil {
		return false
	}
	ed := j.editor(&site{Carrier: c, doc: doc})
	return len(ed.find()) > 0
}

func (j *job) editor(s *site) *editor {
	ed := &editor{doc: s.doc, carrier: s.Carrier, setup: &j.setup, names: names(j.agent, &j.setup), trusted: j.setup.HookTrust != nil,
		shared: j.scope == agent.ScopeProject}
	if s.rec != nil {
		ed.parts = s.rec.Undo.Parts
	}
	return ed
}

// choose tells for an event which site carries it.
func (j *job) choose(sites []site, event string) *site {
	switch j.setup.Choice {
	case agent.ChooseUsed:
		return chooseUsed(sites)
	case agent.ChooseByEvent:
		return chooseByEvent(sites, event)
	}
	return &sites[0]
}

// chooseUsed takes the first site with hooks in it, else the first of a file that exists for hooks alone,
// else the first.
func chooseUsed(sites []site) *site {
	for i := range sites {
		for name := range sites[i].doc.Get(splice.At(sites[i].At...)).Members() {
			if name != trustTable {
				return &sites[i]
			}
		}
	}
	return &sites[0]
}

func chooseByEvent(sites []site, event string) *site {
	read := slices.DeleteFunc(pointers(sites), func(s *site) bool { return s.Legacy && sites[0].file.Exists })
	for _, s := range read { // the one that defines it shadows the others
		if s.doc.Get(splice.At(s.At...).Key(event)).Kind() != splice.Absent {
			return s
		}
	}
	for _, s := range read {
		if s.file.Exists && len(s.At) == 0 {
			return s
		}
	}
	return &sites[len(sites)-1]
}

func pointers(sites []site) []*site {
	list := make([]*site, len(sites))
	for i := range sites {
		list[i] = &sites[i]
	}
	return list
}
