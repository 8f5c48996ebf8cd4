package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

func seeds(f *testing.F, add func(string)) {
	f.Helper()
	for _, s := range []string{
		``, `{}`, `{"a":1}`, string(payload), "\uFEFF\uFEFF{\"a\":[1,2,{}]}\n{}", `{"a":1,"\u0061":2}`, "{\"a\":\"\xff\xe2\x82\"}",
		encode16("\uFEFF{\"a\":\"😀\"}", false), encode16("{\"a\":\"ü\"}x", true), `{"a":"\ud800\udc00\ud800"}`,
		`{"n":[1E400,-0,12345678901234567890,0.1e-5,true,false,null]}`, "{ \"a\" : 1 ,\n\t\"b\" : { } }", `{"a":` + strings.Repeat("[", 600),
		"\x00\x00", "\xff\xfe\x00\xd8", `{"":{"":{"":""}}}`, string(manyKeys(40, `,"k7":1`)),
	} {
		add(s)
	}
}

func FuzzReadNeverPanics(f *testing.F) {
	seeds(f, func(s string) { f.Add([]byte(s)) })
	f.Fuzz(func(t *testing.T, in []byte) {
		_, parseErr := Parse(bytes.Clone(in))
		v, _, err := Read(context.Background(), bytes.NewReader(in), Limits{})
		var e *Error
		if err != nil {
			if !errors.As(err, &e) || e.Kind.String() == "unknown" || e.Offset < 0 || e.Offset > int64(3*len(in)) {
				t.Fatalf("a strange error: %#v", err)
			}
			if v.Kind() != Absent {
				t.Fatalf("an error with a value")
			}
			return
		}
		raw := v.Raw()
		if v.Kind() != Object || !utf8.Valid(raw) || !json.Valid(raw) {
			t.Fatalf("not a JSON object: %q", raw)
		}
		again, err := Parse(raw)
		if err != nil || !Equal(v, again) {
			t.Fatalf("Parse(%q) = %v", raw, err)
		}
		if parseErr == nil && !bytes.Contains(in, raw) && utf8.Valid(in) {
			t.Fatalf("the text was changed: %q", raw)
		}
		agreesWithEncodingJSON(t, v)
		if depth := walk(t, v, 0); depth > DefaultDepth {
			t.Fatalf("depth %d", depth)
		}
		for name, text := range map[string][]byte{"Compact": Compact(nil, v), "AppendWellFormed": AppendWellFormed(nil, v)} {
			if w, err := Parse(text); err != nil || w.Len() != v.Len() {
				// Two different lone surrogates may become one key, by design.
				if errors.As(err, &e) && e.Kind == Duplicate && name == "AppendWellFormed" {
					continue
				}
				t.Fatalf("%s gives %q: %v", name, text, err)
			}
		}
	})
}

// agreesWithEncodingJSON compares the top level.
func agreesWithEncodingJSON(t *testing.T, v Value) {
	t.Helper()
	var want map[string]json.RawMessage
	if err := json.Unmarshal(v.Raw(), &want); err != nil {
		t.Fatalf("encoding/json refuses %q: %v", v.Raw(), err)
	}
	for k, m := range v.Members() {
		if strings.ContainsRune(k, utf8.RuneError) {
			continue // lone surrogates: several keys may look alike
		}
		if !bytes.Equal(want[k], m.Raw()) || !bytes.Equal(v.Get(k).Raw(), m.Raw()) {
			t.Fatalf("key %q: got %q, encoding/json has %q, Get has %q", k, m.Raw(), want[k], v.Get(k).Raw())
		}
	}
}

// walk visits everything and returns the depth.
func walk(t *testing.T, v Value, depth int) int {
	if s, ok := v.StrOK(); ok {
		var want string
		if err := json.Unmarshal(v.Raw(), &want); err != nil || s != want || !utf8.ValidString(s) {
			t.Fatalf("%q decodes to %q, want %q (%v)", v.Raw(), s, want, err)
		}
		return depth
	}
	deepest := depth
	if v.Kind() == Object || v.Kind() == Array {
		deepest = depth + 1
	}
	for k, m := range v.Members() {
		if !utf8.ValidString(k) {
			t.Fatalf("key %q is not UTF-8", k)
		}
		deepest = max(deepest, walk(t, m, depth+1))
	}
	for m := range v.Elems() {
		deepest = max(deepest, walk(t, m, depth+1))
	}
	return deepest
}

