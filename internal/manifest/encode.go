package manifest

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/hookspan/hookspan/hook"
)

// magic begins an encoded plan. Its last character is the version of the form; it changes with every
// change of Plan or of what Parse makes of a manifest.
const magic = "hookspan plan 1\n"

// ErrPlan is what DecodePlan returns for bytes that Encode of this version has not written. The
// manifest is then to be parsed again.
var ErrPlan = errors.New("failed to read the compiled manifest: damaged, or of another version")

// Encode returns the plan in a form that DecodePlan reads in a few microseconds: the fields in order,
// numbers as uvarints, texts and lists behind their length, and a checksum at the end.
func (p *Plan) Encode() []byte {
	e := encoder(magic)
	e.texts(p.Path, p.Dir, p.Hash, p.Ask, p.Journal)
	e.uint(uint64(p.Scope))
	encodeList(&e, p.Groups, (*encoder).group)
	encodeList(&e, p.Warnings, func(e *encoder, w *Problem) {
		e.texts(w.Path, w.Msg, w.Hint)
		e.uint(uint64(w.Line))
		e.uint(uint64(w.Column))
	})
	return binary.LittleEndian.AppendUint64(e, checksum(string(e)))
}

type encoder []byte

func (e *encoder) uint(n uint64) { *e = binary.AppendUvarint(*e, n) }

func (e *encoder) text(s string) {
	e.uint(uint64(len(s)))
	*e = append(*e, s...)
}

func (e *encoder) texts(list ...string) {
	for _, s := range list {
		e.text(s)
	}
}

func (e *encoder) strings(list []string) {
	encodeList(e, list, func(e *encoder, s *string) { e.text(*s) })
}

// encodeList writes the length plus one, so that nil (all variables) stays apart from empty (none).
func encodeList[T any](e *encoder, list []T, one func(*encoder, *T)) {
	if list == nil {
		e.uint(0)
		return
	}
	e.uint(uint64(len(list)) + 1)
	for i := range list {
		one(e, &list[i])
	}
}

func (e *encoder) group(g *Group) {
	e.texts(string(g.Event), g.Matcher.Text, g.Matcher.Pattern)
	e.strings(g.Matcher.Names)
	encodeList(e, g.Matcher.Kinds, func(e *encoder, k *hook.Kind) { e.text(string(*k)) })
	e.uint(uint64(g.Line))
	encodeList(e, g.Handlers, (*encoder).handler)
}

func (e *encoder) handler(h *Handler) {
	e.texts(h.Name, h.Shell, h.URL, h.Guard, h.If)
	for _, n := range []uint64{uint64(h.Type), uint64(h.OnFailure), uint64(h.Each), uint64(h.Mode), h.flags(),
		uint64(h.Timeout), uint64(h.MaxContinues), uint64(h.Line)} {
		e.uint(n)
	}
	e.strings(h.Argv)
	e.strings(h.AllowedEnvVars)
	e.strings(h.Agents)
	e.strings(h.Env)
	encodeList(e, h.Headers, func(e *encoder, h *Header) { e.texts(h.Name, h.Value) })
	encodeList(e, h.Options, func(e *encoder, o *Option) {
		e.text(o.Key)
		e.strings(o.Values)
	})
}

func (h *Handler) flags() uint64 {
	n := uint64(0)
	for i, on := range []bool{h.Async, h.Untrusted, h.Gate} {
		if on {
			n |= 1 << i
		}
	}
	return n
}

