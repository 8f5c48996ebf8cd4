package redact

import "strings"

// sort of a name: how much it says about what stands under it, least first.
type sort uint8

const (
	harmless  sort = iota
	loose          // "SOME_KEY": a secret if it looks like one
	countable      // "tokens": secrets, unless they are counts
	secret         // what stands under it is one
	header         // "Authorization": the rest of the line is one
)

// stems make a name a secret's, wherever they stand in it. Lower case, without separators.
var stems = [...]string{
	"password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "motdepasse", "senha",
	"secret", "securestring", "token", "credential", "apikey", "accesskey", "privatekey", "privkey",
	"signingkey", "encryptionkey", "decryptionkey", "masterkey", "accountkey", "authkey", "deploykey",
	"servicekey", "subscriptionkey", "sharedkey", "storagekey", "sessionkey", "consumerkey", "hmackey",
	"adminkey", "licensekey", "authorization", "cookie", "bearer", "mnemonic", "seedphrase",
	"connectionstring", "amzsignature", "googsignature", "pwd",
}

// exact names of secrets that are too short to be a part of a name.
var exact = [...]string{"jwt", "otp", "totp", "pincode", "basicauth", "httpauth", "dbpass", "dsn"}

// about are ends of names that speak of a secret and do not hold one: TOKEN_FILE, tokenCount.
var about = [...]string{
	"file", "files", "filename", "path", "paths", "dir", "name", "names", "url", "urls", "uri", "endpoint", "host",
	"count", "counts", "limit", "limits", "length", "len", "size", "type", "types", "kind", "index", "idx", "pos",
	"position", "offset", "ttl", "expiry", "expires", "expiresin", "expiresat", "expiration", "expired", "timeout",
	"policy", "enabled", "disabled", "required", "manager", "field", "label", "hint", "prompt", "budget", "usage",
	"used", "ref", "refs", "arn", "version", "stdin", "store", "provider", "rotation", "strength", "min", "max",
	"format", "izer", "izers", "ize", "ized", "ization", "ary", "jar", "cutter", "domain", "consent", "banner",
	"settings", "options", "stream", "range", "mode", "status", "scope", "scopes", "audience", "issuer", "env", "var",
	"variable", "detected", "detection", "scanning", "scanner", "check", "source", "present", "exists", "valid",
	"invalid", "error", "errors", "missing", "second", "minute", "total", "less", "parser", "reset", "changed", "helper",
}

// counted are beginnings of names of counts: max_tokens.
var counted = [...]string{"max", "min", "num", "total", "input", "output", "cached", "cache", "completion", "prompt", "reasoning", "n"}

// nameMax is the length of the end of a name that is looked at.
const nameMax = 80

// sortOf tells what stands under a name.
func sortOf(name string) sort {
	if len(name) > nameMax {
		name = name[len(name)-nameMax:]
	}
	var buf [nameMax]byte
	n := 0
	for i := range len(name) {
		switch c := name[i]; {
		case 'A' <= c && c <= 'Z':
			buf[n] = c | 0x20
			n++
		case isAlnum(c):
			buf[n] = c
			n++
		}
	}
	for n > 0 && isDigit(buf[n-1]) {
		n-- // password1, token2
	}
	return sortOfPlain(string(buf[:n]), name)
}

func sortOfPlain(plain, name string) sort {
	best := harmless
	for _, stem := range stems {
		at := strings.LastIndex(plain, stem)
		if at < 0 || stem == "pwd" && plain == "oldpwd" {
			continue
		}
		best = max(best, sortOfStem(plain[:at], stem, plain[at+len(stem):]))
	}
	if best != harmless {
		return best
	}
	for _, e := range exact {
		if plain == e {
			return secret
		}
	}
	if name == "_auth" || lastWord(name, plain, "pass") {
		return countable // `"pass": 12` counts tests
	}
	if lastWord(name, plain, "key") && plain != "key" || lastWord(name, plain, "pat") {
		return loose // a pat is a personal access token, or a pattern
	}
	return harmless
}

func sortOfStem(before, stem, after string) sort {
	switch {
	case after == "" || after == "s":
	case hasSuffix(after, about[:]):
		return harmless
	}
	if (stem == "authorization" || stem == "cookie") && after == "" {
		return header
	}
	if stem == "token" && (after == "s" || hasSuffix(before, counted[:])) {
		return countable
	}
	return secret
}

func hasSuffix(s string, list []string) bool {
	for _, suffix := range list {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}

// lastWord reports whether a name's last word is w: DB_PASS, dbPass, pass; not compass.
func lastWord(name, plain, w string) bool {
	if !strings.HasSuffix(plain, w) {
		return false
	}
	name = strings.TrimRight(name, "0123456789")
	at := len(name) - len(w)
	if at <= 0 {
		return at == 0
	}
	before, first := name[at-1], name[at]
	return !isAlnum(before) || first <= 'Z' && (before > 'Z' || isDigit(before))
}

// isLiteral reports whether a value is a word of a language, not a secret.
func isLiteral(s string) bool {
	if s == "" {
		return true
	}
	switch strings.TrimRight(s, ",;)}]?") {
	case "true", "false", "null", "nil", "none", "None", "NULL", "True", "False", "undefined", "string", "String",
		"str", "bool", "boolean", "int", "number", "bytes", "byte", "any", "object", "required", "optional", "Optional",
		"secret", "[]byte", "[]string", "*string", "string[]":
		return true
	}
	return false
}

// isNumber reports whether a value is a plain number.
func isNumber(s string) bool {
	s = strings.TrimRight(s, ",;)}]")
	if s == "" {
		return false
	}
	for i := range len(s) {
		if !isDigit(s[i]) && s[i] != '.' && s[i] != '_' && s[i] != ',' {
			return false
		}
	}
	return true
}

// isReference reports whether a value only names where the secret is: $TOKEN, ${TOKEN}, %TOKEN%,
// process.env.TOKEN, <token>, {{ token }}. A shell variable in small letters may as well be a
// password with a dollar sign: it counts in braces only.
func isReference(s string) bool {
	s = strings.TrimRight(s, ",;)]")
	switch {
	case s == "" || len(s) > referenceMax:
		return false
	case strings.HasPrefix(s, "${{") || strings.HasPrefix(s, "{{"):
		inner := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(s, "$"), "{{"), "}}"))
		return inner == "" || strings.HasSuffix(s, "}}") && isVariable(inner, false) // "" if cut at a blank
	case strings.HasPrefix(s, "${"):
		return strings.HasSuffix(s, "}") && isVariable(s[2:len(s)-1], false)
	case strings.HasPrefix(s, "$env:"):
		return isVariable(s[5:], false)
	case s[0] == '$':
		return isVariable(s[1:], true)
	case s[0] == '%':
		return len(s) > 2 && s[len(s)-1] == '%' && isVariable(s[1:len(s)-1], false)
	case s[0] == '<':
		return len(s) > 2 && s[len(s)-1] == '>' && isVariable(s[1:len(s)-1], false)
	}
	for _, prefix := range [...]string{"process.env.", "process.env[", "os.environ", "os.getenv(", "os.Getenv(", "env.", "ENV[", "secrets.", "import.meta.env."} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// referenceMax bounds what is looked at again and again if it is no secret.
const referenceMax = 200

func isVariable(s string, capitals bool) bool {
	for i := range len(s) {
		if c := s[i]; !isName(c) || capitals && 'a' <= c && c <= 'z' {
			return false
		}
	}
	return s != "" && !isDigit(s[0])
}
