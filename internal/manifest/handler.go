package manifest

import (
	"fmt"
	"slices"

	"github.com/hookspan/hookspan/hook"
)

// claudeContinues is how often in a row Claude Code 2.1.332 lets itself be sent back.
const claudeContinues = 8

// draft is a handler that is being read.
type draft struct {
	*reader
	Handler
	event   hook.Name
	matcher Matcher
	node    *node
	at      map[string]pos // where each key stands that is there
	args    []string
	failure string // the key that told OnFailure
}

// handler reads one handler. ok is false for one that is known and does not run.
func (r *reader) handler(n *node, event hook.Name, m Matcher) (h Handler, ok bool) {
	if n.kind != object {
		r.fail(n.at, `write a map: { command: ... }`, "a handler must be a map, not %s", n.called())
		return h, false
	}
	if r.handlerCount++; r.handlerCount > maxHandlers {
		if r.handlerCount == maxHandlers+1 {
			r.fail(n.at, "", "more than %d handlers in one manifest", maxHandlers)
		}
		return h, false
	}
	d := &draft{reader: r, event: event, matcher: m, node: n, at: map[string]pos{}}
	d.Line = n.at.line
	for _, f := range n.fields {
		d.at[f.key] = f.at
	}
	if !d.kind() {
		return h, false
	}
	d.readKeys()
	d.together()
	if d.Name == "" {
		d.Name = d.derivedName()
	}
	return d.Handler, true
}

// kind finds out what the handler is. It is false where the handler is none, or does not run.
func (d *draft) kind() bool {
	words := []string{"command", "guard", "http"}
	keys := []string{"command", "guard", "url"}
	told := -1
	if t := d.node.get("type"); t != nil {
		s, ok := d.text(t, "type")
		if !ok {
			return false
		}
		if slices.Contains([]string{"mcp_tool", "prompt", "agent"}, s) {
			d.warn(d.node.at, "the agent itself can run it from its own settings", "handlers of type %q do not run here: this one is skipped", s)
			return false
		}
		if told = slices.Index(words, s); told < 0 {
			d.fail(t.at, didYouMean(s, words), "unknown type %q", short(s))
			return false
		}
	}
	has := slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return d.node.get(k) == nil })
	switch {
	case len(has) > 1:
		d.fail(d.at[has[1]], "make two handlers of it", "a handler has %s or %s, not both", quoted(has[0]), quoted(has[1]))
	case len(has) == 0 && told >= 0:
		d.fail(d.node.at, "", "a handler of type %q needs %q", words[told], keys[told])
	case len(has) == 0:
		d.fail(d.node.at, d.meant(keys), `a handler needs "command", "guard" or "url"`)
	case told >= 0 && keys[told] != has[0]:
		d.fail(d.at[has[0]], "leave type out", "a handler of type %q has no %q", words[told], has[0])
	default:
		d.Type = Type(slices.Index(keys, has[0]))
		return true
	}
	return false
}

// meant guesses which key of a handler without a deed was to be one of keys.
func (d *draft) meant(keys []string) string {
	for _, f := range d.node.fields {
		if hint := otherWords(f.key); hint != "" {
			return fmt.Sprintf("%q: %s", f.key, hint)
		}
		if near := nearest(f.key, keys); near != "" {
			return fmt.Sprintf("%q: did you mean %q?", f.key, near)
		}
	}
	return ""
}

func (d *draft) readKeys() {
	table := handlerKeys()
	spec := d.spec()
	for _, f := range d.node.fields {
		if d.full() {
			return
		}
		i := slices.IndexFunc(table, func(k key) bool { return k.name == f.key })
		switch {
		case d.Type == Guard && spec != nil && spec.key(f.key) != nil:
			d.option(spec.key(f.key), f)
		case i < 0:
			d.unknownKey(f, table, spec)
		case table[i].ignored != "":
			d.warn(f.at, "", "%q is ignored: %s", f.key, table[i].ignored)
		case table[i].on&(1<<d.Type) == 0:
			d.misplaced(f, table[i])
		default:
			table[i].read(d, f.value)
		}
	}
	if spec != nil {
		d.finishOptions(spec)
	}
	d.defaults()
}

