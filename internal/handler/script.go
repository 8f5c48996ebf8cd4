package handler

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// MissingScript looks, before a command is started, whether it is an interpreter with the name of a
// script that does not exist, and returns that name. `python3 gone.py` and `sh gone.sh` leave with
// exit code 2, which is a no: with the script deleted, every call would be refused.
//
// It understands simple command lines: options of the usual interpreters, variables of Env, quotes,
// redirections, assignments in front, and env, exec, command, nohup, timeout, `uv run python`. Of
// anything else it says nothing; then [Command.Answer] still recognises the interpreter's own words.
func (c Command) MissingScript() (path string, missing bool) {
	words := c.words()
	for len(words) > 0 && words[0].known {
		rest, ok := behindPrefix(words)
		if !ok {
			break
		}
		words = rest
	}
	if len(words) < 2 || !words[0].known {
		return "", false
	}
	name, ok := scriptOf(words)
	if !ok || c.exists(name.path, name.inPath) {
		return "", false
	}
	return name.path, true
}

// words are the command's words, variables filled in; nil where there is more than words.
func (c Command) words() []word {
	if c.Shell == "" {
		words := make([]word, len(c.Argv))
		for i, arg := range c.Argv {
			words[i] = word{text: arg, known: true}
		}
		return words
	}
	words, ok := splitWords(c.Shell, c.lookupEnv)
	if !ok {
		return nil
	}
	for len(words) > 0 && isAssignment(words[0].text) {
		words = words[1:]
	}
	return words
}

// behindPrefix takes a program that only starts another one off the front.
func behindPrefix(words []word) (rest []word, ok bool) {
	rest = words[1:]
	switch filepath.Base(words[0].text) {
	case "exec", "command", "nohup":
		return rest, !isOption(rest)
	case "env":
		for len(rest) > 0 && (rest[0].text == "-S" || isAssignment(rest[0].text)) {
			rest = rest[1:]
		}
		return rest, !isOption(rest)
	case "timeout":
		if len(rest) < 1 || isOption(rest) {
			return nil, false
		}
		return rest[1:], true
	case "uv", "poetry", "pipenv":
		if len(rest) < 2 || rest[0].text != "run" {
			return nil, false
		}
		return rest[1:], !isOption(rest[1:])
	}
	return nil, false
}

func isOption(words []word) bool { return len(words) > 0 && strings.HasPrefix(words[0].text, "-") }

// isAssignment reports whether a word is NAME=VALUE.
func isAssignment(s string) bool {
	n := nameLen(s)
	return n > 0 && n < len(s) && s[n] == '='
}

// scriptName is the name of a script, and whether it may also lie in PATH.
type scriptName struct {
	path   string
	inPath bool
}

// scriptOf finds the script in the words of an interpreter.
func scriptOf(words []word) (scriptName, bool) {
	if isPowerShell(words[0].text) {
		return fileOption(words[1:])
	}
	in, ok := interpreterOf(words[0].text)
	if !ok {
		return scriptName{}, false
	}
	w, ok := in.script(words[1:])
	if !ok || !in.isScript(w.text) {
		return scriptName{}, false
	}
	return scriptName{w.text, in.path && !strings.Contains(w.text, "/")}, true
}

func isPowerShell(program string) bool {
	name := strings.ToLower(program)
	name = strings.TrimSuffix(name[strings.LastIndexAny(name, `/\`)+1:], ".exe")
	return name == "pwsh" || name == "powershell"
}

// fileOption finds PowerShell's -File.
func fileOption(words []word) (scriptName, bool) {
	for i, w := range words {
		switch strings.ToLower(w.text) {
		case "-file", "-f":
			script, ok := at(words, i+1)
			return scriptName{path: script.text}, ok && script.text != "-"
		case "-command", "-c", "-encodedcommand", "-e", "-ec":
			return scriptName{}, false
		}
	}
	return scriptName{}, false
}

// exists reports whether a script is there, or may be: only a clear "no such file" says no.
func (c Command) exists(path string, inPath bool) bool {
	if c.found(path) {
		return true
	}
	if !inPath {
		return false
	}
	for dir := range strings.SplitSeq(c.lookEnv("PATH"), string(filepath.ListSeparator)) {
		if c.found(filepath.Join(dir, path)) {
			return true
		}
	}
	return false
}

func (c Command) found(path string) bool {
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// scriptGone recognises, behind exit code 2, what interpreters say about a script that they cannot
// find, and that it is really absent.
func (c Command) scriptGone(out Output) (path string, gone bool) {
	if out.Exit != exitNo {
		return "", false
	}
	for line := range strings.SplitSeq(clean(out.Stderr), "\n") {
		path, ok := cannotOpen(strings.TrimSpace(line))
		if ok && !c.exists(path, false) {
			return path, true
		}
	}
	return "", false
}

// cannotOpen reads such a line: of python3, perl, dash (also for `. gone.sh`), busybox, uv.
func cannotOpen(line string) (path string, ok bool) {
	for _, form := range [...]struct{ open, end string }{
		{"can't open file '", "'"},
		{"can't open '", "'"},
		{"cannot open ", ": No such file"},
		{`Can't open perl script "`, `"`},
		{"Failed to spawn: `", "`"},
	} {
		head, tail, found := strings.Cut(line, form.open)
		if !found || !isPreface(head) {
			continue
		}
		if path, _, found = strings.Cut(tail, form.end); found && path != "" {
			return path, true
		}
	}
	return "", false
}

// isPreface reports whether the front of a line is what a program puts before its own messages:
// nothing, or names and numbers, each with a colon ("sh: 3: ").
func isPreface(head string) bool {
	if head == "" {
		return true
	}
	names, ok := strings.CutSuffix(head, ": ")
	for i, part := range strings.Split(names, ": ") {
		if strings.ContainsAny(part, " \t") && !strings.HasPrefix(part, "line ") && (i > 0 || !strings.Contains(part, "/")) {
			return false
		}
	}
	return ok
}
