package guard

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/manifest"
)

// protectPaths refuses tool calls that read or write protected files. The patterns are read as in
// .gitignore: one without a slash names a file or folder anywhere, one with a slash is relative to
// base, `!` takes the last match back, and what lies below a protected folder is protected.
//
// It sees what a tool names: read, write, edit, patch and search tools. What a shell command reads
// or writes it does not see.
func protectPaths(h *manifest.Handler, ev hook.Event, base string) (hook.Decision, error) {
	patterns, seen := h.Option("paths"), touched(ev)
	for _, f := range seen.files {
		if !wanted(access(h), f.Op) {
			continue
		}
		for _, p := range spellings(f.Path) {
			if pattern := protectedBy(patterns, base, p); pattern != "" {
				return refusal(f, base, pattern), nil
			}
		}
	}
	for _, g := range seen.globs {
		if pattern := finds(patterns, base, g, seen.places(ev)); pattern != "" && wanted(access(h), seen.op) {
			return searchRefusal(g, pattern), nil
		}
	}
	return hook.Decision{}, nil
}

func refusal(f hook.File, base, pattern string) hook.Decision {
	return hook.Decision{Verdict: hook.Deny,
		Reason: fmt.Sprintf("%s is protected (it matches %q); it may not be %s here", shown(base, f.Path), pattern, verb(f.Op))}
}

func verb(op hook.Op) string {
	switch op {
	case hook.OpRead:
		return "read"
	case hook.OpDelete:
		return "deleted"
	case hook.OpMove:
		return "moved"
	case "":
		return "touched"
	}
	return "changed"
}

func access(h *manifest.Handler) string {
	if a := h.Option("access"); len(a) > 0 {
		return a[0]
	}
	return "any"
}

func wanted(access string, op hook.Op) bool {
	switch access {
	case "read":
		return op == hook.OpRead || op == ""
	case "write":
		return op != hook.OpRead
	}
	return true
}

// touched lists the files of a call, both ends of a move, and what a search tool looks into.
func touched(ev hook.Event) named {
	var n named
	t := ev.Tool
	if t == nil {
		return n
	}
	for _, f := range t.Files {
		n.files = append(n.files, f)
		if f.MovedTo != "" {
			n.files = append(n.files, hook.File{Path: f.MovedTo, Op: hook.OpUpdate})
		}
	}
	if len(t.Files) > 0 || t.Kind == hook.KindShell || t.Kind == hook.KindFetch || t.Kind == hook.KindSubagent {
		return n
	}
	return guessed(ev)
}

func absolute(ev hook.Event, p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	if ev.Cwd != "" {
		return filepath.Join(ev.Cwd, p)
	}
	return filepath.Join(ev.Project, p)
}

// spellings returns the path as given and as it is on disk: a link must not lead around a guard.
func spellings(p string) []string {
	list := []string{filepath.Clean(p)}
	list = append(list, rewritten(p)...)
	dir, rest := p, ""
	for range 64 { // the file itself may not exist yet
		if to, err := os.Readlink(dir); err == nil { // nor what a link leads to
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(dir), to)
			}
			dir = to
			list = append(list, filepath.Join(dir, rest))
			continue
		}
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			if full := filepath.Join(real, rest); full != list[0] {
				list = append(list, full)
			}
			return list
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return list
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = parent
	}
	return list
}

// rewritten lists what agents make of a path before they open it: ~ is the home (Claude's and Pi's
// tools), a leading @ is dropped, file: addresses are decoded, odd blanks are blanks (Pi 1.6.0). A spelling
// too many can only refuse.
func rewritten(p string) []string {
	var list []string
	s := filepath.ToSlash(p)
	if _, rest, ok := cutAny(s, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			list = append(list, filepath.Join(home, rest))
		}
	}
	if _, rest, ok := cutAny(s, "file:"); ok {
		list = append(list, filepath.Clean("/"+strings.TrimLeft(decoded(rest), "/")))
	}
	if dir, base := filepath.Split(p); strings.HasPrefix(base, "@") {
		list = append(list, filepath.Join(dir, base[1:]))
	}
	if plain := strings.Map(blanks, p); plain != p {
		list = append(list, filepath.Clean(plain))
	}
	return list
}

// cutAny cuts a path at a mark that stands at its beginning or behind a slash.
func cutAny(s, mark string) (before, after string, ok bool) {
	if rest, ok := strings.CutPrefix(s, mark); ok {
		return "", rest, true
	}
	return strings.Cut(s, "/"+mark)
}

func blanks(r rune) rune {
	if r != ' ' && unicode.Is(unicode.Zs, r) {
		return ' '
	}
	return r
}

// decoded reads %XX.
func decoded(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// protectedBy returns the pattern that protects a path, "" if none does.
func protectedBy(patterns []string, base, path string) string {
	by := ""
	for _, raw := range patterns {
		pattern, not := strings.CutPrefix(raw, "!")
		if matches(pattern, base, path) {
			by = raw
			if not {
				by = ""
			}
		}
	}
	return by
}

// matches reports whether the pattern names the path or a folder above it.
func matches(pattern, base, path string) bool {
	pattern = strings.TrimSuffix(filepath.ToSlash(pattern), "/")
	pattern = strings.TrimPrefix(pattern, "./")
	if rest, ok := strings.CutPrefix(pattern, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			pattern = filepath.ToSlash(filepath.Join(home, rest))
		}
	}
	if fold() {
		pattern, path, base = strings.ToLower(pattern), strings.ToLower(path), strings.ToLower(base)
	}
	p := filepath.ToSlash(path)
	switch {
	case !strings.Contains(pattern, "/"):
		return anyPart(pattern, p, filepath.ToSlash(base))
	case strings.HasPrefix(pattern, "/") && hit(pattern, p):
		return true
	}
	for _, b := range bases(base) {
		if rel, ok := strings.CutPrefix(p, strings.TrimSuffix(filepath.ToSlash(b), "/")+"/"); ok {
			return hit(strings.TrimPrefix(pattern, "/"), rel)
		}
	}
	return false
}

// bases returns the folder as given and as it is on disk, since paths arrive in either spelling.
func bases(base string) []string {
	if base == "" {
		return nil
	}
	if real, err := filepath.EvalSymlinks(base); err == nil && real != base {
		return []string{base, real}
	}
	return []string{base}
}

// anyPart matches a name anywhere in the path. Folders above base do not count: a project that
// lies in a folder of that name is not protected as a whole.
func anyPart(pattern, path, base string) bool {
	for _, b := range bases(base) {
		if rel, ok := strings.CutPrefix(path, strings.TrimSuffix(b, "/")+"/"); ok {
			path = rel
			break
		}
	}
	for part := range strings.SplitSeq(path, "/") {
		if ok, _ := doublestar.Match(pattern, part); ok && part != "" {
			return true
		}
	}
	return false
}

// hit matches a pattern with slashes against a path or a folder above it.
func hit(pattern, path string) bool {
	for p := path; p != "." && p != "/" && p != ""; {
		if ok, _ := doublestar.Match(pattern, p); ok {
			return true
		}
		i := strings.LastIndexByte(p, '/')
		if i <= 0 {
			return false
		}
		p = p[:i]
	}
	return false
}

// fold reports whether the system's file names usually ignore case.
func fold() bool { return runtime.GOOS == "darwin" || runtime.GOOS == "windows" }

func shown(base, path string) string {
	if rel, err := filepath.Rel(base, path); base != "" && err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return path
}
