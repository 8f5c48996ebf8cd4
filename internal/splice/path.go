package splice

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Path leads from the root of a document to a value, through keys and positions in lists. The empty path is the root.
// As JSON it is a list of strings and numbers.
type Path []Step

// Step is one step of a Path: into the member Key, or, where Key is nil, to the element Index.
type Step struct {
	Key   *string
	Index int
}

// At is a path of keys.
func At(keys ...string) Path {
	p := make(Path, 0, len(keys)+2)
	for _, k := range keys {
		p = append(p, Step{Key: &k})
	}
	return p
}

// Key returns the path one key further.
func (p Path) Key(key string) Path { return append(slices.Clone(p), Step{Key: &key}) }

// Elem returns the path to an element of the list at p, counted from 0.
func (p Path) Elem(i int) Path { return append(slices.Clone(p), Step{Index: i}) }

// String writes the path as people do: hooks.PreToolUse[0].
func (p Path) String() string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case s.Key == nil:
			b.WriteString("[" + strconv.Itoa(s.Index) + "]")
		case plainKey(*s.Key):
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(*s.Key)
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(strconv.Quote(*s.Key))
		}
	}
	if len(p) == 0 {
		return "the root"
	}
	return b.String()
}

// Equal reports whether two paths are the same.
func (p Path) Equal(q Path) bool {
	return slices.EqualFunc(p, q, func(a, b Step) bool {
		if (a.Key == nil) != (b.Key == nil) {
			return false
		}
		return a.Key == nil && a.Index == b.Index || a.Key != nil && *a.Key == *b.Key
	})
}

// parent splits off the last step.
func (p Path) parent() (Path, Step) { return p[:len(p)-1], p[len(p)-1] }

// MarshalJSON writes a string for a key, a number for a position.
func (s Step) MarshalJSON() ([]byte, error) {
	if s.Key != nil {
		return json.Marshal(*s.Key)
	}
	return json.Marshal(s.Index)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Step) UnmarshalJSON(b []byte) error {
	*s = Step{}
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &s.Key)
	}
	if err := json.Unmarshal(b, &s.Index); err != nil {
		return fmt.Errorf("failed to read a step of a path: %w", err)
	}
	return nil
}

// plainKey reports whether a key needs no quotes: TOML's rule for bare keys.
func plainKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return key != ""
}
