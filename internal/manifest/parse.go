package manifest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hookspan/hookspan/hook"
)

// MaxSize is the most bytes that a manifest may have.
const MaxSize = 1 << 20

// Parse compiles the manifest of a path. With any error there is no plan; all errors are returned, in
// the order of the file. Warnings stand in the plan. The plan's Scope is User: see [Plan.At].
func Parse(path string, content []byte, v Vocabulary) (*Plan, []Problem) {
	if v == nil {
		v = nothing{}
	}
	r := &reader{report: report{path: path}, words: v, guards: v.Guards()}
	plan := &Plan{Hash: HashOf(content), Ask: "deny", Journal: "summary"}
	if root := r.tree(content); root != nil && len(r.errors) == 0 {
		r.top(plan, root)
	}
	if len(r.errors) > 0 {
		return nil, sorted(r.errors)
	}
	plan.Warnings = sorted(r.warnings)
	plan.At(path, User)
	return plan, nil
}

// tree reads the file's syntax. It returns nil after reporting an error.
func (r *reader) tree(content []byte) *node {
	if !r.readable(content) {
		return nil
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	src := newSource(string(bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))))
	if strings.HasPrefix(strings.TrimLeft(src.text, " \t\n"), "{") {
		return readJSON(&r.report, src)
	}
	return readYAML(&r.report, src)
}

// readable refuses what is no text, before any parser sees it.
func (r *reader) readable(content []byte) bool {
	start := pos{1, 1}
	switch {
	case len(content) > MaxSize:
		r.fail(pos{}, "", "the manifest is larger than %d bytes", MaxSize)
	case bytes.HasPrefix(content, []byte("\xff\xfe")), bytes.HasPrefix(content, []byte("\xfe\xff")):
		r.fail(start, "save it as UTF-8", "the manifest is UTF-16")
	case !utf8.Valid(content):
		r.fail(newSource(string(content)).at(firstInvalid(content)), "save it as UTF-8", "the manifest is not UTF-8 here")
	default:
		i := firstControl(content)
		if i < 0 {
			return true
		}
		r.fail(newSource(string(content)).at(i), "take it out", "control character %#02x", content[i])
	}
	return false
}

// firstControl returns the place of the first control character that is no line end or tab, or -1.
func firstControl(content []byte) int {
	for i, c := range content {
		switch {
		case c == '\n' || c == '\t' || c == '\r' && i+1 < len(content) && content[i+1] == '\n':
		case c < ' ' || c == 0x7f:
			return i
		}
	}
	return -1
}

func firstInvalid(content []byte) int {
	i := 0
	for i < len(content) {
		c, n := utf8.DecodeRune(content[i:])
		if c == utf8.RuneError && n == 1 {
			break
		}
		i += n
	}
	return i
}

// topKeys are the keys of a manifest, beside "$schema".
func topKeys() []string { return []string{"hooks", "ask", "journal", "description"} }

func (r *reader) top(plan *Plan, root *node) {
	switch root.kind {
	case null:
		r.warn(pos{}, "", "the manifest is empty")
		return
	case object:
	default:
		r.fail(root.at, `begin with "hooks:"`, "a manifest must be a map, not %s", root.called())
		return
	}
	for _, f := range root.fields {
		switch f.key {
		case "hooks":
			r.hooks(plan, f.value)
		case "ask":
			plan.Ask = r.word(f.value, f.key, "deny", "none")
		case "journal":
			plan.Journal = r.word(f.value, f.key, "summary", "full")
		case "description", "$schema":
			r.text(f.value, f.key)
		default:
			r.unknownTop(f, root.json)
		}
	}
	if len(plan.Groups) == 0 {
		r.warn(pos{}, "", "the manifest has no handlers that run")
	}
}

// unknownTop judges a key beside "hooks". A whole settings.json of Claude's may be pasted, so that
// in JSON a key that is no slip is only ignored.
func (r *reader) unknownTop(f field, json bool) {
	near := nearest(f.key, topKeys())
	switch {
	case slices.ContainsFunc(hook.Names(), func(n hook.Name) bool { return string(n) == f.key }):
		r.fail(f.at, `events stand under "hooks"`, "unknown key %q", f.key)
	case near != "" || !json:
		r.fail(f.at, didYouMean(f.key, topKeys()), "unknown key %q", f.key)
	case f.key == "disableAllHooks":
		r.warn(f.at, "to switch a manifest off, remove it", "%q is ignored", f.key)
	default:
		r.warn(f.at, "other settings of Claude's stay in Claude's file", "%q is ignored", f.key)
	}
}

