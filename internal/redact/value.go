package redact

import "strings"

// named returns what has to be masked if a secret's name, or an option of a program, begins at i. If
// the value is itself the name of a secret, `password: token: x`, its value belongs to it.
func (p *pass) named(i int) (from, to int) {
	from, to = p.valueOf(i)
	for from < to {
		_, more := p.valueOf(p.lastName(from, to))
		if scheme := p.in[from:to]; strings.EqualFold(scheme, "basic") || strings.EqualFold(scheme, "bearer") {
			more = shellWord(p.in, skip(p.in, to, isBlank))
		}
		if more <= to {
			break
		}
		to = more
	}
	return from, to
}

// lastName returns where the name begins that a value ends in.
func (p *pass) lastName(from, to int) int {
	s := p.in
	for to > from && !isName(s[to-1]) && to > from+1 {
		to--
	}
	for from = max(from, to-nameMax); to > from && isName(s[to-1]); {
		to--
	}
	return to
}

// valueOf returns the value of the one name, or option, that begins at i.
func (p *pass) valueOf(i int) (from, to int) {
	s := p.in
	end := skip(s, i, isName)
	start := i
	for start < end && (s[start] == '-' || s[start] == '.') {
		start++
	}
	for end > start && (s[end-1] == '-' || s[end-1] == '.') {
		end--
	}
	name := s[start:end]
	if name == "" {
		return 0, 0
	}
	if from, to = p.option(i, start, end); from < to {
		return from, to
	}
	k := key{s: s, open: i, at: start, end: end, flag: i < start && s[i] == '-'}
	if start == i {
		p.note(name)
	}
	if !k.followed(p.setting) {
		return 0, 0
	}
	if strings.EqualFold(name, "bearer") {
		return k.bearer()
	}
	switch k.sort = sortOf(name); k.sort {
	case harmless:
		return 0, 0
	case loose:
		k.s = s[:min(len(s), k.behind+2*referenceMax)] // what is longer does not look like a key
	}
	return k.value(p.setting)
}

// key is a name in a text, with what stands around it.
type key struct {
	s       string
	open    int // where the name begins, with dashes
	at, end int // the name
	flag    bool
	sort    sort

	quote  byte // the name stands in these quotes; 0 = in none
	behind int  // the place behind the closing quote or bracket
}

// followed reports whether what stands behind a name can be its value, which is not so for most
// words, and looks for quotes around it.
func (k *key) followed(setting bool) bool {
	s := k.s
	k.behind = k.end
	q := k.end
	for q < len(s) && s[q] == '\\' {
		q++
	}
	if q < len(s) && isQuote(s[q]) && k.opened(s[q], q-k.end) {
		k.quote, k.behind = s[q], q+1
	}
	if k.behind < len(s) && s[k.behind] == ']' {
		k.behind++ // env["TOKEN"], a[token]
	}
	p := skip(s, k.behind, isBlank)
	if p >= len(s) {
		return false
	}
	switch c := s[p]; {
	case c == ':' || c == '=' || c == '>' || c == '\n' || c == '\r':
		return true
	case k.quote != 0 && (c == ',' || isAlnum(c)):
		return true // "NAME", "value": ..., key="NAME" value="..."
	case p == k.behind:
		return false
	}
	// A word and a blank: a value if the name is an option, if it is set, or in quotes.
	return k.flag || setting || isQuote(s[p]) || s[p] == '\\' || k.netrc() || strings.EqualFold(s[k.at:k.end], "bearer")
}

// opened reports whether the same quote stands before the name.
func (k *key) opened(quote byte, slashes int) bool {
	at := k.open - 1
	if at < 0 || k.s[at] != quote {
		return false
	}
	for ; slashes > 0; slashes-- {
		if at--; at < 0 || k.s[at] != '\\' {
			return false
		}
	}
	return true
}

// value returns the extent of the name's value; nothing if there is none, or it is none to be masked.
func (k *key) value(setting bool) (from, to int) {
	s := k.s
	p := skip(s, k.behind, isBlank)
	sep, assign := k.separator(p)
	switch {
	case k.flag && k.quote == 0 && p > k.behind && p < len(s) && s[p] != '-' && !isSpace(s[p]):
		return k.plain(p, false) // whatever it begins with
	case assign == '>':
		return k.check(sep, cut(s, sep, "<\n"))
	case assign != 0:
		return k.assigned(assign, sep)
	case p >= len(s):
		return 0, 0
	case k.quote != 0 && k.flag && s[p] == ',': // ["--token", "x"]
		return k.plain(skip(s, p+1, isSpace), true)
	case k.quote != 0 || s[p] == '\n' || s[p] == '\r':
		return k.member()
	case p == k.behind:
		return 0, 0
	case isQuote(s[p]) || s[p] == '\\':
		return k.quoted(p) // PASSWORD 'x', setx TOKEN "x"
	case setting && k.composite(), k.netrc():
		return k.plain(p, false)
	}
	return 0, 0
}

