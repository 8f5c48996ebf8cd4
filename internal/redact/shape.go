package redact

import "strings"

// chars are the characters of a token behind its prefix.
type chars uint8

const (
	alnum  chars = iota // A-Z a-z 0-9
	upper               // A-Z 0-9
	word                // alnum _ -
	dotted              // word .
	base64              // word . + / =
)

func (k chars) has(c byte) bool {
	switch k {
	case upper:
		return 'A' <= c && c <= 'Z' || isDigit(c)
	case alnum:
		return isAlnum(c)
	case word:
		return isAlnum(c) || c == '_' || c == '-'
	case dotted:
		return isAlnum(c) || c == '_' || c == '-' || c == '.'
	}
	return isAlnum(c) || strings.IndexByte("_-.+/=", c) >= 0
}

// shape is a kind of token with a prefix of its own.
type shape struct {
	prefix string
	min    int // characters behind the prefix, at least
	chars  chars
	digit  bool // one of them is a digit: the prefix is also the beginning of words
	kind   string
}

// shapes are sorted by prefix; of several that fit, the last counts. Prefixes are as their makers
// document them; lengths are shorter than what is issued today, so that older and cut tokens count.
var shapes = [...]shape{
	{"ABIA", 16, upper, false, "aws"},
	{"ACCA", 16, upper, false, "aws"},
	{"AGE-SECRET-KEY-1", 20, upper, false, "age"},
	{"AIza", 30, word, false, "google"},
	{"AKIA", 16, upper, false, "aws"},
	{"ASIA", 16, upper, false, "aws"},
	{"ATATT3", 20, base64, false, "atlassian"},
	{"EAACEdEose0cBA", 10, alnum, false, "facebook"},
	{"FlyV1", 20, base64, false, "fly"},
	{"GOCSPX-", 16, word, false, "google"},
	{"HRKU-", 20, word, true, "heroku"},
	{"LS0tLS1CRUdJTi", 20, base64, false, "private-key"}, // base64 of "-----BEGIN"
	{"NRAK-", 20, alnum, false, "newrelic"},
	{"PMAK-", 20, word, true, "postman"},
	{"SG.", 30, dotted, true, "sendgrid"},
	{"atlasv1.", 20, word, false, "terraform"},
	{"dapi", 32, alnum, true, "databricks"},
	{"dckr_pat_", 16, word, false, "docker"},
	{"doo_v1_", 20, alnum, false, "digitalocean"},
	{"dop_v1_", 20, alnum, false, "digitalocean"},
	{"dor_v1_", 20, alnum, false, "digitalocean"},
	{"dp.pt.", 20, alnum, false, "doppler"},
	{"dp.st.", 20, dotted, false, "doppler"},
	{"eyJ", 0, dotted, false, "jwt"}, // see jwt
	{"figd_", 20, word, false, "figma"},
	{"fo1_", 20, word, true, "fly"},
	{"gh", 0, alnum, false, "github"}, // see github
	{"github_pat_", 20, word, false, "github"},
	{"glagent-", 16, word, true, "gitlab"},
	{"glc_", 20, base64, true, "grafana"},
	{"glcbt-", 16, word, false, "gitlab"},
	{"gldt-", 16, word, false, "gitlab"},
	{"glft-", 16, word, false, "gitlab"},
	{"glimt-", 16, word, false, "gitlab"},
	{"gloas-", 16, word, false, "gitlab"},
	{"glpat-", 16, dotted, false, "gitlab"},
	{"glptt-", 16, word, false, "gitlab"},
	{"glrt-", 16, dotted, false, "gitlab"},
	{"glsa_", 20, word, false, "grafana"},
	{"glsoat-", 16, word, false, "gitlab"},
	{"gsk_", 20, alnum, true, "groq"},
	{"hf_", 30, alnum, false, "huggingface"},
	{"hvb.", 20, word, true, "vault"},
	{"hvs.", 20, word, true, "vault"},
	{"lin_api_", 20, alnum, false, "linear"},
	{"nfp_", 20, alnum, true, "netlify"},
	{"npm_", 30, alnum, true, "npm"},
	{"ntn_", 30, alnum, true, "notion"},
	{"pplx-", 20, alnum, true, "perplexity"},
	{"pscale_oauth_", 16, dotted, false, "planetscale"},
	{"pscale_pw_", 16, dotted, false, "planetscale"},
	{"pscale_tkn_", 16, dotted, false, "planetscale"},
	{"pypi-AgE", 16, word, false, "pypi"},
	{"r8_", 30, alnum, true, "replicate"},
	{"rk_live_", 10, alnum, false, "stripe"},
	{"rk_test_", 10, alnum, false, "stripe"},
	{"rubygems_", 30, alnum, true, "rubygems"},
	{"sbp_", 30, alnum, true, "supabase"},
	{"secret_", 40, alnum, true, "notion"},
	{"shpat_", 30, alnum, false, "shopify"},
	{"shpca_", 30, alnum, false, "shopify"},
	{"shppa_", 30, alnum, false, "shopify"},
	{"shpss_", 30, alnum, false, "shopify"},
	{"sk-", 20, alnum, true, "api-key"}, // OpenAI, DeepSeek and others
	{"sk-None-", 16, word, true, "openai"},
	{"sk-admin-", 16, word, true, "openai"},
	{"sk-ant-", 8, word, false, "anthropic"},
	{"sk-lf-", 20, word, true, "langfuse"},
	{"sk-or-", 16, word, true, "openrouter"},
	{"sk-proj-", 16, word, true, "openai"},
	{"sk-svcacct-", 16, word, true, "openai"},
	{"sk_live_", 10, alnum, false, "stripe"},
	{"sk_test_", 10, alnum, false, "stripe"},
	{"sntrys_", 20, base64, false, "sentry"},
	{"sntryu_", 20, alnum, false, "sentry"},
	{"sq0atp-", 16, word, false, "square"},
	{"sq0csp-", 16, word, false, "square"},
	{"tskey-", 12, word, true, "tailscale"},
	{"whsec_", 20, base64, true, "stripe"},
	{"xai-", 40, alnum, true, "xai"},
	{"xapp-", 16, word, true, "slack"},
	{"xox", 0, word, false, "slack"}, // see slack
	{"ya29.", 20, word, false, "google"},
}