func (d *draft) defaults() {
	if d.failure == "" && d.Type == Guard {
		d.OnFailure = Block
	}
	if d.Timeout == 0 {
		d.Timeout = DefaultTimeout
	}
	if d.Gate && d.MaxContinues == 0 {
		d.MaxContinues = DefaultMaxContinues
	}
}

func (d *draft) unknownKey(f field, table []key, spec *GuardSpec) {
	if d.Type == Guard && spec == nil {
		return // the guard is unknown, and so are its keys; that is already said
	}
	if hint := otherWords(f.key); hint != "" {
		d.fail(f.at, hint, "unknown key %q", f.key)
		return
	}
	var names []string
	for _, k := range table {
		if k.ignored == "" && k.on&(1<<d.Type) != 0 {
			names = append(names, k.name)
		}
	}
	if d.Type == Guard {
		for _, k := range spec.Keys {
			names = append(names, k.Name)
		}
		d.fail(f.at, didYouMean(f.key, names), "unknown key %q of guard %q", f.key, spec.Name)
		return
	}
	d.fail(f.at, didYouMean(f.key, names), "unknown key %q", f.key)
}

// misplaced refuses a key that has no meaning for the handler's type. Claude tolerates its own keys
// in the wrong place, so that they are only ignored on http handlers.
func (d *draft) misplaced(f field, k key) {
	if d.Type == HTTP && slices.ContainsFunc(claudeKeys(), func(c key) bool { return c.name == k.name }) {
		d.warn(f.at, "", "%q is ignored: it has no meaning for an http handler", f.key)
		return
	}
	hint := map[string]string{
		"async": "a guard is always waited for: an answer that comes later cannot refuse",
		"each":  "a guard always looks at the whole call",
		"gate":  "a gate is a command whose exit decides",
	}[f.key]
	if d.Type != Guard && f.key != "gate" {
		hint = ""
	}
	d.fail(f.at, hint, "%q has no meaning for %s", f.key, [...]string{"a command", "a guard", "an http handler"}[d.Type])
}

// together judges keys that are right alone and wrong together, or on this event.
func (d *draft) together() {
	d.onEvent()
	if at, ok := d.at["args"]; ok && d.Type == Command {
		if d.Shell == "" {
			if len(d.Argv) > 0 {
				d.fail(at, "write the arguments into the list", `"args" goes with a command that is text, not a list`)
			}
		} else {
			d.Argv, d.Shell = append([]string{d.Shell}, d.args...), ""
		}
	}
	if d.Async && d.Gate {
		d.fail(d.at["async"], "take one of them out", "a gate must be waited for, and an async handler is not")
	}
	if d.Async && d.OnFailure == Block {
		d.warn(d.at["async"], "", "a failure of an async handler blocks nothing, since nobody waits for it")
	}
	for _, h := range d.Headers {
		for _, name := range variablesIn(h.Value) {
			if !slices.Contains(d.AllowedEnvVars, name) {
				d.warn(d.at["headers"], "add it to allowedEnvVars", "$%s in the header %s is sent empty", name, h.Name)
			}
		}
	}
}

// onEvent judges keys that have a meaning on some events only.
func (d *draft) onEvent() {
	if d.event != hook.Stop && d.event != hook.SubagentStop {
		for _, k := range []string{"gate", "max_continues"} {
			if at, ok := d.at[k]; ok {
				d.fail(at, "it belongs under Stop or SubagentStop", "%q has no meaning on %s, where the agent does not stop", k, d.event)
			}
		}
	}
	if at, ok := d.at["each"]; ok && isCommon(d.event) && !d.event.OfTool() {
		d.fail(at, "take it out", `"each" has no meaning on %s, which is about no tool`, d.event)
	}
	if at, ok := d.at["if"]; ok && !d.event.OfTool() {
		d.fail(at, "take it out", `a handler with "if" never runs on %s: a rule is checked on tool calls only`, d.event)
	}
	if d.MaxContinues > claudeContinues {
		d.warn(d.at["max_continues"], "", "Claude Code ends the turn after %d in a row, whatever is written here", claudeContinues)
	}
}