// separator returns the place behind what separates a name from its value, and its kind.
func (k *key) separator(p int) (behind int, assign byte) {
	s := k.s
	if p >= len(s) {
		return p, 0
	}
	switch s[p] {
	case '=':
		q := skip(s, p, func(c byte) bool { return c == '=' })
		if q-p > len("===") || q < len(s) && !isBlank(s[q]) && !isQuote(s[q]) && s[q] != '~' && s[q] != '>' {
			q = p + 1 // no comparison: what follows is the value's own
		}
		if q < len(s) && s[q] == '>' || q+1 < len(s) && s[q] == '~' && isBlank(s[q+1]) {
			q++
		}
		return q, '='
	case ':':
		rest := s[p+1:]
		if strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "//") {
			return p, 0 // Token::new, token://
		}
		if strings.HasPrefix(rest, "=") {
			return p + 2, '='
		}
		return p + 1, ':'
	case '>':
		if p == k.end && k.at > 0 && (s[k.at-1] == '<' || s[k.at-1] == ':') {
			return p + 1, '>' // <password>x</password>
		}
	}
	return p, 0
}

// assigned: the value behind "=" or ":".
func (k *key) assigned(assign byte, p int) (from, to int) {
	s := k.s
	v := skip(s, p, isBlank)
	if k.quote != 0 { // JSON may break the line here
		if w := skip(s, v, isSpace); w < len(s) && isQuote(s[w]) {
			v = w
		}
	}
	bare := k.quote == 0
	switch {
	case v >= len(s):
		return 0, 0
	case s[v] == '\n' || s[v] == '\r':
		return k.list(v)
	case bare && k.at > 0 && (s[k.at-1] == '?' || s[k.at-1] == '&'):
		return k.check(v, cut(s, v, "&#\"'`<> \t\r\n"))
	case bare && assign == ':' && s[k.at:k.end] == "PASS": // PASS: TestTotal
		return 0, 0
	case bare && k.sort == header && !k.flag:
		return k.header(v)
	case bare && assign == ':' && k.lineStart():
		return k.yaml(v)
	case v > p && isCall(s[v:]): // token = next()
		return 0, 0
	}
	return k.plain(v, !bare && assign == ':')
}

// plain: a value in quotes, or a word. In JSON a word also ends at , ] and }.
func (k *key) plain(v int, json bool) (from, to int) {
	s := k.s
	v = skip(s, v, isBlank)
	if v >= len(s) {
		return 0, 0
	}
	if isQuote(s[v]) || s[v] == '\\' && v+1 < len(s) && (isQuote(s[v+1]) || s[v+1] == '\\') {
		return k.quoted(v)
	}
	switch {
	case strings.HasPrefix(s[v:], "$(") || json && s[v] == '{':
		return 0, 0 // a command, an object: what is in it speaks for itself
	case json && s[v] == '[':
		if first := skip(s, v+1, isSpace); first < len(s) && isQuote(s[first]) {
			return k.check(v+1, cut(s, v+1, "]"))
		}
		return 0, 0
	case json:
		return k.check(v, cut(s, v, ",}] \t\r\n"))
	}
	return k.check(v, shellWord(s, v))
}

// quoted: a value in quotes, which stay.
func (k *key) quoted(v int) (from, to int) {
	s := k.s
	q := skip(s, v, func(c byte) bool { return c == '\\' })
	if q >= len(s) || !isQuote(s[q]) {
		return k.check(v, shellWord(s, v))
	}
	slashes, mark := q-v, s[q]
	from = q + 1
	if slashes == 0 && strings.HasPrefix(s[q:], strings.Repeat(string(mark), 3)) {
		if end := find(s, q+3, s[q:q+3]); end >= 0 {
			return k.check(q+3, end)
		}
	}
	end := closing(s, from, mark, slashes)
	if end < 0 {
		return k.check(from, max(from, lineEnd(s, from)))
	}
	behind := end + slashes + 1
	if slashes == 0 && (!delimited(s, behind) || mark == '\'' && strings.HasPrefix(s[behind:], `\'`)) {
		return k.check(from, shellWord(s, behind)) // 'abc'def, 'it'\''s'
	}
	return k.check(from, end)
}

// check leaves alone what is no secret for sure.
func (k *key) check(from, to int) (int, int) {
	v := strings.TrimSpace(k.s[from:max(from, to)])
	switch {
	case isLiteral(v), isReference(v):
		return 0, 0
	case k.sort == countable && isNumber(v):
		return 0, 0
	case k.sort == loose && !looksSecret(v):
		return 0, 0
	case strings.EqualFold(k.s[k.at:k.end], "pwd") && isPath(v):
		return 0, 0 // the shell's PWD=/home/dev, not a connection string's Pwd=x
	}
	return from, to
}

