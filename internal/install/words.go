package install

import (
	"slices"
	"strconv"
	"strings"
)

// Started is a command line that starts us.
type Started struct {
	Program string // as written
	Native  string // the event that it names, "" if none
	Project bool   // with --project
}

// Starts reads a command line: does it start hookspan for one of these agents' names? Only what stands
// where a shell looks for a program counts; the words in an argument, a comment or a path do not.
func Starts(command string, names []string) (Started, bool) {
	if !strings.Contains(command, Name) {
		return Started{}, false
	}
	for _, escapes := range []bool{true, false} { // false: a path of Windows outside of quotes
		if s, ok := starts(lex(command, escapes), names, 0); ok {
			return s, true
		}
	}
	return Started{}, false
}

// StartsArgv is Starts for a program with its arguments, which no shell reads.
func StartsArgv(argv, names []string) (Started, bool) {
	words := make([]word, len(argv))
	for i, a := range argv {
		words[i] = word{text: a}
	}
	return starts(words, names, 0)
}

const maxShells = 3 // sh -c 'sh -c …'

func starts(words []word, names []string, depth int) (Started, bool) {
	head := true
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w.operator:
			head = true
			continue
		case !head:
			continue
		case skipped(words, &i):
			continue
		}
		head = false
		if s, ok := ours(words[i:], names); ok {
			return s, true
		}
		if script, ok := inner(words[i:]); ok && depth < maxShells {
			if s, ok := starts(lex(script, true), names, depth+1); ok {
				return s, true
			}
		}
	}
	return Started{}, false
}

// ours reads a simple command from its program on.
func ours(words []word, names []string) (Started, bool) {
	if len(words) < 3 || !isOurs(words[0].text) || words[1].text != "run" || !slices.Contains(names, words[2].text) {
		return Started{}, false
	}
	s := Started{Program: words[0].text}
	for i, w := range words[3:] {
		if w.operator {
			break
		}
		name, _, _ := strings.Cut(w.text, "=")
		s.Project = s.Project || name == "--project"
		if i == 0 && !strings.HasPrefix(w.text, "-") {
			s.Native = w.text
		}
	}
	return s, true
}

func isOurs(path string) bool {
	base := baseName(path)
	return base == Name || strings.EqualFold(base, Name+".exe")
}

func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// skipped steps over what may stand before a program: words of the shell, assignments, and programs
// that start the rest of their arguments. i is left on the last word skipped.
func skipped(words []word, i *int) bool {
	w := words[*i]
	switch w.text {
	case "if", "then", "else", "elif", "do", "while", "until", "!", "{", "time", "exec", "nohup", "env", "nice":
		return !w.quoted
	case "command":
		return *i+1 < len(words) && !strings.HasPrefix(words[*i+1].text, "-")
	case "timeout":
		if *i+1 < len(words) {
			if _, err := strconv.ParseFloat(strings.TrimRight(words[*i+1].text, "smhd"), 64); err == nil {
				*i++
				return true
			}
		}
	}
	name, _, ok := strings.Cut(w.text, "=")
	return ok && name != "" && !strings.ContainsAny(name, "/\\ '\"-")
}

// inner returns the script of `sh -c SCRIPT`.
func inner(words []word) (string, bool) {
	shells := []string{"sh", "bash", "zsh", "dash", "ksh", "fish", "sh.exe", "bash.exe"}
	if !slices.Contains(shells, baseName(words[0].text)) {
		return "", false
	}
	for i, w := range words[1:] {
		if w.operator || !strings.HasPrefix(w.text, "-") {
			return "", false
		}
		if strings.HasSuffix(w.text, "c") && i+2 < len(words) {
			return words[i+2].text, true
		}
	}
	return "", false
}

// word is a word of a command line, or an operator between commands.
type word struct {
	text     string
	operator bool
	quoted   bool
}

// lex splits a command line into words and operators. Redirections are left out. escapes tells that a
// backslash outside of quotes takes the meaning from the next character.
func lex(s string, escapes bool) []word {
	l := lexer{in: s, escapes: escapes, doubled: strings.HasPrefix(strings.TrimSpace(s), "&")}
	for l.at < len(l.in) {
		l.next()
	}
	l.flush()
	return l.words
}

type lexer struct {
	in      string
	at      int
	escapes bool
	doubled bool // PowerShell, told by its call operator: '' in single quotes is one of them
	words   []word
	text    strings.Builder
	open    bool // a word has begun
	quoted  bool
	target  bool // the next word is the target of a redirection
}

func (l *lexer) next() {
	c := l.in[l.at]
	l.at++
	switch {
	case c == ' ' || c == '\t' || c == '\r':
		l.flush()
	case c == '#' && !l.open:
		l.comment()
	case c == '\n' || c == ';' || c == '|' || c == '&' || c == '(' || c == ')':
		l.flush()
		l.words = append(l.words, word{text: string(c), operator: true})
	case c == '<' || c == '>':
		l.redirect()
	case c == '\'':
		l.single()
	case c == '"':
		l.double()
	case c == '\\' && l.escapes && l.at < len(l.in):
		l.put(l.in[l.at])
		l.at++
	default:
		l.put(c)
	}
}

func (l *lexer) put(c byte) {
	l.open = true
	l.text.WriteByte(c)
}

func (l *lexer) flush() {
	if l.open && !l.target {
		l.words = append(l.words, word{text: l.text.String(), quoted: l.quoted})
	}
	if l.open {
		l.target = false
	}
	l.text.Reset()
	l.open, l.quoted = false, false
}

func (l *lexer) comment() {
	end := strings.IndexByte(l.in[l.at:], '\n')
	if end < 0 {
		end = len(l.in) - l.at
	}
	l.at += end
}

// redirect begins a redirection: a number before it belongs to it, and so does what follows.
func (l *lexer) redirect() {
	if _, err := strconv.Atoi(l.text.String()); err == nil {
		l.text.Reset()
		l.open = false
	}
	l.flush()
	for l.at < len(l.in) && strings.IndexByte("<>&|", l.in[l.at]) >= 0 {
		l.at++
	}
	l.target = true
}

func (l *lexer) single() {
	l.open, l.quoted = true, true
	end := strings.IndexByte(l.in[l.at:], '\'')
	if end < 0 {
		end = len(l.in) - l.at
	}
	l.text.WriteString(l.in[l.at : l.at+end])
	l.at = min(l.at+end+1, len(l.in))
	if l.doubled && l.at < len(l.in) && l.in[l.at] == '\'' {
		l.text.WriteByte('\'')
		l.at++
		l.single()
	}
}

func (l *lexer) double() {
	l.open, l.quoted = true, true
	for l.at < len(l.in) {
		c := l.in[l.at]
		l.at++
		switch {
		case c == '"':
			return
		case c == '\\' && l.at < len(l.in) && strings.IndexByte("\\\"$`\n", l.in[l.at]) >= 0:
			l.text.WriteByte(l.in[l.at])
			l.at++
		default:
			l.text.WriteByte(c)
		}
	}
}
