package manifest

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hookspan/hookspan/hook"
)

// Matcher selects occurrences of an event by the name of the tool, or by another subject (the source
// of a SessionStart, the trigger of a PreCompact). The zero Matcher hits everything.
//
// The rules are Claude Code's (2.1.332): absent, "" and "*" hit everything; a text of nothing but
// letters, digits, "_", "-", blanks, "|" and "," is a list of exact names split on "|" and ","; any
// other text is an unanchored regular expression, RE2 here. "Task" also means the tool "Agent".
// Beyond Claude's, "@kind" hits every tool of a kind, whatever an agent calls it, and may stand in a
// list with names. "@edit" covers tools that write whole files as well.
type Matcher struct {
	Text    string      // as written
	Names   []string    // exact names
	Kinds   []hook.Kind // of tools
	Pattern string      // RE2, unanchored; "" = none
	re      *lazyRegexp
}

// lazyRegexp is compiled at the first match: most runs need none of a plan's expressions.
type lazyRegexp struct {
	once sync.Once
	re   *regexp.Regexp
}

// All reports whether the matcher hits everything.
func (m Matcher) All() bool {
	return len(m.Names) == 0 && len(m.Kinds) == 0 && m.Pattern == ""
}

// Match reports whether the matcher hits a tool. names are the names by which the tool may be
// called; kind is "" where it is not known.
func (m Matcher) Match(names []string, kind hook.Kind) bool {
	if m.All() {
		return true
	}
	if kind != "" && slices.Contains(m.Kinds, kind) {
		return true
	}
	for _, name := range names {
		if slices.Contains(m.Names, name) || m.Pattern != "" && m.matchPattern(name) {
			return true
		}
	}
	return false
}

// MatchSubject reports whether the matcher hits an event that is not about a tool. An event that has
// no subject, or whose agent does not tell it, is hit: Claude ignores a matcher there.
func (m Matcher) MatchSubject(subject string) bool {
	return subject == "" || m.Match([]string{subject}, "")
}

// matchPattern hits everything should the expression not compile, which Parse has ruled out: a guard
// must not be lost.
func (m Matcher) matchPattern(name string) bool {
	if m.re == nil {
		re, err := regexp.Compile(m.Pattern)
		return err != nil || re.MatchString(name)
	}
	m.re.once.Do(func() { m.re.re, _ = regexp.Compile(m.Pattern) })
	return m.re.re == nil || m.re.re.MatchString(name)
}

// parseMatcher splits a matcher's text into names, kinds and a pattern, without judging them.
// unknown lists words after "@" that are no kinds.
func parseMatcher(s string) (m Matcher, unknown []string) {
	m.Text = s
	if s == "" || s == "*" {
		return m, nil
	}
	parts, exact := alternatives(s)
	var rest []string
	for _, part := range parts {
		word := strings.TrimSpace(part)
		switch {
		case strings.HasPrefix(word, "@"):
			kinds := kindsOf(word[1:])
			if kinds == nil {
				unknown = append(unknown, word)
			}
			m.Kinds = appendNew(m.Kinds, kinds...)
		case !exact:
			rest = append(rest, part)
		case word == "Task":
			m.Names = appendNew(m.Names, "Task", "Agent")
		case word != "":
			m.Names = appendNew(m.Names, word)
		}
	}
	if len(m.Kinds)+len(unknown) > 0 {
		// Beside kinds a blank alternative is a slip; alone it is Claude's, and hits everything.
		rest = slices.DeleteFunc(rest, func(s string) bool { return strings.TrimSpace(s) == "" })
	}
	m.setPattern(strings.Join(rest, "|"))
	return m, unknown
}

// alternatives splits a matcher: at "|" and "," if it is a list of exact names and kinds, else at
// "|" only, for the parts that are not kinds to be joined again.
func alternatives(s string) (parts []string, exact bool) {
	parts = strings.FieldsFunc(s, func(r rune) bool { return r == '|' || r == ',' })
	for _, p := range parts {
		if !onlyExact(strings.TrimPrefix(strings.TrimSpace(p), "@")) {
			return strings.Split(s, "|"), false
		}
	}
	return parts, true
}

func (m *Matcher) setPattern(p string) {
	m.Pattern = p
	if p != "" {
		m.re = new(lazyRegexp)
	}
}

// onlyExact reports whether Claude reads a matcher as a list of exact names.
func onlyExact(s string) bool {
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune("_|, -", r):
		default:
			return false
		}
	}
	return true
}

func kindWords() []string {
	return []string{"shell", "read", "write", "edit", "search", "fetch", "mcp", "subagent", "other"}
}

// kindsOf returns the kinds that a word after "@" means, nil if it is none.
func kindsOf(word string) []hook.Kind {
	if word == string(hook.KindEdit) {
		return []hook.Kind{hook.KindEdit, hook.KindWrite}
	}
	if slices.Contains(kindWords(), word) {
		return []hook.Kind{hook.Kind(word)}
	}
	return nil
}

func appendNew[T comparable](to []T, more ...T) []T {
	for _, v := range more {
		if !slices.Contains(to, v) {
			to = append(to, v)
		}
	}
	return to
}