// header: the rest of the line, or up to the quote that stands before the name.
func (k *key) header(v int) (from, to int) {
	s := k.s
	if at := k.at - 1; at >= 0 && isQuote(s[at]) {
		slashes := 0
		for at-1-slashes >= 0 && s[at-1-slashes] == '\\' {
			slashes++
		}
		if end := closing(s, v, s[at], slashes); end >= 0 {
			return k.check(v, end)
		}
	}
	return k.check(v, lineEnd(s, v))
}

// yaml: the rest of the line, a quoted value, or the indented lines of a block.
func (k *key) yaml(v int) (from, to int) {
	s := k.s
	end := lineEnd(s, v)
	line := s[v:end]
	switch {
	case line == "":
		return 0, 0
	case isQuote(s[v]) || s[v] == '\\':
		return k.quoted(v)
	case line[0] == '|' || line[0] == '>':
		if skip(line, 1, func(c byte) bool { return c == '-' || c == '+' || isDigit(c) }) == len(line) {
			return block(s, k.indent(), end)
		}
	case strings.HasPrefix(line, "$("), line[0] == '{', line[0] == '[', isCall(line):
		return 0, 0
	}
	return k.check(v, end)
}

// block: the lines behind a place that are indented more than n, without the line breaks around.
func block(s string, n, p int) (from, to int) {
	p = skip(s, p, isBlank)
	for p < len(s) {
		start := skip(s, p, func(c byte) bool { return c == '\r' || c == '\n' })
		text := skip(s, start, isBlank)
		if text-start <= n && text < len(s) && s[text] != '\n' && s[text] != '\r' {
			break
		}
		if p = lineEnd(s, text); from == 0 {
			from = text
		}
		to = max(to, p)
		p = skip(s, p, isBlank)
	}
	return from, to
}

// list: `passwords:` and lines that begin with a dash below it.
func (k *key) list(p int) (from, to int) {
	s := k.s
	if k.quote != 0 || k.sort < countable || !k.lineStart() {
		return 0, 0
	}
	for {
		item := skip(s, skip(s, p, func(c byte) bool { return c == '\r' || c == '\n' }), isBlank)
		if !strings.HasPrefix(s[item:], "- ") {
			return from, to
		}
		if from == 0 {
			from = item + len("- ")
		}
		p = lineEnd(s, item)
		to = max(from, p)
		p = skip(s, p, isBlank)
	}
}

// member: the name is itself a value, and its own stands in the next member.
func (k *key) member() (from, to int) {
	if v := valueMember(k.s, k.behind); v > 0 {
		return k.plain(v, k.quote != 0)
	}
	return 0, 0
}

// valueMember: a name that is itself a value, {"name": "DB_PASSWORD", "value": "x"}, or
// <add key="ApiKey" value="x"/>. It returns where the value begins; 0 = there is none.
func valueMember(s string, p int) int {
	at := p
	p = skip(s, p, func(c byte) bool { return isSpace(c) || c == ',' })
	if p == at || p-at > 200 {
		return 0
	}
	p = skip(s, p, func(c byte) bool { return c == '\\' || isQuote(c) })
	if len(s) < p+5 || !strings.EqualFold(s[p:p+5], "value") {
		return 0
	}
	p = skip(s, p+5, func(c byte) bool { return c == '\\' || isQuote(c) })
	p = skip(s, p, isBlank)
	if p >= len(s) || s[p] != ':' && s[p] != '=' {
		return 0
	}
	return skip(s, p+1, isBlank)
}

// bearer: "Bearer" and a token behind it, anywhere.
func (k *key) bearer() (from, to int) {
	s := k.s
	from = skip(s, k.end, isBlank)
	to = skip(s, from, func(c byte) bool { return base64.has(c) || c == '~' })
	if from == k.end || to-from < 8 || to-from < 20 && !strings.ContainsAny(s[from:to], "0123456789") {
		return 0, 0
	}
	return from, to
}

// lineStart reports whether only blanks, a list's dash or `export` stand before the name.
func (k *key) lineStart() bool {
	from := max(0, k.open-nameMax)
	at := strings.LastIndexByte(k.s[from:k.open], '\n')
	if at < 0 && from > 0 {
		return false
	}
	before := strings.TrimLeft(k.s[from+at+1:k.open], " \t-")
	return before == "" || before == "export "
}

// indent is the indentation of the name's line.
func (k *key) indent() int {
	line := k.s[strings.LastIndexByte(k.s[:k.open], '\n')+1 : k.at]
	return skip(line, 0, isBlank)
}

// composite: a name that is not a word of a sentence.
func (k *key) composite() bool {
	name := k.s[k.at:k.end]
	return strings.ContainsAny(name, "._-") || strings.ToUpper(name) == name
}

// netrc: `login NAME password X`.
func (k *key) netrc() bool {
	if !strings.EqualFold(k.s[k.at:k.end], "password") {
		return false
	}
	before := strings.TrimRight(k.s[max(0, k.at-200):k.at], " \t\n")
	before = strings.TrimRight(before[:strings.LastIndexAny(before, " \t\n")+1], " \t\n")
	return strings.HasSuffix(before, "login")
}
