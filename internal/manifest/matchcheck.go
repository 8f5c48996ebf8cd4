package manifest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hookspan/hookspan/hook"
)

// matcher reads a group's matcher and refuses one that can never hit anything.
func (r *reader) matcher(n *node, event hook.Name) Matcher {
	s, ok := r.text(n, "matcher")
	if ok && len(s) > maxPattern {
		r.fail(n.at, "make several groups of it", "the matcher is longer than %d bytes", maxPattern)
		ok = false
	}
	if !ok {
		return Matcher{}
	}
	m, unknown := parseMatcher(s)
	for _, word := range unknown {
		r.unknownKind(n.at, word)
	}
	if len(unknown) > 0 || s == "" || s == "*" {
		return m
	}
	if event == hook.Stop || event == hook.UserPromptSubmit {
		r.warn(n.at, "leave it out", "matcher %q is ignored: %s has nothing to match", short(s), event)
		return Matcher{Text: s}
	}
	if m.All() {
		r.fail(n.at, "leave matcher out to hit everything", "matcher %q names nothing, and hits nothing", s)
		return m
	}
	if len(m.Kinds) > 0 && isCommon(event) && !event.OfTool() {
		r.fail(n.at, "", "kinds are of tools, and %s is about none", event)
		return m
	}
	r.names(n.at, m, event)
	r.pattern(n.at, m, event)
	return m
}

func (r *reader) unknownKind(at pos, word string) {
	if strings.ContainsAny(word, ",.*+?()[]^$\\") {
		r.fail(at, `join kinds, names and expressions with "|"`, "%q is no kind of tool", word)
		return
	}
	kinds := kindWords()
	for i := range kinds {
		kinds[i] = "@" + kinds[i]
	}
	r.fail(at, didYouMean(word, kinds), "%q is no kind of tool", word)
}

// flaw is why a name hits nothing.
type flaw struct{ msg, hint string }

// names judges the exact names: an error if none of them can hit, else a warning for each.
func (r *reader) names(at pos, m Matcher, event hook.Name) {
	var flaws []flaw
	for _, name := range m.Names {
		if f, dead := r.nameFlaw(at, name, event); dead {
			flaws = append(flaws, f)
		} else if event.OfTool() {
			r.unknownTool(at, name)
		}
	}
	say := r.warn
	if len(flaws) == len(m.Names) && len(m.Kinds) == 0 && m.Pattern == "" {
		say = r.fail
	}
	for _, f := range flaws {
		say(at, f.hint, "%s", f.msg)
	}
}

func (r *reader) nameFlaw(at pos, name string, event hook.Name) (flaw, bool) {
	if event.OfTool() {
		return r.toolFlaw(name)
	}
	words := subjects(event)
	near := nearest(name, words)
	switch {
	case near == "" || slices.Contains(words, name):
	case folded(near) == folded(name):
		return flaw{fmt.Sprintf("matcher %q hits no %s", name, event), fmt.Sprintf("write %q", near)}, true
	default:
		r.warn(at, fmt.Sprintf("did you mean %q?", near), "no %s is known to be %q", event, name)
	}
	return flaw{}, false
}

// unknownTool warns of a name that stands in no table and is nearly one that does.
func (r *reader) unknownTool(at pos, name string) {
	if _, known := r.words.ToolHint(name); known || slices.Contains(commonTools(), name) {
		return
	}
	if near := nearest(name, commonTools()); near != "" {
		r.warn(at, fmt.Sprintf("did you mean %q?", near), "no agent that hookspan knows has a tool %q", name)
	}
}

// toolFlaw tells why no tool can arrive under a name. An unknown name is nobody's fault: it may be a
// plugin's tool.
func (r *reader) toolFlaw(name string) (flaw, bool) {
	if server, ok := strings.CutPrefix(name, "mcp__"); ok {
		if s, tool, _ := strings.Cut(server, "__"); tool == "" {
			return flaw{fmt.Sprintf("matcher %q hits no tool: it names a server only", name),
				fmt.Sprintf("for all its tools write %q", "mcp__"+s+"__.*")}, true
		}
		return flaw{}, false
	}
	if slices.Contains(commonTools(), name) {
		return flaw{}, false
	}
	for _, t := range commonTools() {
		if strings.EqualFold(t, name) {
			return flaw{fmt.Sprintf("matcher %q hits no tool: names are case-sensitive", name), fmt.Sprintf("write %q", t)}, true
		}
	}
	if claude, known := r.words.ToolHint(name); known && claude != "" && claude != name {
		return flaw{fmt.Sprintf("matcher %q hits no tool: it is an agent's own name for %s, and arrives as %s", name, claude, claude),
			fmt.Sprintf("write %q", claude)}, true
	}
	return flaw{}, false
}

