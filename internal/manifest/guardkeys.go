package manifest

import (
	"slices"
	"strings"
)

// spec finds the guard's spec, and reports a guard that there is not.
func (d *draft) spec() *GuardSpec {
	if d.Type != Guard {
		return nil
	}
	n := d.node.get("guard")
	if n.kind != text || strings.TrimSpace(n.text) == "" {
		return nil // reported by its reader
	}
	spec := findGuard(d.guards, n.text)
	if spec == nil {
		d.fail(n.at, didYouMean(n.text, guardNames(d.guards)), "there is no guard %q in this version", short(n.text))
		return nil
	}
	acts := slices.Contains(spec.Events, d.event)
	if len(spec.Events) == 0 {
		acts = d.event.OfTool()
	}
	if !acts {
		d.fail(n.at, "", "the guard %q never acts on %s", spec.Name, d.event)
	}
	return spec
}

// option reads one of the guard's own keys.
func (d *draft) option(k *GuardKey, f field) {
	var values []string
	switch k.Shape {
	case Patterns:
		values = d.patterns(f)
	case Texts:
		values = d.texts(f.value, f.key, nil)
		if len(values) == 0 && f.value.kind == list && len(f.value.elems) == 0 {
			d.fail(f.value.at, "", "%q is an empty list", f.key)
		}
	case Word:
		values = []string{d.word(f.value, f.key, k.Words...)}
	default:
		s, _ := d.filled(f.value, f.key)
		values = []string{s}
	}
	d.Options = append(d.Options, Option{k.Name, values})
}

func (d *draft) patterns(f field) []string {
	before := len(d.errors)
	protects := false
	values := d.texts(f.value, f.key, func(at pos, p string) {
		glob, excludes := strings.CutPrefix(p, "!")
		if flaw := checkPattern(glob); flaw != "" {
			d.fail(at, "", "%q %s", short(p), flaw)
		}
		d.patternCount += variants(glob)
		protects = protects || !excludes
	})
	if d.patternCount > maxPatterns {
		d.fail(f.value.at, "a folder's pattern protects all that is in it", "more than %d patterns in one manifest", maxPatterns)
	}
	if !protects && len(d.errors) == before {
		d.fail(f.value.at, `a pattern that begins with "!" only excludes from the others`, "%q names nothing", f.key)
	}
	return values
}

// finishOptions brings the options into the spec's order and misses those that must be there.
func (d *draft) finishOptions(spec *GuardSpec) {
	order := func(o Option) int {
		return slices.IndexFunc(spec.Keys, func(k GuardKey) bool { return k.Name == o.Key })
	}
	slices.SortFunc(d.Options, func(a, b Option) int { return order(a) - order(b) })
	for _, k := range spec.Keys {
		if k.Required && d.node.get(k.Name) == nil {
			d.fail(d.at["guard"], "", "the guard %q needs %q", spec.Name, k.Name)
		}
	}
}