// DecodePlan reads what Encode wrote. It returns ErrPlan for anything else.
func DecodePlan(b []byte) (*Plan, error) {
	s := string(b) // once: all texts of the plan share it
	const sum = 8
	if len(s) < len(magic)+sum || s[:len(magic)] != magic ||
		checksum(s[:len(s)-sum]) != binary.LittleEndian.Uint64(b[len(s)-sum:]) {
		return nil, ErrPlan
	}
	d := &decoder{rest: s[len(magic) : len(s)-sum]}
	p := &Plan{Path: d.text(), Dir: d.text(), Hash: d.text(), Ask: d.text(), Journal: d.text()}
	p.Scope = Scope(d.enum(uint64(Project)))
	p.Groups = decodeList(d, (*decoder).group)
	p.Warnings = decodeList(d, func(d *decoder, w *Problem) {
		*w = Problem{Path: d.text(), Msg: d.text(), Hint: d.text(), Line: d.int(), Column: d.int()}
	})
	if d.bad || d.rest != "" {
		return nil, ErrPlan
	}
	return p, nil
}

// checksum is FNV-1a, which finds cut and damaged files; it protects against nobody.
func checksum(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// decoder reads from the front of rest. After the first fault it is bad and yields zero values.
type decoder struct {
	rest string
	bad  bool
}

func (d *decoder) uint() uint64 {
	n := uint64(0)
	for i := 0; i < len(d.rest) && i < binary.MaxVarintLen64; i++ {
		c := d.rest[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			d.bad = d.bad || c == 0 && i > 0 || c > 1 && i == binary.MaxVarintLen64-1 // not as Encode writes it
			d.rest = d.rest[i+1:]
			return n
		}
	}
	d.bad, d.rest = true, ""
	return 0
}

func (d *decoder) enum(most uint64) uint8 {
	n := d.uint()
	if n > most {
		d.bad = true
		return 0
	}
	return uint8(n)
}

func (d *decoder) int() int {
	n := d.uint()
	if n > 1<<31-1 {
		d.bad = true
		return 0
	}
	return int(n)
}

func (d *decoder) text() string {
	n := d.uint()
	if n > uint64(len(d.rest)) {
		d.bad, d.rest = true, ""
		return ""
	}
	s := d.rest[:n]
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) strings() []string {
	return decodeList(d, func(d *decoder, s *string) { *s = d.text() })
}

func decodeList[T any](d *decoder, one func(*decoder, *T)) []T {
	n := d.uint()
	if n == 0 {
		return nil
	}
	if n--; n > uint64(len(d.rest)) { // an element is a byte at least
		d.bad = true
		return nil
	}
	list := make([]T, 0, min(n, 32)) // a wrong length must not take memory
	for ; n > 0 && !d.bad; n-- {
		var v T
		one(d, &v)
		list = append(list, v)
	}
	return list
}

func (d *decoder) group(g *Group) {
	g.Event = hook.Name(d.text())
	g.Matcher.Text = d.text()
	g.Matcher.setPattern(d.text())
	g.Matcher.Names = d.strings()
	g.Matcher.Kinds = decodeList(d, func(d *decoder, k *hook.Kind) { *k = hook.Kind(d.text()) })
	g.Line = d.int()
	g.Handlers = decodeList(d, (*decoder).handler)
}

func (d *decoder) handler(h *Handler) {
	h.Name, h.Shell, h.URL, h.Guard, h.If = d.text(), d.text(), d.text(), d.text(), d.text()
	h.Type = Type(d.enum(uint64(HTTP)))
	h.OnFailure = OnFailure(d.enum(uint64(Block)))
	h.Each = Each(d.enum(uint64(EachCall)))
	h.Mode = Mode(d.enum(uint64(Warn)))
	flags := d.enum(7)
	h.Async, h.Untrusted, h.Gate = flags&1 != 0, flags&2 != 0, flags&4 != 0
	h.Timeout = time.Duration(d.uint())
	h.MaxContinues, h.Line = d.int(), d.int()
	h.Argv = d.strings()
	h.AllowedEnvVars = d.strings()
	h.Agents = d.strings()
	h.Env = d.strings()
	h.Headers = decodeList(d, func(d *decoder, h *Header) { h.Name, h.Value = d.text(), d.text() })
	h.Options = decodeList(d, func(d *decoder, o *Option) { o.Key, o.Values = d.text(), d.strings() })
}
