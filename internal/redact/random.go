package redact

import "strings"

const (
	randomMin = 32  // characters of a random token
	keyMin    = 20  // the same under a name that may be a secret's
	randomMax = 128 // what is longer is data
	awsSecret = 40  // characters of AWS' secret keys, which have no mark of their own
	blobLine  = 60  // lines of base64 are 64 or 76 characters long
)

func isTokenChar(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '+' || c == '/' }

// token looks at the run of token characters that i is in, and returns what of it is random.
func (p *pass) token(i int) (from, to int) {
	s := p.in
	if i >= p.runEnd {
		p.runEnd = skip(s, i, isTokenChar)
		if p.partOfBlob(i, p.runEnd) {
			p.tokenAt = p.runEnd
			return 0, 0
		}
	}
	end := p.runEnd
	if !isAlnum(s[i]) {
		p.tokenAt = i + 1
		return 0, 0
	}
	if p.tokenAt = end; end-i < randomMin || known(s, i, end) {
		return 0, 0
	}
	if looksRandom(s[i:end]) {
		return i, padded(s, end)
	}
	if at := strings.IndexByte(s[i:end], '/'); at >= 0 {
		p.tokenAt = i + at + 1 // a path: its parts are looked at one by one
		if end = i + at; end-i >= randomMin && looksRandom(s[i:end]) {
			return i, end
		}
	}
	return 0, 0
}

// padded takes the end of base64 in.
func padded(s string, end int) int {
	p := skip(s, end, func(c byte) bool { return c == '=' })
	if p-end > 2 || p < len(s) && isAlnum(s[p]) {
		return end
	}
	return p
}

// partOfBlob reports whether a run is a line of several lines of base64.
func (p *pass) partOfBlob(from, to int) bool {
	s := p.in
	next := skip(s, to, func(c byte) bool { return c == '\r' || c == '\n' })
	long := to-from >= blobLine
	goesOn := long && next > to && skip(s, next, isTokenChar)-next >= randomMin/2
	if !goesOn && (p.blob == 0 || from > p.blob) {
		return false
	}
	if goesOn {
		p.blob = next
	}
	return true
}

// known reports whether what stands around a run says that it is public.
func known(s string, from, to int) bool {
	run, before := s[from:to], s[max(0, from-8):from]
	for _, prefix := range [...]string{"sha1-", "sha256-", "sha384-", "sha512-", "AAAAB3Nza", "AAAAC3Nza", "AAAAE2Vj", "AAAAGnNr",
		"toolu_", "srvtoolu_", "call_", "msg_", "resp_", "chatcmpl-", "req_", "run_", "thread_", "fc_", "rs_", "ses_", "prt_"} {
		if strings.HasPrefix(run, prefix) {
			return true
		}
	}
	for _, mark := range [...]string{"h1:", "SHA256:", "base64,", "sha256:"} {
		if strings.HasSuffix(before, mark) {
			return true
		}
	}
	return false
}

// looksRandom reports whether a word is a random token: capitals, small letters and digits in disorder.
// Of random base64 of 32 characters it knows 99 in 100; an identifier changes the kind of its
// characters at one place in four, a random token at six in ten.
func looksRandom(s string) bool {
	if len(s) < randomMin || len(s) > randomMax {
		return false
	}
	var count [4]int
	var seen [256]bool
	distinct, changes, last := 0, 0, -1
	for i := range len(s) {
		c := s[i]
		if !isTokenChar(c) {
			return false
		}
		k := classOf(c)
		count[k]++
		if last >= 0 && k != last {
			changes++
		}
		last = k
		if !seen[c] {
			seen[c] = true
			distinct++
		}
	}
	digits := 2
	if len(s) == awsSecret {
		digits = 1
	}
	return count[0] >= 3 && count[1] >= 3 && count[2] >= digits && distinct >= 18 && changes*10 >= (len(s)-1)*4
}

// looksSecret is for values of names like SOME_KEY, where less disorder is enough: from 20 characters
// on, letters and digits, no words with dashes between them.
func looksSecret(s string) bool {
	if len(s) < keyMin || len(s) > randomMax {
		return false
	}
	letters, digits := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
			digits++
		case isAlnum(c):
			letters++
		case strings.IndexByte("+/=_", c) < 0:
			return looksRandom(s)
		}
	}
	return letters >= 3 && digits >= 3
}

func classOf(c byte) int {
	switch {
	case 'A' <= c && c <= 'Z':
		return 0
	case 'a' <= c && c <= 'z':
		return 1
	case isDigit(c):
		return 2
	}
	return 3
}