func (r *reader) hooks(plan *Plan, n *node) {
	if n.kind == null {
		return
	}
	if n.kind != object {
		r.fail(n.at, "write an event and its list: PreToolUse: [...]", `"hooks" must be a map of events, not %s`, n.called())
		return
	}
	for _, f := range n.fields {
		if r.full() {
			return
		}
		name, ok := r.event(f)
		if !ok {
			continue
		}
		groups := r.groups(f, name)
		uniqueNames(groups)
		plan.Groups = append(plan.Groups, groups...)
	}
}

// event judges an event's name: a common one, or an agent's own that has no common one.
func (r *reader) event(f field) (hook.Name, bool) {
	name := hook.Name(f.key)
	if isCommon(name) {
		return name, true
	}
	var common []string
	for _, n := range hook.Names() {
		common = append(common, string(n))
	}
	to, native := r.words.EventHint(f.key)
	switch {
	case native:
		return name, true
	case to != "":
		r.fail(f.at, fmt.Sprintf("write %q", to), "%q is an agent's own name, and arrives as %s", f.key, to)
		return "", false
	}
	hint := "events: " + strings.Join(common, ", ") + ", or an agent's own event"
	if near := nearest(f.key, common); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	r.fail(f.at, hint, "unknown event %q", f.key)
	return "", false
}

func (r *reader) groups(f field, event hook.Name) []Group {
	n := f.value
	switch n.kind {
	case null:
		return nil
	case list:
	default:
		r.fail(n.at, `write "- " before each group`, "%q must be a list of groups, not %s", f.key, n.called())
		return nil
	}
	var groups []Group
	for _, e := range n.elems {
		if r.full() {
			return nil
		}
		if g := r.group(e, event); len(g.Handlers) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

func (r *reader) group(n *node, event hook.Name) Group {
	g := Group{Event: event, Line: n.at.line}
	if n.kind != object {
		r.fail(n.at, "write matcher: and hooks:", "a group must be a map, not %s", n.called())
		return g
	}
	handlers := n.get("hooks")
	for _, f := range n.fields {
		switch f.key {
		case "hooks":
		case "matcher":
			g.Matcher = r.matcher(f.value, event)
		default:
			r.unknownGroup(f, handlers)
		}
	}
	if handlers == nil {
		if len(n.fields) == 0 || n.get("matcher") != nil {
			r.fail(n.at, "write hooks: [...] beside matcher", `a group needs "hooks"`)
		}
		return g
	}
	if handlers.kind != list {
		r.fail(handlers.at, `write "- " before each handler`, `"hooks" of a group must be a list of handlers, not %s`, handlers.called())
		return g
	}
	if len(handlers.elems) == 0 {
		r.warn(handlers.at, "", "the group has no handlers")
	}
	for _, e := range handlers.elems {
		if h, ok := r.handler(e, event, g.Matcher); ok {
			g.Handlers = append(g.Handlers, h)
		}
	}
	return g
}

func (r *reader) unknownGroup(f field, handlers *node) {
	isHandlerKey := slices.ContainsFunc(handlerKeys(), func(k key) bool { return k.name == f.key })
	switch {
	case isHandlerKey && handlers == nil:
		r.fail(f.at, `a handler stands in a group: - hooks: [{`+f.key+`: ...}]`, "%q stands on a handler, not on a group", f.key)
	case isHandlerKey:
		r.fail(f.at, "move it into each handler under hooks", "%q stands on a handler, not on a group", f.key)
	default:
		r.fail(f.at, didYouMean(f.key, []string{"matcher", "hooks"}), "unknown key %q", f.key)
	}
}

// uniqueNames gives the second and later handlers of one name in an event "#2", "#3".
func uniqueNames(groups []Group) {
	seen := map[string]int{}
	for gi := range groups {
		for hi := range groups[gi].Handlers {
			h := &groups[gi].Handlers[hi]
			seen[h.Name]++
			if n := seen[h.Name]; n > 1 {
				h.Name = fmt.Sprintf("%s#%d", h.Name, n)
			}
		}
	}
}