// subjects lists what a matcher of an event is compared with, where the values are known (Claude
// Code 2.1.332). Other agents' values are brought to these words.
func subjects(event hook.Name) []string {
	switch event {
	case hook.SessionStart:
		return []string{"startup", "resume", "clear", "compact", "fork"}
	case hook.SessionEnd:
		return []string{"clear", "resume", "logout", "prompt_input_exit", "other"}
	case hook.PreCompact, hook.PostCompact:
		return []string{"manual", "auto"}
	case hook.Notification:
		return []string{"permission_prompt", "idle_prompt"}
	}
	return nil
}

func commonTools() []string {
	return []string{"Bash", "Read", "Write", "Edit", "Grep", "Glob", "WebFetch", "WebSearch", "Agent", "Task"}
}

func isCommon(event hook.Name) bool { return slices.Contains(hook.Names(), event) }

// pattern judges a regular expression.
func (r *reader) pattern(at pos, m Matcher, event hook.Name) {
	p := m.Pattern
	if p == "" {
		return
	}
	_, err := regexp.Compile(p)
	tool, arg, rule := ruleLike(p)
	switch {
	case rule && event.OfTool():
		r.fail(at, fmt.Sprintf("write matcher: %s, and on the handler if: %s", tool, quoted(tool+"("+arg+")")),
			"matcher %q hits no tool: a matcher sees the tool's name only", short(p))
	case err != nil:
		r.badPattern(at, p, err)
	case !event.OfTool():
	case len(p) > 2 && p[0] == '/' && p[len(p)-1] == '/':
		r.fail(at, "write it without the slashes: "+quoted(p[1:len(p)-1]), "matcher %q hits no tool: no name has a slash in it", short(p))
	case anchored(p) != nil:
		r.names(at, Matcher{Names: anchored(p), Kinds: m.Kinds}, event)
	default:
		r.blanks(at, m)
	}
}

func (r *reader) badPattern(at pos, p string, err error) {
	for _, mark := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.Contains(p, mark) {
			r.fail(at, "name the tools that are meant, or a kind such as @edit", "matcher %q looks around with %q, which RE2 has not", short(p), mark)
			return
		}
	}
	hint := ""
	if strings.HasPrefix(p, "*") || strings.Contains(p, "|*") {
		hint = `to hit every tool leave matcher out; in an expression "any text" is ".*"`
	}
	text := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	r.fail(at, hint, "matcher %q is no valid expression: %s", short(p), text)
}

// blanks finds alternatives that hit nothing or everything, as far as that is plain to see.
func (r *reader) blanks(at pos, m Matcher) {
	if strings.ContainsAny(m.Pattern, `()[]\`) {
		return
	}
	alts := strings.Split(m.Pattern, "|")
	dead := 0
	for _, a := range alts {
		switch {
		case a == "":
			r.warn(at, `take the "|" at its side out`, "matcher %q has an empty alternative, which hits everything", short(m.Text))
		case strings.ContainsAny(a, " \t"):
			dead++
		}
	}
	say := r.warn
	if dead == len(alts) && len(m.Kinds) == 0 {
		say = r.fail
	}
	if dead > 0 {
		say(at, "take the blanks out", "matcher %q is an expression, in which an alternative with a blank hits nothing", short(m.Text))
	}
}

// ruleLike finds a permission rule in the place of a matcher: Bash(echo *).
func ruleLike(p string) (tool, arg string, ok bool) {
	tool, arg, ok = strings.Cut(p, "(")
	if !ok || !slices.Contains(commonTools(), tool) || !strings.HasSuffix(arg, ")") {
		return "", "", false
	}
	arg = arg[:len(arg)-1]
	camel := arg != "" && 'A' <= arg[0] && arg[0] <= 'Z' // Web(Fetch|Search) is an expression
	return tool, arg, !camel && !strings.HasPrefix(arg, "?:")
}

// anchored returns the names that an expression like ^(Bash|Edit)$ can only mean.
func anchored(p string) []string {
	inner, ok := strings.CutPrefix(p, "^")
	if !ok {
		return nil
	}
	if inner, ok = strings.CutSuffix(inner, "$"); !ok {
		return nil
	}
	if in, ok := strings.CutPrefix(inner, "("); ok {
		inner = strings.TrimSuffix(strings.TrimPrefix(in, "?:"), ")")
	} else if strings.Contains(inner, "|") {
		return nil
	}
	if inner == "" || strings.ContainsAny(inner, ", ") || !onlyExact(inner) {
		return nil
	}
	return strings.Split(inner, "|")
}