// Find returns the first token of a known shape in s, with the name of who issues it; from < to if
// there is one. Private keys have the kind "private-key", web tokens "jwt".
func Find(s string) (kind string, from, to int) {
	var m memo
	for i := 0; i < len(s); i++ {
		if i > 0 && isAlnum(s[i-1]) {
			continue
		}
		if s[i] == '-' && strings.HasPrefix(s[i:], pemBegin) {
			if from, to, _, _ := m.pem(s, i); from < to {
				return "private-key", from, to
			}
		}
		if kind, n := m.match(s, i); n > 0 {
			return kind, i, i + n
		}
	}
	return "", 0, 0
}

// memo keeps what is far ahead in the text, so that a text full of beginnings is not read to its end
// for each of them.
type memo struct {
	dotTo int // end of the run of dotted characters that was looked at last
	dot   int // place of the last dot in it that has something behind it; -1 = none
	pemTo int // place of the next end of a PEM block; the length of the text if there is none
}

// match returns the kind and the length of the token that begins at i; 0 = none.
func (m *memo) match(s string, i int) (kind string, length int) {
	c := s[i]
	if !isAlnum(c) {
		return "", 0
	}
	if isDigit(c) {
		return telegram(s, i)
	}
	lo, hi := 0, len(shapes)
	for lo < hi { // the first shape whose prefix begins with c
		if mid := (lo + hi) / 2; shapes[mid].prefix[0] < c {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for k := lo; k < len(shapes) && shapes[k].prefix[0] == c; k++ {
		if n := m.fits(&shapes[k], s, i); n > 0 {
			kind, length = shapes[k].kind, n
		}
	}
	if length == 0 && strings.HasPrefix(s[i:], slackHook) {
		return hook(s, i)
	}
	return kind, length
}

// random tokens have a digit among so many characters.
const digitWithin = 256

// fits returns the length of the token of this shape at i; 0 = none.
func (m *memo) fits(h *shape, s string, i int) int {
	if !strings.HasPrefix(s[i:], h.prefix) {
		return 0
	}
	switch h.prefix {
	case "eyJ":
		return m.jwt(s, i)
	case "gh":
		return github(s, i)
	case "xox":
		return slack(s, i)
	}
	start := i + len(h.prefix)
	end, digit := start, !h.digit
	for end < len(s) && h.chars.has(s[end]) {
		digit = digit || isDigit(s[end])
		end++
		if !digit && end-start > digitWithin {
			return 0
		}
	}
	if end-start < h.min || !digit {
		return 0
	}
	if h.chars == upper && h.min == 16 && (end-start != 16 || end < len(s) && isAlnum(s[end])) {
		return 0 // AWS key ids have one length; longer words in capitals are words
	}
	return end - i
}

// jwt: a header in base64url, which begins with {" and therefore with eyJ, and one or more parts
// behind dots.
func (m *memo) jwt(s string, i int) int {
	if i >= m.dotTo {
		m.dot = -1
		for m.dotTo = i; m.dotTo < len(s) && dotted.has(s[m.dotTo]); m.dotTo++ {
			if s[m.dotTo] == '.' && m.dotTo+4 < len(s) && word.has(s[m.dotTo+1]) && word.has(s[m.dotTo+4]) {
				m.dot = m.dotTo
			}
		}
	}
	if m.dot < i+len("eyJ")+8 {
		return 0
	}
	end := m.dotTo
	for s[end-1] == '.' {
		end--
	}
	return end - i
}

// github: ghp_ gho_ ghu_ ghs_ ghr_.
func github(s string, i int) int {
	if len(s) < i+4 || strings.IndexByte("pousr", s[i+2]) < 0 || s[i+3] != '_' {
		return 0
	}
	n := skip(s, i+4, isAlnum) - i
	if n < 24 {
		return 0
	}
	return n
}

// slack: xoxb- xoxp- xoxe.xoxp- ...
func slack(s string, i int) int {
	if len(s) < i+5 || strings.IndexByte("abcdeoprs", s[i+3]) < 0 || s[i+4] != '-' && s[i+4] != '.' {
		return 0
	}
	n := skip(s, i+5, dotted.has) - i
	if n < 15 {
		return 0
	}
	return n
}

const slackHook = "hooks.slack.com/services/"

// hook: the path of a Slack webhook is its secret.
func hook(s string, i int) (string, int) {
	end := skip(s, i+len(slackHook), func(c byte) bool { return isAlnum(c) || c == '/' })
	if end < i+len(slackHook)+20 {
		return "", 0
	}
	return "slack", end - i
}

// telegram: 8 to 10 digits, a colon, 35 characters that begin with AA.
func telegram(s string, i int) (string, int) {
	colon := skip(s, i, isDigit)
	if n := colon - i; n < 8 || n > 10 || !strings.HasPrefix(s[colon:], ":AA") {
		return "", 0
	}
	end := skip(s, colon+1, word.has)
	if end-colon-1 < 30 {
		return "", 0
	}
	return "telegram", end - i
}

const pemBegin = "-----BEGIN "

// pem reads a PEM block at i. Of a private key in[from:to] is the body. next is where to go on;
// public is the end of a block whose lines only look like random tokens, of a certificate.
func (m *memo) pem(s string, i int) (from, to, next, public int) {
	label := i + len(pemBegin)
	n := strings.Index(s[label:min(len(s), label+64)], "-----")
	if n < 0 || strings.ContainsAny(s[label:label+n], "\n\"'") {
		return 0, 0, label, 0
	}
	body := label + n + len("-----")
	if m.pemTo < body {
		if m.pemTo = find(s, body, "-----END "); m.pemTo < 0 {
			m.pemTo = len(s)
		}
	}
	switch {
	case strings.Contains(s[label:label+n], "PRIVATE KEY"):
		from, to = trimBody(s, body, m.pemTo) // without an end nobody knows where it ends
		return from, to, m.pemTo, 0
	case skip(s, body, bodyChar) == m.pemTo:
		return 0, 0, body, m.pemTo
	}
	return 0, 0, body, 0
}

// trimBody leaves the line breaks around the body, also escaped ones, so that a mask stands on a line
// of its own.
func trimBody(s string, from, to int) (int, int) {
	for from < to && (isSpace(s[from]) || strings.HasPrefix(s[from:to], `\n`) || strings.HasPrefix(s[from:to], `\r`)) {
		if s[from] == '\\' {
			from++
		}
		from++
	}
	for from < to && (isSpace(s[to-1]) || strings.HasSuffix(s[from:to], `\n`) || strings.HasSuffix(s[from:to], `\r`)) {
		if s[to-1] == 'n' || s[to-1] == 'r' {
			to--
		}
		to--
	}
	return from, to
}

func bodyChar(c byte) bool {
	return isAlnum(c) || isSpace(c) || strings.IndexByte(`+/=\:,`, c) >= 0
}
