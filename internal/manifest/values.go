package manifest

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/hookspan/hookspan/hook"
)

func (d *draft) command(n *node) {
	if n.kind != list {
		d.Shell, _ = d.filled(n, "command")
		return
	}
	d.Argv = d.texts(n, "command", nil)
	if len(n.elems) == 0 {
		d.fail(n.at, "", `"command" is an empty list`)
	}
}

func (d *draft) onFailure(n *node, key, block, allow string) {
	if d.failure != "" {
		d.fail(d.at[key], "keep one of them", "%q and %q are the same key", "on_failure", "onFailure")
		return
	}
	d.failure = key
	s, ok := d.text(n, key)
	switch {
	case !ok:
	case s == block:
		d.OnFailure = Block
	case s == allow:
		d.OnFailure = Allow
	default:
		hint := didYouMean(s, []string{block, allow})
		switch s {
		case "continue", "allow", "open", "ignore":
			hint = "write " + allow
		case "closed", "deny", "fail":
			hint = "write " + block
		}
		d.fail(n.at, hint, "%q must be %s or %s, not %q", key, block, allow, short(s))
	}
}

func (d *draft) agents(n *node) []string {
	if n.kind == list && len(n.elems) == 0 {
		d.fail(n.at, "leave it out for all agents", `"agents" is empty: the handler would never run`)
	}
	all := d.words.AgentNames()
	return d.texts(n, "agents", func(at pos, name string) {
		if all != nil && !slices.Contains(all, name) {
			d.fail(at, didYouMean(name, all), "unknown agent %q", short(name))
		}
	})
}

// variables reads names of environment variables.
func (d *draft) variables(n *node, key string) []string {
	if n.kind == object {
		d.fail(n.at, "list the names that are passed on: [PATH, HOME]", "%q is a list of names, it sets no values", key)
		return nil
	}
	return d.texts(n, key, func(at pos, name string) {
		if strings.ContainsAny(name, "=*$ \t\n") {
			d.fail(at, "write the name alone: PATH", "%q is no name of a variable", short(name))
		}
	})
}

func (d *draft) rule(n *node) string {
	s, ok := d.filled(n, "if")
	if !ok {
		return ""
	}
	tool, _, _ := strings.Cut(strings.TrimSpace(s), "(")
	if f, dead := d.toolFlaw(tool); dead && !strings.HasPrefix(tool, "mcp__") {
		d.fail(n.at, f.hint, "%s", strings.Replace(f.msg, "matcher", `"if":`, 1))
		return ""
	}
	rule, err := ParseRule(s)
	if err != nil {
		d.fail(n.at, "", `"if": %v`, err)
		return ""
	}
	if !d.reaches(rule) {
		d.warn(n.at, "", `the handler never runs: "if" wants %s, and the matcher %q lets none through`, rule.Tool, short(d.matcher.Text))
	}
	return s
}

// reaches reports whether the group's matcher lets through a tool that the rule can hold for.
func (d *draft) reaches(rule Rule) bool {
	if !slices.Contains(commonTools(), rule.Tool) {
		return true
	}
	kinds := map[string]hook.Kind{"Bash": hook.KindShell, "Read": hook.KindRead, "Write": hook.KindWrite, "Edit": hook.KindEdit,
		"NotebookEdit": hook.KindEdit, "MultiEdit": hook.KindEdit, "Grep": hook.KindSearch, "Glob": hook.KindSearch,
		"WebFetch": hook.KindFetch, "WebSearch": hook.KindSearch, "Agent": hook.KindSubagent, "Task": hook.KindSubagent}
	return slices.ContainsFunc(rule.Tools(), func(t string) bool { return d.matcher.Match([]string{t}, kinds[t]) }) ||
		rule.Tool == "WebSearch" && slices.Contains(d.matcher.Kinds, hook.KindFetch)
}

