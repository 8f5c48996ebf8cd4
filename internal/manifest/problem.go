package manifest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Problem is one fault of a manifest: an error, or a warning in [Plan].Warnings.
type Problem struct {
	Path         string
	Line, Column int // from 1; 0 = the file as a whole. A column counts characters
	Msg          string
	Hint         string // what to write instead; may be empty
}

// Error returns "hookspan.yaml:7:9: unknown key "matchers" (did you mean "matcher"?)".
func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.Path)
	if p.Line > 0 {
		b.WriteString(":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column))
	}
	b.WriteString(": " + p.Msg)
	if p.Hint != "" {
		b.WriteString(" (" + p.Hint + ")")
	}
	return b.String()
}

// maxProblems bounds what is collected: nobody reads more, and a hostile file could hold a million.
const maxProblems = 100

// report collects the problems of one file.
type report struct {
	path     string
	errors   []Problem
	warnings []Problem
}

func (r *report) fail(at pos, hint, format string, args ...any) {
	r.errors = r.add(r.errors, at, hint, format, args)
}

func (r *report) warn(at pos, hint, format string, args ...any) {
	r.warnings = r.add(r.warnings, at, hint, format, args)
}

func (r *report) add(list []Problem, at pos, hint, format string, args []any) []Problem {
	if len(list) >= maxProblems {
		return list
	}
	return append(list, Problem{Path: r.path, Line: at.line, Column: at.column, Msg: printable(fmt.Sprintf(format, args...)), Hint: printable(hint)})
}

// printable makes text that quotes a manifest fit for a terminal: one line of at most 500 characters,
// without control characters and marks that change the direction of writing.
func printable(s string) string {
	n := 0
	return strings.Map(func(r rune) rune {
		switch n++; {
		case n == 500:
			return '…'
		case n > 500:
			return -1
		case r == '\n' || r == '\t':
			return ' '
		case !unicode.IsPrint(r):
			return '\ufffd'
		}
		return r
	}, s)
}

// full reports whether there are enough errors to stop.
func (r *report) full() bool { return len(r.errors) >= maxProblems }

// sorted brings problems into the order of the file.
func sorted(list []Problem) []Problem {
	slices.SortStableFunc(list, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return list
}

// didYouMean is the hint for a word that is not one of words: the nearest, else all of them.
func didYouMean(word string, words []string) string {
	if near := nearest(word, words); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(words) == 0 {
		return ""
	}
	return "known: " + strings.Join(words, ", ")
}

// nearest returns the word that was probably meant: the same but for case, blanks and separators, or
// else at most a third of its letters away. "" if none is near.
func nearest(word string, words []string) string {
	best, dist := "", len(word)/3+1
	for _, w := range words {
		if folded(w) == folded(word) {
			return w
		}
		if d := distance(strings.ToLower(word), strings.ToLower(w), dist); d < dist {
			best, dist = w, d
		}
	}
	return best
}

func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' || r == '.' {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// distance counts the insertions, deletions, changes and swaps of neighbours that lead from a to b
// (optimal string alignment), or returns max if there are at least max.
func distance(a, b string, max int) int {
	if d := len(a) - len(b); d >= max || -d >= max {
		return max
	}
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return min(prev[len(b)], max)
}

// quoted returns s as a YAML scalar in quotes.
func quoted(s string) string {
	if strings.ContainsAny(s, `"\`) {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return `"` + s + `"`
}

// short is text for a message: one line, at most 60 characters.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}
