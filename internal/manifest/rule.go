package manifest

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/wire"
)

// Rule is a handler's `if`: Claude Code's permission rule, Tool or Tool(what). It is a filter that
// spares starting a program, not a boundary: where a call cannot be told apart, it holds.
//
//	Bash(git *)  Bash(npm run test:*)   a part of the command line; * is any text
//	Edit(*.go)   Read(./secrets/**)     a file, as in .gitignore; // is the root, ~/ the home, / the project
//	WebFetch(domain:example.com)        the host or one of its subdomains
//	Agent(Explore)                      the subagent's type
//	mcp__github  mcp__github__get_*     an MCP server's tools
type Rule struct {
	Tool string
	What string // "" = every use of the tool
}

// Call is a tool call as a Rule sees it.
type Call struct {
	Tool     string   // Claude's name
	Commands []string // the parts of a command line, see SplitCommands
	Files    []string // absolute paths where the agent tells a folder
	URL      string
	Subagent string
	Dir      string // what relative patterns are relative to
	Project  string // what patterns that begin with / are relative to
	Home     string
}

// ParseRule parses a rule. The error says what to write.
func ParseRule(s string) (Rule, error) {
	if len(s) > maxPattern {
		return Rule{}, fmt.Errorf("the rule is longer than %d bytes", maxPattern)
	}
	tool, what, open := strings.Cut(strings.TrimSpace(s), "(")
	if tool == "" || strings.ContainsAny(tool, " \t)|,") || strings.Contains(tool, "*") && !strings.HasPrefix(tool, "mcp__") {
		return Rule{}, fmt.Errorf("%q is no rule: write Tool or Tool(what), for instance Bash(git *)", short(s))
	}
	if !open {
		return Rule{Tool: tool}, nil
	}
	what, closed := strings.CutSuffix(what, ")")
	if !closed {
		return Rule{}, fmt.Errorf("%q has no closing parenthesis at its end", short(s))
	}
	if what == "" {
		return Rule{}, fmt.Errorf("%q has nothing in its parentheses: for every use write %s", short(s), tool)
	}
	if what == "*" {
		return Rule{Tool: tool}, nil
	}
	return Rule{tool, what}, Rule{tool, what}.check()
}

func (r Rule) check() error {
	switch {
	case r.Tool == "Bash" || r.Tool == "Agent" || r.Tool == "Task":
		return nil
	case r.ofFiles():
		if flaw := checkPattern(filePattern(r.What)); flaw != "" {
			return fmt.Errorf("%q %s", short(r.What), flaw)
		}
		return nil
	case r.Tool == "WebFetch":
		if host, ok := strings.CutPrefix(r.What, "domain:"); !ok || host == "" {
			return fmt.Errorf("of WebFetch only the host can be told: write WebFetch(domain:example.com)")
		}
		return nil
	}
	return fmt.Errorf("of %s nothing can be told but its use: write %s", r.Tool, r.Tool)
}

func (r Rule) ofFiles() bool {
	return slices.Contains([]string{"Read", "Edit", "Write", "NotebookEdit", "Grep", "Glob"}, r.Tool)
}

// Tools lists the names of tools that the rule can hold for: Edit means every tool that edits, Read
// every one that reads files, as in Claude.
func (r Rule) Tools() []string {
	switch r.Tool {
	case "Edit":
		return []string{"Edit", "Write", "NotebookEdit", "MultiEdit"}
	case "Read":
		return []string{"Read", "Grep", "Glob"}
	case "Agent", "Task":
		return []string{"Agent", "Task"}
	}
	return []string{r.Tool}
}

// Match reports whether the rule holds for a call.
func (r Rule) Match(c Call) bool {
	if strings.HasPrefix(r.Tool, "mcp__") {
		return wildcard(r.Tool, c.Tool) || strings.HasPrefix(c.Tool, r.Tool+"__")
	}
	if !slices.Contains(r.Tools(), c.Tool) {
		return false
	}
	switch {
	case r.What == "":
		return true
	case r.Tool == "Bash":
		return slices.ContainsFunc(c.Commands, func(cmd string) bool { return matchCommand(r.What, cmd) })
	case r.ofFiles():
		return slices.ContainsFunc(c.Files, func(f string) bool { return matchFile(r.What, f, c) })
	case r.Tool == "WebFetch":
		return matchHost(strings.TrimPrefix(r.What, "domain:"), c.URL)
	}
	return wildcard(r.What, c.Subagent)
}

