package manifest

import (
	"slices"
	"strings"
)

// maxFrames bounds the nesting that SplitCommands follows.
const maxFrames = 200

// SplitCommands returns the commands of a shell line, also those in substitutions, subshells and
// groups, each as written and without keywords in front. It splits at ; & | and new lines outside
// quotes. It is for filters, not for guards: what it cannot read (a here-document) it takes for more
// commands rather than for fewer. Its time grows with the text's length.
func SplitCommands(s string) []string {
	sp := splitter{text: s, frames: []frame{{}}}
	for sp.i = 0; sp.i < len(s); sp.i++ {
		sp.step(s[sp.i])
	}
	for len(sp.frames) > 0 {
		sp.pop()
	}
	return sp.out
}

// frame is a command list that is open, or a double-quoted text.
type frame struct {
	end      byte // what closes it: ) ` " or 0
	start    int  // of the command that is being read
	subshell bool // not a substitution in a word: behind it a new command begins
}

type splitter struct {
	text   string
	i      int
	frames []frame
	out    []string
}

func (s *splitter) step(c byte) {
	top := &s.frames[len(s.frames)-1]
	switch {
	case c == '\\':
		s.i++
	case c == top.end && top.end != 0:
		s.pop()
	case c == '`':
		s.push('`', false)
	case c == '$' && s.next() == '(':
		s.i++
		s.push(')', false)
	case top.end == '"':
	case c == '"':
		s.push('"', false)
	case c == '\'':
		if n := strings.IndexByte(s.text[s.i+1:], '\''); n >= 0 {
			s.i += n + 1
		}
	case c == '#' && s.wordStart():
		s.emit(top)
		if n := strings.IndexByte(s.text[s.i:], '\n'); n >= 0 {
			s.i += n - 1
		} else {
			s.i = len(s.text)
		}
		top.start = s.i + 1
	case c == '(':
		s.emit(top)
		s.push(')', true)
	case c == ';' || c == '|' || c == '\n' || c == ')' || c == '&' && !s.redirects():
		s.emit(top)
		top.start = s.i + 1
	}
}

func (s *splitter) next() byte {
	if s.i+1 < len(s.text) {
		return s.text[s.i+1]
	}
	return 0
}

// wordStart reports whether a word begins here, so that # begins a comment.
func (s *splitter) wordStart() bool {
	return s.i == 0 || strings.IndexByte(" \t\n;|&()", s.text[s.i-1]) >= 0
}

// redirects reports whether an & belongs to 2>&1 or &>.
func (s *splitter) redirects() bool {
	return s.next() == '>' || s.i > 0 && (s.text[s.i-1] == '>' || s.text[s.i-1] == '<')
}

func (s *splitter) push(end byte, subshell bool) {
	if len(s.frames) < maxFrames {
		s.frames = append(s.frames, frame{end, s.i + 1, subshell})
	}
}

func (s *splitter) pop() {
	last := len(s.frames) - 1
	closed := s.frames[last]
	if closed.end != '"' {
		s.emit(&closed)
	}
	s.frames = s.frames[:last]
	if closed.subshell && last > 0 {
		s.frames[last-1].start = s.i + 1
	}
}

func (s *splitter) emit(f *frame) {
	end := min(s.i, len(s.text))
	if f.start >= end {
		return
	}
	if cmd := withoutKeywords(s.text[f.start:end]); cmd != "" {
		s.out = append(s.out, cmd)
	}
}

func withoutKeywords(cmd string) string {
	for {
		cmd = strings.TrimSpace(cmd)
		word, rest, _ := strings.Cut(cmd, " ")
		switch word {
		case "if", "then", "else", "elif", "while", "until", "do", "!", "{", "}", "fi", "done":
			cmd = rest
		default:
			return cmd
		}
	}
}

// unwrapped returns a command as it stands, and without the assignments and the programs in front
// that only run it: Claude Code strips timeout, time, nice, nohup and stdbuf.
func unwrapped(cmd string) []string {
	rest := cmd
	for {
		word, after := firstWord(rest)
		switch {
		case word == "":
			return []string{cmd}
		case isAssignment(word):
			rest = after
		case slices.Contains([]string{"timeout", "time", "nice", "nohup", "stdbuf"}, word):
			rest = afterOptions(word, after)
		case rest == cmd:
			return []string{cmd}
		default:
			return []string{cmd, rest}
		}
	}
}

// firstWord cuts a command behind its first word. The word keeps its quotes.
func firstWord(cmd string) (word, rest string) {
	cmd = strings.TrimLeft(cmd, " \t\r\n")
	quote := byte(0)
	for i := 0; i < len(cmd); i++ {
		switch c := cmd[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			return cmd[:i], strings.TrimLeft(cmd[i:], " \t\r\n")
		}
	}
	return cmd, ""
}

func isAssignment(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	return ok && isVariable(name)
}

func isVariable(name string) bool {
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}) < 0
}

// afterOptions skips a wrapper's options and, for timeout, the duration.
func afterOptions(wrapper, rest string) string {
	for strings.HasPrefix(rest, "-") {
		var word string
		word, rest = firstWord(rest)
		if len(word) == 2 && word != "-p" {
			_, rest = firstWord(rest) // -n 10, -k 5, -s KILL, -o L
		}
	}
	if wrapper == "timeout" {
		_, rest = firstWord(rest)
	}
	return rest
}