func FuzzParseAgreesWithEncodingJSON(f *testing.F) {
	seeds(f, func(s string) { f.Add([]byte(s)) })
	f.Fuzz(func(t *testing.T, in []byte) {
		v, err := Parse(in)
		if err == nil {
			if !json.Valid(v.Raw()) || !utf8.Valid(v.Raw()) {
				t.Fatalf("accepted %q", in)
			}
			return
		}
		// What encoding/json takes, we refuse only for these reasons.
		if e := errorOf(t, err); json.Valid(in) && e.Kind != Duplicate && e.Kind != TooDeep {
			t.Fatalf("refused %q: %v", in, err)
		}
	})
}

func FuzzWithKeepsOtherBytes(f *testing.F) {
	seeds(f, func(s string) { f.Add([]byte(s), "a", []byte(`{"x":1}`)) })
	f.Add([]byte("{\n  \"b\": 1\n}"), "c\"", []byte(` "v" `))
	f.Fuzz(func(t *testing.T, in []byte, key string, raw []byte) {
		v, err := Parse(in)
		val, valErr := Parse(bytes.Clone(raw))
		got := v.With(key, bytes.Clone(raw))
		if err != nil || valErr != nil || v.Kind() != Object {
			if got.Kind() != Absent && v.Kind() != Object {
				t.Fatalf("With made %q of nothing", got.Raw())
			}
			return
		}
		if !utf8.ValidString(key) || strings.ContainsRune(key, utf8.RuneError) {
			return // such a key is written as U+FFFD, or stands for several
		}
		if _, err := parse(bytes.Clone(got.Raw()), maxDepth); err != nil {
			t.Fatalf("%q with %q: %q: %v", in, key, got.Raw(), err)
		}
		if !bytes.Equal(got.Get(key).Raw(), val.Raw()) {
			t.Fatalf("the member is %q", got.Get(key).Raw())
		}
		if old := v.Get(key); old.Kind() != Absent {
			// Whatever differs lies inside the old value.
			if alike(v.Raw(), got.Raw()) < len(v.Raw())-len(old.Raw()) {
				t.Fatalf("other bytes changed: %q, %q", v.Raw(), got.Raw())
			}
			sameOthers(t, v, got, key)
			return
		}
		if back := got.Without(key); v.Len() > 0 && !bytes.Equal(back.Raw(), v.Raw()) {
			t.Fatalf("%q with and without %q is %q", v.Raw(), key, back.Raw())
		}
		sameOthers(t, v, got, key)
		sameOthers(t, v, v.Without(key), key)
	})
}

// alike returns how many bytes at the beginning and at the end are the same.
func alike(a, b []byte) int {
	n, front := min(len(a), len(b)), 0
	for front < n && a[front] == b[front] {
		front++
	}
	back := 0
	for back < n && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	return front + back
}

// sameOthers checks that all members but key are the same bytes in the same order.
func sameOthers(t *testing.T, a, b Value, key string) {
	t.Helper()
	list := func(v Value) (out []string) {
		for k, m := range v.Members() {
			if k != key {
				out = append(out, k, string(m.Raw()))
			}
		}
		return out
	}
	x, y := list(a), list(b)
	if strings.Join(x, "\x00") != strings.Join(y, "\x00") {
		t.Fatalf("other members changed: %q, %q", x, y)
	}
}

// pieces reads a text in pieces whose sizes come from cuts.
type pieces struct {
	text []byte
	cuts []byte
	n    int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	size := 1
	if len(p.cuts) > 0 {
		size = int(p.cuts[p.n%len(p.cuts)])%7 + 1
		p.n++
	}
	n := copy(b, p.text[:min(size, len(p.text))])
	p.text = p.text[n:]
	return n, nil
}

func FuzzChunkingDoesNotMatter(f *testing.F) {
	seeds(f, func(s string) { f.Add([]byte(s), []byte{0, 3, 1}, uint8(0)); f.Add([]byte(s), []byte{}, uint8(9)) })
	f.Fuzz(func(t *testing.T, in, cuts []byte, limit uint8) {
		lim := Limits{Bytes: int(limit)}
		v1, n1, err1 := Read(context.Background(), bytes.NewReader(in), lim)
		v2, n2, err2 := Read(context.Background(), &pieces{text: in, cuts: cuts}, lim)
		n1.Trailing, n2.Trailing = false, false // these two depend on what has arrived, by design
		n1.Head, n2.Head = "", ""
		if !bytes.Equal(v1.Raw(), v2.Raw()) || n1 != n2 {
			t.Fatalf("whole: %q %+v, in pieces: %q %+v", v1.Raw(), n1, v2.Raw(), n2)
		}
		if (err1 == nil) != (err2 == nil) || err1 != nil && err1.Error() != err2.Error() {
			t.Fatalf("whole: %v, in pieces: %v", err1, err2)
		}
	})
}
