package redact

import "strings"

// Mask stands for what was masked.
const Mask = "[masked]"

// maxPasses bounds the work on a text that is made to be masked again and again.
const maxPasses = 32

// Text returns s with its secrets masked; s itself if there are none. It may be any text: a shell
// command, a log line, a program, JSON.
func Text(s string) string { return text(s, true) }

// text masks until nothing is left to mask, since a mask moves the boundaries of what stands beside
// it. random says whether random tokens count.
func text(s string, random bool) string {
	for range maxPasses {
		p := pass{in: s, random: random}
		out := p.run()
		if out == s {
			return s
		}
		s = out
	}
	return Mask
}

// pass is one walk over a text.
type pass struct {
	memo
	in     string
	out    []byte // what was written so far; in[done:] is not yet there
	done   int
	random bool

	command string // the program of the shell command that we are in, as far as it matters
	setting bool   // the command sets something: `git config`, `setx`
	blob    int    // where a line of base64 ended that is part of a block of lines
	runEnd  int    // end of the run of token characters that we are in
	tokenAt int    // where to look at token characters again
}

func (p *pass) run() string {
	for i := 0; i < len(p.in); {
		i = p.step(i)
	}
	if p.out == nil {
		return p.in
	}
	return string(append(p.out, p.in[p.done:]...))
}

// mask replaces in[from:to] and returns where to go on.
func (p *pass) mask(from, to int) int {
	if strings.HasPrefix(p.in[from:], Mask) {
		to = max(to, from+len(Mask)) // a delimiter of the place may be part of the mask
	}
	if from < to && p.in[from:to] != Mask {
		p.out = append(append(p.out, p.in[p.done:from]...), Mask...)
		p.done = to
	}
	return to
}

// step looks at what begins at i and returns where the next thing may begin.
func (p *pass) step(i int) int {
	c := p.in[i]
	switch {
	case isName(c):
		return p.word(i)
	case c == ':' && strings.HasPrefix(p.in[i:], "://"):
		if from, to := userinfo(p.in, i+3); from < to {
			return p.mask(from, to)
		}
		return i + 3
	case c == '[' && strings.HasPrefix(p.in[i:], Mask):
		return i + len(Mask)
	case c == '\n' || c == ';' || c == '|' || c == '&':
		p.command, p.setting = "", false
	}
	return i + 1
}

// word looks at an alphanumeric run and at what it is the beginning of.
func (p *pass) word(i int) int {
	s := p.in
	if s[i] == '-' && strings.HasPrefix(s[i:], pemBegin) {
		from, to, next, public := p.pem(s, i)
		p.tokenAt = max(p.tokenAt, public)
		if from < to {
			p.mask(from, to)
		}
		return next
	}
	if i == 0 || !isAlnum(s[i-1]) {
		if _, n := p.match(s, i); n > 0 {
			return p.mask(i, i+n)
		}
	}
	if i == 0 || !isName(s[i-1]) {
		if from, to := p.named(i); from < to {
			return p.mask(from, to)
		}
	}
	if p.random && i >= p.tokenAt {
		from, to := p.token(i)
		if from < to {
			return p.mask(from, to)
		}
	}
	if !isAlnum(s[i]) {
		return i + 1
	}
	for i < len(s) && isAlnum(s[i]) {
		i++
	}
	return i
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isName: the characters of names of variables, options, keys and headers.
func isName(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' }

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// skip returns the first place at or behind i whose character does not satisfy is.
func skip(s string, i int, is func(byte) bool) int {
	for i < len(s) && is(s[i]) {
		i++
	}
	return i
}

// find returns the place of sub at or behind i, or -1.
func find(s string, i int, sub string) int {
	if n := strings.Index(s[i:], sub); n >= 0 {
		return i + n
	}
	return -1
}

// lineEnd returns the end of the line that i is in, without blanks and carriage returns.
func lineEnd(s string, i int) int {
	end := find(s, i, "\n")
	if end < 0 {
		end = len(s)
	}
	for end > i && isSpace(s[end-1]) {
		end--
	}
	return end
}
