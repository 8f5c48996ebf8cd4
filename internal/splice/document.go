package splice

import (
	"bytes"
	"fmt"
)

// Format is the language of a file and what its reader accepts of it: JSON or TOML, with the additions.
type Format uint8

// The formats. Combine them: JSON|Comments|BOM.
const (
	JSON           Format = 0
	TOML           Format = 1 << iota
	Comments              // JSON: // and /* */
	TrailingCommas        // JSON: a comma before } or ]
	BOM                   // a byte order mark at the start
	NullAbsent            // JSON: null, where an edit needs an object or a list, counts as not there, and is replaced
)

const (
	// MaxSize is the largest file that is edited, in bytes.
	MaxSize = 16 << 20
	// MaxDepth is how deep lists and objects may be nested.
	MaxDepth = 1000
)

// Doc is a settings file in memory: its text, and what the text means. Edits change the text at one place each and
// leave every other byte alone; what they did is kept for Undo. A Doc is for one goroutine.
type Doc struct {
	name   string
	format Format
	was    []byte // the text as it was parsed; nil: there was no file
	text   []byte
	root   *node // nil: no value in it (JSON only)
	gone   bool  // the file is to be deleted
	track  track
	parts  []Part
	made   bool    // the file did not exist before the first edit ever made
	meant  string  // the identity of its values before the first edit ever
	bare   *string // the whole text, where no value stood in it before the first edit
	first  string  // the sum of the bytes before the first edit, where Continue has told it
}

// Parse reads a document. The name stands in errors only. A text that is empty or white space is a new document; nil
// means that there is no file yet. Errors are *Error: Syntax, Encoding or TooBig.
func Parse(name string, text []byte, f Format) (*Doc, error) {
	d := &Doc{name: name, format: f, was: text, text: bytes.Clone(text), made: text == nil}
	if err := d.parse(); err != nil {
		return nil, err
	}
	if d.root == nil {
		s := string(text)
		d.bare = &s
	}
	d.meant = d.meaning()
	return d, nil
}

// parse reads the text again, after an edit.
func (d *Doc) parse() error {
	if err := readable(d.name, d.text); err != nil {
		return err
	}
	read := parseJSON
	if d.format&TOML != 0 {
		read = parseTOML
	}
	root, err := read(d.name, d.text, d.format)
	if err != nil {
		return err
	}
	d.root = root
	return nil
}

// Bytes returns the text after the edits so far; nil where there shall be no file.
func (d *Doc) Bytes() []byte {
	if d.gone || d.was == nil && len(d.text) == 0 {
		return nil
	}
	return bytes.Clone(d.text)
}

// Changed reports whether the text differs from the one that was parsed.
func (d *Doc) Changed() bool {
	now := d.Bytes()
	return (now == nil) != (d.was == nil) || !bytes.Equal(now, d.was)
}

// Root returns the whole document; Absent where there is no value in it.
func (d *Doc) Root() Value { return Value{d.text, d.root} }

// Get returns the value at a path, or Absent.
func (d *Doc) Get(p Path) Value {
	v := d.Root()
	for _, s := range p {
		if s.Key != nil {
			v = v.Get(*s.Key)
		} else {
			v = v.Elem(s.Index)
		}
	}
	return v
}

// Expect returns an error, with the line, unless the value at p is of that kind or not there. It is for a caller that reads
// a file, to refuse it as an edit would.
func (d *Doc) Expect(p Path, want Kind) error {
	n, rest, err := d.reach(p)
	if err != nil || n == nil || len(rest) > 0 || n.kind == want || d.absent(n) {
		return err
	}
	return d.shape(n, p, want.String())
}

// reach walks a path as far as it exists. It returns the last value found and the rest of the path, and refuses what an
// edit must not pass: keys that stand twice, values that are no object or list, positions that are not there.
func (d *Doc) reach(p Path) (*node, Path, error) {
	n := d.root
	for i, s := range p {
		if n == nil {
			return nil, p[i:], nil
		}
		if n.kind == Null && d.format&NullAbsent != 0 {
			return n, p[i:], nil
		}
		if s.Key == nil {
			if n.kind != Array {
				return nil, nil, d.shape(n, p[:i], Array.String())
			}
			if s.Index < 0 || s.Index >= len(n.kids) {
				return nil, nil, d.refuse(Shape, n, fmt.Sprintf("%s has %d elements, there is no [%d]", p[:i], len(n.kids), s.Index), "")
			}
			n = n.kids[s.Index]
			continue
		}
		if n.kind != Object {
			return nil, nil, d.shape(n, p[:i], Object.String())
		}
		found, times := n.find(*s.Key)
		if times > 1 {
			return nil, nil, d.refuse(Duplicate, found, fmt.Sprintf("the key %q stands %d times in its object", *s.Key, times),
				"keep one of them: programs disagree on which one counts")
		}
		if found == nil {
			return n, p[i:], nil
		}
		n = found
	}
	return n, nil, nil
}

func (d *Doc) shape(n *node, p Path, want string) error {
	hint := "correct it by hand"
	if n.kind == Null {
		hint = "delete it"
	}
	return d.refuse(Shape, n, fmt.Sprintf("%s is %s, where %s is needed", p, n.kind, want), hint)
}

func (d *Doc) refuse(f Fault, n *node, what, hint string) error {
	return fail(f, d.name, d.text, n.place(), what, hint)
}

// edit replaces one stretch of the text.
type edit struct {
	span
	with string
}

// apply makes edits of one operation, which must not overlap, and reads the result again. The new text is kept only
// if it is a document: an edit never leaves a file that its reader would refuse.
func (d *Doc) apply(edits ...edit) error {
	old, root, track := d.text, d.root, d.track.clone()
	sortEdits(edits)
	for i := len(edits) - 1; i >= 0; i-- {
		e := edits[i]
		if e.start == e.end && e.with == "" {
			continue
		}
		d.track.replaced(d.text, e)
		d.text = bytes.Join([][]byte{d.text[:e.start], []byte(e.with), d.text[e.end:]}, nil)
	}
	if err := d.parse(); err != nil {
		d.text, d.root, d.track = old, root, track
		return fmt.Errorf("failed to edit %s: the result would not be readable: %w", d.name, err)
	}
	return nil
}
