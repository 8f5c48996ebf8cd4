package status

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/splice"
	"github.com/hookspan/hookspan/internal/wire"
)

// file is a carrier as it is on this machine.
type file struct {
	carrier agent.Carrier
	scope   agent.Scope
	path    string
	exists  bool
	doc     *splice.Doc // nil where it could not be read, or is code
	code    []byte      // of a generated file of ours
	err     error
}

// entry is one handler of ours.
type entry struct {
	file           *file
	native         string
	group, handler int
	value          splice.Value // the handler; Absent in a generated file
	matcher        splice.Value
	program        string // what it starts, as written
	note           string // of a generated file that is not as it would be made now
}

// files reads the carriers of a scope.
func files(env install.Env, s *agent.Setup, scope agent.Scope) []*file {
	var list []*file
	for _, c := range s.Carriers(scope) {
		path, err := env.Path(c.Path)
		if err != nil {
			list = append(list, &file{carrier: c, scope: scope, err: err})
			continue
		}
		for _, p := range places(c, path) {
			f := &file{carrier: c, scope: scope, path: p}
			f.read()
			list = append(list, f)
		}
	}
	return list
}

// places are where a carrier may lie: install gives a file that is ours alone another name where somebody
// else's has the first.
func places(c agent.Carrier, path string) []string {
	if !c.Own {
		return []string{path}
	}
	ext := filepath.Ext(path)
	others, _ := filepath.Glob(strings.TrimSuffix(path, ext) + "-*" + ext) // the pattern is a good one, or finds nothing
	return append([]string{path}, others...)
}

func (f *file) read() {
	text, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	f.exists = true
	switch {
	case err != nil:
		f.err = err
	case f.carrier.Format == agent.JavaScript || f.carrier.Format == agent.TypeScript:
		f.code = text
	default:
		f.doc, f.err = splice.Parse(f.path, text, format(f.carrier))
	}
}

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

// events is the file's map of events.
func (f *file) events() splice.Value {
	if f.doc == nil {
		return splice.Value{}
	}
	return f.doc.Get(splice.At(f.carrier.At...))
}

// entries finds ours in a file.
func (f *file) entries(env install.Env, a *agent.Agent, s *agent.Setup) []entry {
	if f.code != nil {
		return f.generated(env, a, s)
	}
	var list []entry
	for native, groups := range f.events().Members() {
		for gi, g := range groups.Elems() {
			if hooks := g.Get("hooks"); hooks.Kind() == splice.Array {
				for hi, h := range hooks.Elems() {
					list = f.add(list, a, s, entry{native: native, group: gi, handler: hi, value: h, matcher: g.Get("matcher")})
				}
				continue
			}
			list = f.add(list, a, s, entry{native: native, group: gi, value: g, matcher: g.Get("matcher")})
		}
	}
	return list
}

func (f *file) add(list []entry, a *agent.Agent, s *agent.Setup, en entry) []entry {
	started, ok := install.Starts(en.value.Get(s.Keys.Command).Str(), s.Names(a))
	if !ok {
		return list
	}
	en.file, en.program = f, started.Program
	return append(list, en)
}

// generated reads a file of code: its first line says that it is ours, and a line of JSON what it was
// made with.
func (f *file) generated(env install.Env, a *agent.Agent, s *agent.Setup) []entry {
	if s.IsBridge == nil || s.Bridge == nil || !s.IsBridge(f.code) {
		return nil
	}
	config := bridgeConfig(f.code)
	b := agent.Bridge{Program: config.Get("program").Str(), Project: config.Get("project").Str(),
		Block: config.Get("on_failure").Str() == "block", Events: texts(config.Get("events"))}
	if config.Has("tools") {
		b.Tools = texts(config.Get("tools"))
	}
	note := ""
	if now := s.Bridge(b); !bytes.Equal(now, f.code) {
		note = "it was changed by hand"
		if firstLine(now) != firstLine(f.code) && version(now) != version(f.code) {
			note = "it was made by another version of hookspan"
		}
	}
	var list []entry
	for _, native := range b.Events {
		list = append(list, entry{file: f, native: native, program: b.Program, note: note})
	}
	return list
}

// bridgeConfig is what a generated file was made with.
func bridgeConfig(code []byte) wire.Value {
	for line := range bytes.Lines(code) {
		_, rest, ok := bytes.Cut(line, []byte("CONFIG = "))
		if !ok {
			continue
		}
		rest = bytes.TrimRight(rest, "; \r\n")
		if v, err := wire.Parse(rest); err == nil {
			return v
		}
	}
	return wire.Value{}
}

func texts(v wire.Value) []string {
	list := []string{}
	for e := range v.Elems() {
		list = append(list, e.Str())
	}
	return list
}

func firstLine(b []byte) string {
	line, _, _ := strings.Cut(string(b), "\n")
	return line
}

// version is the word version=N of a generated file's first line.
func version(code []byte) string {
	for _, w := range strings.Fields(firstLine(code)) {
		if v, ok := strings.CutPrefix(w, "version="); ok {
			return v
		}
	}
	return ""
}

// FilesOf returns the files of a scope that hold an entry of ours for an agent.
func FilesOf(env install.Env, a *agent.Agent, scope agent.Scope) []string {
	if a.Setup == nil {
		return nil
	}
	s := a.Setup()
	var list []string
	for _, f := range files(env, &s, scope) {
		if len(f.entries(env, a, &s)) > 0 {
			list = append(list, f.path)
		}
	}
	return list
}

// readDoc reads a settings file that is no carrier; nil where there is none or it cannot be read.
func readDoc(env install.Env, pattern string) (*splice.Doc, string) {
	path, err := env.Path(pattern)
	if err != nil {
		return nil, ""
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, path
	}
	f := lenient
	if isTOML(pattern) {
		f = splice.TOML
	}
	doc, err := splice.Parse(path, text, f)
	if err != nil {
		return nil, path
	}
	return doc, path
}

// lenient is for files that are only looked at.
const lenient = splice.Comments | splice.TrailingCommas | splice.BOM

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
