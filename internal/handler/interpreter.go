package handler

import "strings"

// interpreter is how a program reads its own command line up to the script's name. Options that
// stand in no field are unknown, and then nothing is said about the script.
type interpreter struct {
	flags  string   // letters without a value; they may be joined: -eu
	values string   // letters with a value, joined (-Wx) or the next word
	joined string   // letters that take the rest of their word as a value, if any
	stop   string   // letters behind which no script's name comes: -c, -m, -e
	file   string   // letters whose value is the script: php -f
	long   []string // long options without a value; "--no-" stands for all that begin so
	valued []string // long options whose value is the next word
	sub    string   // a word that must come first: deno run
	suffix []string // names are scripts only with one of these ends: others are tasks or modules
	path   bool     // a bare name is looked for in PATH as well
}

// interpreterOf knows an interpreter by the name of its program.
func interpreterOf(program string) (interpreter, bool) {
	name := strings.ToLower(program)
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.TrimSuffix(name, ".exe")
	javascript := []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"}
	switch name {
	case "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh":
		return interpreter{flags: "abefhiklmnprtuvxBCEHPT", values: "oO", stop: "cs", path: true,
			long:   []string{"--norc", "--noprofile", "--posix", "--login", "--restricted", "--verbose", "--noediting"},
			valued: []string{"--rcfile", "--init-file"}}, true
	case "node", "nodejs":
		return interpreter{flags: "c", values: "rC", stop: "epiv", suffix: javascript,
			long:   []string{"--no-", "--experimental-", "--enable-", "--trace-", "--inspect", "--check", "--use-"},
			valued: []string{"--require", "--import", "--loader", "--conditions"}}, true
	case "bun", "tsx", "ts-node":
		return interpreter{values: "r", stop: "e", suffix: javascript, valued: []string{"--preload"},
			long: []string{"--silent", "--bun", "--no-", "run"}}, true
	case "deno":
		return interpreter{flags: "AqERWNS", values: "c", suffix: javascript, sub: "run",
			long: []string{"--allow-", "--deny-", "--no-", "--quiet", "--unstable", "--cached-only"}}, true
	case "ruby":
		return interpreter{flags: "dUvwln", values: "IrCE", joined: "WT", stop: "eSh"}, true
	case "perl":
		return interpreter{flags: "acflnpstuwTUWX", values: "I", joined: "MmiCD0", stop: "eESvVhx"}, true
	case "php":
		return interpreter{flags: "nqCH", values: "cd", stop: "rBREFaimvw", file: "f"}, true
	case "lua":
		return interpreter{flags: "EiW", values: "l", stop: "ev"}, true
	case "py", "python", "pythonw", "pypy":
		return python(), true
	}
	if version, ok := strings.CutPrefix(name, "python"); ok && strings.Trim(version, "0123456789.t") == "" {
		return python(), true
	}
	return interpreter{}, strings.TrimPrefix(name, "pypy") == "3" // no option is known to be harmless
}

func python() interpreter {
	return interpreter{flags: "bBdEiIOPqRsStuvx0123456789.", values: "WX", stop: "cmVh?"}
}

// script finds the name of the script among the words behind the interpreter; false = there is
// none, or an option is not known.
func (in interpreter) script(words []word) (word, bool) {
	if in.sub != "" {
		if len(words) == 0 || words[0].text != in.sub {
			return word{}, false
		}
		words = words[1:]
	}
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case !w.known:
			return word{}, false
		case w.text == "--":
			return at(words, i+1)
		case in.isLong(w.text):
		case in.isValued(w.text):
			i++
		case w.text == "-" || strings.HasPrefix(w.text, "--"):
			return word{}, false
		case w.text != "" && (w.text[0] == '-' || w.text[0] == '+'):
			switch in.letters(w.text[1:]) {
			case valueNext:
				i++
			case scriptNext:
				return at(words, i+1)
			case noScript:
				return word{}, false
			}
		default:
			return w, true
		}
	}
	return word{}, false
}

// step is what follows a word of options.
type step uint8

const (
	goOn       step = iota // the next word is as this one
	valueNext              // the next word is a value
	scriptNext             // the next word is the script
	noScript               // no script comes, or that cannot be told
)

// letters reads joined options.
func (in interpreter) letters(s string) step {
	for i := 0; i < len(s); i++ {
		has := func(set string) bool { return strings.IndexByte(set, s[i]) >= 0 }
		last := i == len(s)-1
		switch {
		case has(in.flags):
		case has(in.values) && last:
			return valueNext
		case has(in.values), has(in.joined):
			return goOn
		case has(in.file) && last:
			return scriptNext
		default:
			return noScript
		}
	}
	return goOn
}

func at(words []word, i int) (word, bool) {
	if i >= len(words) {
		return word{}, false
	}
	return words[i], words[i].known
}

func (in interpreter) isLong(option string) bool {
	for _, known := range in.long {
		if option == known || strings.HasSuffix(known, "-") && strings.HasPrefix(option, known) {
			return true
		}
		if strings.HasPrefix(option, known+"=") {
			return true
		}
	}
	return false
}

func (in interpreter) isValued(option string) bool {
	for _, known := range in.valued {
		if option == known {
			return true
		}
	}
	return false
}

// isScript reports whether a name can only be that of a file.
func (in interpreter) isScript(name string) bool {
	if name == "" || strings.Contains(name, "://") {
		return false
	}
	if in.suffix == nil {
		return true
	}
	for _, end := range in.suffix {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
