package splice

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/hookspan/hookspan/internal/sha256"
)

// Undo is what takes edits back. It is small, holds none of the file but what the edits replaced, and is kept as JSON.
//
// While the file is byte for byte what was written, Exact gives the bytes from before. Once somebody has edited it,
// Doc.Revert takes out the Parts and leaves everything else.
type Undo struct {
	Before string  `json:"before,omitempty"` // SHA-256 of the file before, NoFile, or "" where no such bytes are known
	After  string  `json:"after"`            // SHA-256 of the file as written
	Hunks  []Hunk  `json:"hunks,omitempty"`  // where After differs from Before, in order
	Parts  []Part  `json:"parts,omitempty"`  // what was put in, in order
	Made   bool    `json:"made,omitempty"`   // there was no file
	Meant  string  `json:"meant"`            // SHA-256 of the values in the file before, in canonical JSON
	Bare   *string `json:"bare,omitempty"`   // the whole file, where it held no value
}

// NoFile stands in Undo.Before and Undo.After for a file that does not exist.
const NoFile = "none"

// Hunk is a stretch of the written text, and what stood there before.
type Hunk struct {
	At  int    `json:"at"`  // offset in bytes
	Len int    `json:"len"` // in bytes
	Was string `json:"was,omitempty"`
}

// Part is one value that edits have put in, and what of its surroundings they made.
type Part struct {
	At      Path            `json:"at"`               // the member; or the list that holds the element
	Element bool            `json:"elem,omitempty"`   // an element of the list At
	Index   int             `json:"index,omitempty"`  // where the element stood
	Value   json.RawMessage `json:"value,omitempty"`  // canonical (Value.JSON); absent: taken out again, only Made is left
	Made    int             `json:"made,omitempty"`   // how many of the lists and objects around it were made, innermost first
	Null    bool            `json:"null,omitempty"`   // the outermost of Made replaced a null
	Inside  *string         `json:"inside,omitempty"` // what stood between the brackets of the innermost one that was not made, if it held no value
	Was     *string         `json:"was,omitempty"`    // the text of the value that Value replaced
	Needed  bool            `json:"needed,omitempty"` // put in by Require: stays if others have come to need it
	Led     bool            `json:"led,omitempty"`    // TOML: an empty line was put before it
}

// holder returns the innermost list or object that holds the part.
func (p *Part) holder() Path {
	if p.Element {
		return p.At
	}
	return p.At[:len(p.At)-1]
}

// sum is the identity of a file's bytes.
func sum(b []byte) string {
	if b == nil {
		return NoFile
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// Applied reports whether these bytes (nil: no file) are exactly what the edits wrote.
func (u *Undo) Applied(now []byte) bool { return sum(now) == u.After }

// Untouched reports whether these bytes (nil: no file) are exactly what stood there before the edits.
func (u *Undo) Untouched(now []byte) bool { return sum(now) == u.Before }

// Exact returns the bytes from before the edits; nil where there was no file. It is not ok, and nothing must be done
// with the result, if now is not what was written or the bytes from before are not known.
func (u *Undo) Exact(now []byte) (before []byte, ok bool) {
	if !u.Applied(now) || u.Before == "" {
		return nil, false
	}
	if u.Before == NoFile {
		return nil, true
	}
	before = []byte{}
	at := 0
	for _, h := range u.Hunks {
		if h.At < at || h.Len < 0 || h.At+h.Len > len(now) {
			return nil, false
		}
		before = append(append(before, now[at:h.At]...), h.Was...)
		at = h.At + h.Len
	}
	before = append(before, now[at:]...)
	return before, sum(before) == u.Before
}

// track keeps, while a text is edited, where it differs from the one at the start.
type track struct {
	hunks []Hunk
	lost  bool // the text at the start is not the one to go back to
}

func (t *track) clone() track { return track{slices.Clone(t.hunks), t.lost} }

// replaced notes an edit of the text. Hunks that it touches become one with it.
func (t *track) replaced(text []byte, e edit) {
	lo, hi := e.start, e.end
	first, last := len(t.hunks), 0
	for i, h := range t.hunks {
		if h.At <= e.end && e.start <= h.At+h.Len {
			first, last = min(first, i), i+1
			lo, hi = min(lo, h.At), max(hi, h.At+h.Len)
		}
	}
	if last == 0 {
		first = len(t.hunks)
		for i, h := range t.hunks {
			if h.At > e.end {
				first = i
				break
			}
		}
		last = first
	}
	var was bytes.Buffer
	at := lo
	for _, h := range t.hunks[first:last] {
		was.Write(text[at:h.At])
		was.WriteString(h.Was)
		at = h.At + h.Len
	}
	was.Write(text[at:hi])
	grown := len(e.with) - (e.end - e.start)
	joined := Hunk{At: lo, Len: hi - lo + grown, Was: was.String()}
	for i := last; i < len(t.hunks); i++ {
		t.hunks[i].At += grown
	}
	t.hunks = slices.Replace(t.hunks, first, last, joined)
}

// Undo returns what takes the edits back, those before Continue included.
func (d *Doc) Undo() Undo {
	now := d.Bytes()
	u := Undo{Before: d.before(), After: sum(now), Hunks: slices.Clone(d.track.hunks), Parts: slices.Clone(d.parts), Made: d.made, Meant: d.meant, Bare: d.bare}
	if u.Before == "" || u.Before == NoFile {
		u.Hunks = nil
	}
	if _, ok := u.Exact(now); !ok { // never promise what cannot be kept
		u.Before, u.Hunks = "", nil
	}
	return u
}

func (d *Doc) before() string {
	if d.track.lost {
		return ""
	}
	if d.first != "" {
		return d.first
	}
	return sum(d.was)
}

// Continue makes the edits that follow a sequel to earlier ones: Undo then takes back all of them. Call it first. If
// the document is not what the earlier edits wrote, the parts are still known, the exact bytes from before are not. The zero Undo changes nothing.
func (d *Doc) Continue(u Undo) {
	if u.After == "" {
		return
	}
	d.parts = slices.Clone(u.Parts)
	d.made, d.meant, d.bare = u.Made, u.Meant, u.Bare
	d.track = track{hunks: slices.Clone(u.Hunks), lost: !u.Applied(d.was) || u.Before == ""}
	d.first = u.Before
	if d.track.lost {
		d.track.hunks, d.first = nil, ""
	}
	for i := range d.parts {
		if at, ok := d.Find(d.parts[i]); ok && d.parts[i].Element {
			d.parts[i].Index = at[len(at)-1].Index
		}
	}
}

func sortEdits(edits []edit) {
	slices.SortFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
}
