package redact

import "strings"

// flagForm says where an option's secret stands.
type flagForm uint8

const (
	joined    flagForm = iota // -pX
	either                    // -pX, -p X
	afterMark                 // -u name:X, the mark is a colon or a percent sign
)

// options are options with a secret whose letter says nothing.
var options = [...]struct {
	program, flag string
	form          flagForm
}{
	{"7z", "-p", joined}, {"7za", "-p", joined}, {"7zz", "-p", joined}, {"rar", "-p", joined}, {"unrar", "-p", joined},
	{"ab", "-A", afterMark}, {"bcp", "-P", either}, {"sqlcmd", "-P", either},
	{"curl", "-u", afterMark}, {"curl", "--user", afterMark}, {"curl", "-U", afterMark}, {"curl", "--proxy-user", afterMark},
	{"http", "-a", afterMark}, {"https", "-a", afterMark}, {"http", "--auth", afterMark}, {"https", "--auth", afterMark},
	{"ldapadd", "-w", either}, {"ldapmodify", "-w", either}, {"ldapsearch", "-w", either}, {"ldapwhoami", "-w", either},
	{"login", "-p", either}, // docker, podman, oc, helm registry, az
	{"mariadb", "-p", joined}, {"mariadb-admin", "-p", joined}, {"mariadb-dump", "-p", joined},
	{"mongo", "-p", either}, {"mongodump", "-p", either}, {"mongorestore", "-p", either}, {"mongosh", "-p", either},
	{"mysql", "-p", joined}, {"mysqladmin", "-p", joined}, {"mysqldump", "-p", joined}, {"mysqlimport", "-p", joined},
	{"redis-cli", "-a", either}, {"smbclient", "-U", afterMark}, {"sshpass", "-p", either},
	{"twine", "-p", either}, {"unzip", "-P", either}, {"zip", "-P", either},
}

// note remembers the words that the meaning of later ones depends on.
func (p *pass) note(name string) {
	name = strings.TrimSuffix(name, ".exe")
	switch name {
	case "set", "setx", "config", "SetEnvironmentVariable":
		p.setting = true
		return
	}
	for i := range options {
		if options[i].program == name {
			p.command = options[i].program
			return
		}
	}
}

// option returns the secret of an option that begins at i, if it is one of the current program's.
func (p *pass) option(i, start, end int) (from, to int) {
	s := p.in
	if strings.HasPrefix(s[start:], "pass:") && s[start:end] == "pass" { // openssl -passin pass:X
		return start + len("pass:"), shellWord(s, start+len("pass:"))
	}
	if p.command == "" || start == i {
		return 0, 0
	}
	for k := range options {
		o := &options[k]
		if o.program != p.command || !strings.HasPrefix(s[i:], o.flag) {
			continue
		}
		if from, to = o.form.secret(s, i+len(o.flag), strings.HasPrefix(o.flag, "--")); from < to && !isReference(s[from:to]) {
			return from, to
		}
	}
	return 0, 0
}

// secret returns the extent of the secret of an option whose name ends at p.
func (f flagForm) secret(s string, p int, long bool) (from, to int) {
	if p >= len(s) {
		return 0, 0
	}
	next := nextArgument(s, p)
	switch apart := isBlank(s[p]) || s[p] == '='; {
	case f == joined && (apart || next > 0):
		return 0, 0
	case next > 0:
		p = next
	case apart:
		p = skip(s, p, func(c byte) bool { return isBlank(c) || c == '=' })
	case long:
		return 0, 0 // another option, that begins in the same way
	}
	if p >= len(s) || f != joined && s[p] == '-' || strings.HasPrefix(s[p:], "$(") {
		return 0, 0
	}
	from, to = argument(s, p)
	if f != afterMark {
		return from, to
	}
	mark := strings.IndexAny(s[from:to], ":%")
	if mark < 0 || isNumber(s[from+mark+1:to]) && isNumber(s[from:from+mark]) {
		return 0, 0 // docker's -u 1000:1000
	}
	return from + mark + 1, to
}

// nextArgument returns where the next argument begins in a list of strings, ["-p", "X"]; 0 = it is none.
func nextArgument(s string, p int) int {
	isSlash := func(c byte) bool { return c == '\\' }
	q := skip(s, p, isSlash)
	if q >= len(s) || !isQuote(s[q]) {
		return 0
	}
	q = skip(s, q+1, isBlank)
	if q >= len(s) || s[q] != ',' {
		return 0
	}
	q = skip(s, q+1, isSpace)
	if n := skip(s, q, isSlash); n < len(s) && isQuote(s[n]) {
		return q
	}
	return 0
}

// argument returns the extent of a word, without the quotes if it is in quotes.
func argument(s string, p int) (from, to int) {
	q := skip(s, p, func(c byte) bool { return c == '\\' })
	if q < len(s) && isQuote(s[q]) {
		if end := closing(s, q+1, s[q], q-p); end >= 0 {
			return q + 1, end
		}
	}
	return p, shellWord(s, p)
}