func (d *draft) url(n *node) {
	s, ok := d.filled(n, "url")
	if !ok {
		return
	}
	if err := d.words.CheckURL(s); err != nil {
		d.fail(n.at, "https, or http on this machine", `"url": %v`, err)
	}
	d.URL = s
}

func (d *draft) headers(n *node) {
	if n.kind != object {
		d.fail(n.at, "write { Name: value }", `"headers" must be a map, not %s`, n.called())
		return
	}
	for _, f := range n.fields {
		value, ok := d.text(f.value, f.key)
		if strings.Trim(strings.ToLower(f.key), "abcdefghijklmnopqrstuvwxyz0123456789-_.!#$%&'*+^`|~") != "" || f.key == "" {
			d.fail(f.at, "", "%q is no name of a header", short(f.key))
		} else if ok && strings.ContainsAny(value, "\r\n") {
			d.fail(f.value.at, "", "the header %q has a line break in it", f.key)
		}
		d.Headers = append(d.Headers, Header{f.key, value})
	}
}

// variablesIn lists the names after $ or in ${} of a header's value.
func variablesIn(value string) []string {
	var names []string
	for {
		i := strings.IndexByte(value, '$')
		if i < 0 {
			return names
		}
		value = strings.TrimPrefix(value[i+1:], "{")
		n := 0
		for n < len(value) && isVariable(value[:n+1]) {
			n++
		}
		if n > 0 {
			names = append(names, value[:n])
		}
		value = value[n:]
	}
}

// name reads a name. It stands in messages, in the journal and in HOOKSPAN_CHAIN.
func (d *draft) name(n *node) string {
	s, ok := d.filled(n, "name")
	if ok && (s != cleanName(s) || len(s) > maxName) {
		d.fail(n.at, fmt.Sprintf("letters, digits, blanks and . _ - / +, at most %d bytes", maxName), "%q cannot be a name", short(s))
	}
	return s
}

// cleanName replaces what cannot stand in a name by "-".
func cleanName(s string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" ._-/+", r) {
			return r
		}
		return '-'
	}, s), "- ")
}

// derivedName names a handler after its guard, its host or its program. It is the same as long as
// the handler is.
func (d *draft) derivedName() string {
	name := ""
	switch d.Type {
	case Guard:
		name = d.Guard
	case HTTP:
		_, rest, _ := strings.Cut(d.URL, "://")
		name, _, _ = strings.Cut(rest, "/")
		name = name[strings.LastIndexByte(name, '@')+1:] // no password in a name
	default:
		name = programName(d.Shell, d.Argv)
	}
	if name = cleanName(name); len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	if name == "" || name == "." || name == "/" {
		return d.Type.String()
	}
	return name
}

// programName is the base name of the program of a command, or of the script where the program is an
// interpreter: "python3" would be the name of half of all handlers.
func programName(shell string, argv []string) string {
	next := func() (word string) {
		if shell == "" && len(argv) > 0 {
			word, argv = argv[0], argv[1:]
			return word
		}
		word, shell = firstWord(shell)
		return word
	}
	word := next()
	for isAssignment(word) {
		word = next()
	}
	program := baseName(word)
	if !isInterpreter(program) {
		return program
	}
	script := next()
	for len(script) == 2 && script[0] == '-' && strings.IndexByte("cemp", script[1]) < 0 {
		script = next() // -u; but -c, -e, -m, -p are followed by no script
	}
	if script = baseName(script); script[0] != '-' && strings.IndexByte(script, '.') > 0 {
		return script
	}
	return program
}

func baseName(word string) string {
	return path.Base(strings.NewReplacer(`"`, "", "'", "", `\`, "/").Replace(word))
}

func isInterpreter(program string) bool {
	switch strings.TrimSuffix(program, ".exe") {
	case "sh", "bash", "dash", "zsh", "python", "python3", "node", "deno", "bun", "ruby", "perl", "php", "pwsh", "powershell":
		return true
	}
	return false
}
