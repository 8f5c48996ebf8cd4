package guard

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/wire"
)

// named is what a call names: files and folders, and the patterns of files that a search looks into.
type named struct {
	files []hook.File
	globs []string
	op    hook.Op // what is done with those that only the input names
}

// deepest bounds how deep arguments are looked for; no tool is known to nest them deeper than four.
const deepest = 16

// guessed lists what may be files of a call whose tool stands in no table, an MCP tool for instance, or
// whose table names no file, a search for instance: the texts under keys that sound like it, however deep.
// Agents get new tools and keys faster than tables, and a guard must not open for them.
func guessed(ev hook.Event) named {
	var n named
	if k := ev.Tool.Kind; k == hook.KindRead || k == hook.KindSearch {
		n.op = hook.OpRead
	}
	if in, err := wire.Parse(ev.Tool.Input); err == nil {
		n.take(ev, "", in, deepest)
	}
	return n
}

// take looks through the value of a key. A list is looked through as if each element had the key.
func (n *named) take(ev hook.Event, key string, v wire.Value, depth int) {
	if depth == 0 {
		return
	}
	for e := range v.Elems() {
		n.take(ev, key, e, depth-1)
	}
	for k, m := range v.Members() {
		n.take(ev, k, m, depth-1)
	}
	if text := v.Str(); text != "" && soundsLikeAFile(key) {
		n.add(ev, key, text)
	}
}

func (n *named) add(ev hook.Event, key, text string) {
	texts := []string{text}
	if soundsLikeAGlob(key) {
		texts = append(texts, alternatives(text)...)
	}
	for _, s := range texts {
		n.files = append(n.files, hook.File{Path: absolute(ev, s), Op: n.op})
		// A leading ! is how ripgrep says what it leaves out.
		if soundsLikeAGlob(key) && !strings.HasPrefix(s, "!") {
			n.globs = append(n.globs, s)
		}
	}
}

// notFiles are words that only contain one of those that sound like a file.
var notFiles = strings.NewReplacer("profile", "", "direction", "", "security", "")

func soundsLikeAFile(key string) bool {
	key = notFiles.Replace(strings.ToLower(key))
	return soundsLikeAGlob(key) || slices.ContainsFunc([]string{"file", "path", "dir", "folder", "notebook", "uri", "target", "source", "destination"},
		func(word string) bool { return strings.Contains(key, word) })
}

func soundsLikeAGlob(key string) bool {
	key = strings.ToLower(key)
	return strings.Contains(key, "glob") || strings.Contains(key, "include")
}

// alternatives are the patterns that one text stands for: those of a list with commas, and those of {a,b}.
func alternatives(glob string) []string {
	todo, done := []string{glob}, []string(nil)
	for len(todo) > 0 && len(done)+len(todo) < 100 {
		g := todo[0]
		todo = todo[1:]
		end := strings.IndexByte(g, '}')
		start := strings.LastIndexByte(g[:max(end, 0)], '{')
		if start < 0 {
			done = append(done, strings.FieldsFunc(g, func(r rune) bool { return r == ',' })...)
			continue
		}
		for s := range strings.SplitSeq(g[start+1:end], ",") {
			todo = append(todo, g[:start]+s+g[end+1:])
		}
	}
	return done
}

// places are the folders that a search may begin in.
func (n *named) places(ev hook.Event) []string {
	list := []string{absolute(ev, "")}
	for _, f := range n.files {
		if len(list) < 100 && !slices.Contains(list, f.Path) {
			list = append(list, f.Path)
		}
	}
	return list
}

// finds returns the pattern of the protected files that a search is after, "" if it is after none. It is
// where its glob without the wildcards is protected (.env* and .env), or where a glob that begins with a
// letter matches a protected name (.en* and .env). A broad one (*, *.ts) finds protected files as well,
// but is not meant for them.
func finds(patterns []string, base, glob string, places []string) string {
	glob = inside(filepath.ToSlash(glob))
	for _, dir := range places {
		if by := protectedBy(patterns, base, under(dir, bare(glob))); by != "" && bare(glob) != "" {
			return by
		}
	}
	if !aims(path.Base(glob)) {
		return ""
	}
	for _, raw := range patterns {
		name := bare(strings.TrimSuffix(strings.TrimPrefix(raw, "**/"), "/"))
		if hit, _ := doublestar.Match(path.Base(glob), name); !hit || strings.ContainsAny(name, "/!") {
			continue
		}
		if by := protectedBy(patterns, base, filepath.Join(base, name)); by != "" {
			return by
		}
	}
	return ""
}

// inside is the folder of a pattern that means all that lies in it, else the pattern itself.
func inside(glob string) string {
	for {
		dir, last := path.Split(glob)
		if dir == "" || dir == "/" || strings.Trim(last, "*") != "" {
			return glob
		}
		glob = strings.TrimSuffix(dir, "/")
	}
}

func under(dir, p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(dir, p)
}

// bare is a pattern without its wildcards: one of the names that it matches.
func bare(glob string) string {
	glob = strings.ReplaceAll(glob, "**/", "")
	return strings.ReplaceAll(glob, "*", "")
}

// aims reports whether a pattern says how a name begins: with a letter or a digit, or a dot and one.
func aims(name string) bool {
	if i := strings.IndexAny(name, "*?["); i >= 0 {
		name = name[:i]
	}
	return strings.IndexFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

func searchRefusal(glob, pattern string) hook.Decision {
	return hook.Decision{Verdict: hook.Deny,
		Reason: fmt.Sprintf("a search for files like %s is one for protected files (they match %q); they may not be read here", glob, pattern)}
}