// Applies reports whether the handler's `if` holds for an event. Without `if` it does; with one it
// holds on tool events only, as in Claude.
func (h *Handler) Applies(ev hook.Event) bool {
	if h.If == "" {
		return true
	}
	if ev.Tool == nil || !ev.Name.OfTool() {
		return false
	}
	rule, err := ParseRule(h.If)
	if err != nil {
		return true // Parse has refused it; a guard must not be lost
	}
	if rule.Tool == "Bash" && len(ev.Tool.Command) > maxCommand {
		return ev.Tool.Name == "Bash" // too long to look into for each handler
	}
	return rule.Match(callOf(ev))
}

func callOf(ev hook.Event) Call {
	t := ev.Tool
	c := Call{Tool: t.Name, Dir: ev.Cwd, Project: ev.Project}
	if t.Command != "" {
		c.Commands = SplitCommands(t.Command)
	}
	for _, f := range t.Files {
		c.Files = append(c.Files, f.Path)
		if f.MovedTo != "" {
			c.Files = append(c.Files, f.MovedTo)
		}
	}
	if in, err := wire.Parse(t.Input); err == nil {
		c.URL, c.Subagent = in.Get("url").Str(), in.Get("subagent_type").Str()
		for _, key := range []string{"path", "file_path", "notebook_path"} {
			if p := in.Get(key).Str(); p != "" && len(t.Files) == 0 {
				c.Files = append(c.Files, p)
			}
		}
	}
	if c.Dir == "" {
		c.Dir = c.Project
	}
	c.Home, _ = os.UserHomeDir()
	return c
}

// matchCommand matches one part of a command line as it stands, without the assignments in front,
// and without the wrappers that Claude strips.
func matchCommand(pattern, command string) bool {
	if p, ok := strings.CutSuffix(pattern, ":*"); ok {
		pattern = p + " *"
	}
	for _, cmd := range unwrapped(command) {
		if wildcard(pattern, cmd) {
			return true
		}
		// "ls *" is the command with or without arguments, and not lsof.
		if p, ok := strings.CutSuffix(pattern, " *"); ok && wildcard(p, cmd) {
			return true
		}
	}
	return false
}

// wildcard matches text against a pattern in which * is any text, also none; \* is the character.
func wildcard(pattern, s string) bool {
	p, i, star, mark := 0, 0, -1, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
			continue
		case p+1 < len(pattern) && pattern[p] == '\\' && pattern[p+1] == '*':
			if s[i] == '*' {
				p, i = p+2, i+1
				continue
			}
		case p < len(pattern) && pattern[p] == s[i]:
			p, i = p+1, i+1
			continue
		}
		if star < 0 {
			return false
		}
		mark++
		p, i = star+1, mark
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// matchFile matches a path against a .gitignore-like pattern: one without a slash at any depth, any
// other from the folder that its first characters tell. A folder's pattern hits all that is in it.
func matchFile(pattern, file string, c Call) bool {
	file = filepath.ToSlash(file)
	base, rel := c.Dir, strings.TrimPrefix(pattern, "./")
	anyDepth := false
	switch {
	case strings.HasPrefix(pattern, "//"):
		base, rel = "/", pattern[2:]
	case strings.HasPrefix(pattern, "~/"):
		base, rel = c.Home, pattern[2:]
	case strings.HasPrefix(pattern, "/"):
		base, rel = c.Project, pattern[1:]
	default:
		anyDepth = rel == pattern && !strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
	}
	rel = strings.TrimSuffix(rel, "/")
	if anyDepth || base == "" { // a folder that is not told makes the filter wider, never narrower
		return matchBelow("**/"+rel, strings.TrimPrefix(file, "/"))
	}
	under, ok := below(filepath.ToSlash(base), file)
	return ok && matchBelow(rel, under)
}

// filePattern is what doublestar gets to see of a pattern.
func filePattern(pattern string) string { return strings.TrimLeft(pattern, "/~.") }

func below(base, file string) (string, bool) {
	if !path.IsAbs(file) && !filepath.IsAbs(file) {
		return file, true // relative to the same folder, which the agent does not tell
	}
	return strings.CutPrefix(file, strings.TrimSuffix(base, "/")+"/")
}

func matchBelow(pattern, file string) bool {
	for f := file; f != "." && f != "/" && f != ""; f = path.Dir(f) {
		if ok, err := doublestar.Match(pattern, f); ok || err != nil {
			return true
		}
	}
	return false
}

func matchHost(domain, rawURL string) bool {
	_, rest, ok := strings.Cut(rawURL, "://")
	if !ok {
		rest = rawURL
	}
	if i := strings.IndexAny(rest, "/?#\\"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && !strings.HasSuffix(rest, "]") {
		rest = rest[:i]
	}
	host, domain := strings.ToLower(strings.TrimSuffix(rest, ".")), strings.ToLower(domain)
	return host != "" && (wildcard(domain, host) || strings.HasSuffix(host, "."+domain))
}
