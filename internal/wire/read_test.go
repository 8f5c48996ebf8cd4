package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"
)

// encode16 writes s as UTF-16, little endian unless big.
func encode16(s string, big bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		lo, hi := byte(u), byte(u>>8)
		if big {
			lo, hi = hi, lo
		}
		b.WriteByte(lo)
		b.WriteByte(hi)
	}
	return b.String()
}

func readString(s string) (Value, Notes, error) {
	return Read(context.Background(), strings.NewReader(s), Limits{})
}

// errorOf returns the *Error behind err, and fails the test if it is none.
func errorOf(t *testing.T, err error) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *Error", err)
	}
	return e
}

func TestReadTakesTheFirstObject(t *testing.T) {
	const feff = "\uFEFF"
	tests := []struct {
		name, in, raw string
		notes         Notes
	}{
		{"plain", `{"a":1}`, `{"a":1}`, Notes{}},
		{"empty object", `{}`, `{}`, Notes{}},
		{"inner blanks stay", "{ \"a\" :\t1 ,\r\n\"b\": [ ] }", "{ \"a\" :\t1 ,\r\n\"b\": [ ] }", Notes{}},
		{"blanks around", " \r\n\t{} \r\n\t", `{}`, Notes{}},
		{"one BOM", feff + `{}`, `{}`, Notes{BOMs: 1}},
		{"two BOMs", feff + feff + `{}`, `{}`, Notes{BOMs: 2}},
		{"BOM, blank, BOM", feff + "\n" + feff + `{}`, `{}`, Notes{BOMs: 2}},
		{"a second document", `{"a":1}{"b":2}`, `{"a":1}`, Notes{Trailing: true}},
		{"JSON lines", "{\"a\":1}\n{\"b\":2}\n", `{"a":1}`, Notes{Trailing: true}},
		{"junk behind", `{"a":1} # end`, `{"a":1}`, Notes{Trailing: true}},
		{"a NUL behind", "{}\x00", `{}`, Notes{Trailing: true}},
		{"a bracket too many", `{}}`, `{}`, Notes{Trailing: true}},
		{"UTF-16 LE with BOM", encode16(feff+`{"ключ":"😀"}`, false), `{"ключ":"😀"}`, Notes{BOMs: 1, UTF16: true}},
		{"UTF-16 BE with BOM", encode16(feff+`{"ключ":"😀"}`, true), `{"ключ":"😀"}`, Notes{BOMs: 1, UTF16: true}},
		{"UTF-16 LE without", encode16(`{"ключ":"😀"}`, false), `{"ключ":"😀"}`, Notes{UTF16: true}},
		{"UTF-16 BE without", encode16(`{"ключ":"😀"}`, true), `{"ключ":"😀"}`, Notes{UTF16: true}},
		{"UTF-16 LE two BOMs", encode16(feff+feff+`{}`, false), `{}`, Notes{BOMs: 2, UTF16: true}},
		{"UTF-16 blanks first", encode16("\r\n{}", true), `{}`, Notes{UTF16: true}},
		{"UTF-16 and a second document", encode16("{}\n{}", false), `{}`, Notes{UTF16: true, Trailing: true}},
		{"UTF-16 odd byte behind", encode16("{}", false) + "\n", `{}`, Notes{UTF16: true}},
		{"UTF-16 lone high surrogate", encode16(`{"a":"`, false) + "\x00\xD8" + encode16(`x"}`, false), "{\"a\":\"\uFFFDx\"}", Notes{UTF16: true, Replaced: 1}},
		{"UTF-16 lone low surrogate", encode16(`{"a":"`, true) + "\xDC\x00" + encode16(`x"}`, true), "{\"a\":\"\uFFFDx\"}", Notes{UTF16: true, Replaced: 1}},
		{"broken UTF-8", "{\"a\":\"caf\xe9!\"}", "{\"a\":\"caf\uFFFD!\"}", Notes{Replaced: 1}},
		{"broken UTF-8 in a key", "{\"\xff\":1}", "{\"\uFFFD\":1}", Notes{Replaced: 1}},
		{"a cut character is one", "{\"a\":\"\xe2\x82x\xf0\x9f\x98\"}", "{\"a\":\"\uFFFDx\uFFFD\"}", Notes{Replaced: 2}},
		{"overlong, as Node counts", "{\"a\":\"\xc0\x80\"}", "{\"a\":\"\uFFFD\uFFFD\"}", Notes{Replaced: 2}},
		{"surrogate in UTF-8, as Node counts", "{\"a\":\"\xed\xa0\x80\"}", "{\"a\":\"\uFFFD\uFFFD\uFFFD\"}", Notes{Replaced: 3}},
		{"a real U+FFFD is not counted", "{\"a\":\"\uFFFD\"}", "{\"a\":\"\uFFFD\"}", Notes{}},
		{"broken bytes behind are not counted", "{\"a\":\"\xff\"} \xff\xff", "{\"a\":\"\uFFFD\"}", Notes{Replaced: 1, Trailing: true}},
		{"lone surrogate escapes stay", `{"a":"\ud800 \uDC00"}`, `{"a":"\ud800 \uDC00"}`, Notes{}},
		{"digits stay", `{"a":12345678901234567890,"b":1E400,"c":-0.0,"d":1e-7,"e":0,"f":10.50e+09}`,
			`{"a":12345678901234567890,"b":1E400,"c":-0.0,"d":1e-7,"e":0,"f":10.50e+09}`, Notes{}},
		{"keys that differ in case", `{"Command":"rm","command":"ls"}`, `{"Command":"rm","command":"ls"}`, Notes{}},
		{"equal keys in different objects", `{"a":{"a":1},"b":[{"a":1},{"a":2}]}`, `{"a":{"a":1},"b":[{"a":1},{"a":2}]}`, Notes{}},
		{"different lone surrogates are different keys", `{"\ud800":1,"\ud801":2}`, `{"\ud800":1,"\ud801":2}`, Notes{}},
		{"words", `{"a":true,"b":false,"c":null}`, `{"a":true,"b":false,"c":null}`, Notes{}},
		{"DEL is no control character to JSON", "{\"a\":\"\x7f\"}", "{\"a\":\"\x7f\"}", Notes{}},
		{"an escaped NUL", `{"a":"\u0000"}`, `{"a":"\u0000"}`, Notes{}},
		{"empty key", `{"":1}`, `{"":1}`, Notes{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, notes, err := readString(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if string(v.Raw()) != tt.raw {
				t.Errorf("got %q, want %q", v.Raw(), tt.raw)
			}
			if notes != tt.notes {
				t.Errorf("got notes %+v, want %+v", notes, tt.notes)
			}
			again, err := Parse(v.Raw())
			if err != nil || !bytes.Equal(again.Raw(), v.Raw()) {
				t.Errorf("Parse does not accept what Read did: %v", err)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	tests := []struct {
		name, in string
		kind     ErrKind
		offset   int64
	}{
		{"nothing", "", Empty, 0},
		{"blanks", " \n\t ", Empty, 4},
		{"a BOM", "\uFEFF", Empty, 3},
		{"a UTF-16 BOM", "\xff\xfe", Empty, 3},
		{"half a BOM", "\xef\xbb", Encoding, 0},
		{"one brace", "{", Truncated, 1},
		{"inside a key", `{"ab`, Truncated, 4},
		{"behind a key", `{"ab"`, Truncated, 5},
		{"inside a string", `{"a":"b`, Truncated, 7},
		{"inside an escape", `{"a":"\`, Truncated, 7},
		{"inside \\u", `{"a":"\u00`, Truncated, 10},
		{"inside a number", `{"a":1`, Truncated, 6},
		{"inside a minus", `{"a":-`, Truncated, 6},
		{"inside a word", `{"a":tru`, Truncated, 8},
		{"inside an array", `{"a":[1,`, Truncated, 8},
		{"inside UTF-16", encode16(`{"a":1`, false), Truncated, 6},
		{"half a code unit", encode16(`{"a":"`, false) + "x", Truncated, 9},
		{"half a character", "{\"a\":\"\xe2\x82", Truncated, 9},
		{"an array", `[]`, Syntax, 0},
		{"a string", `"x"`, Syntax, 0},
		{"a number", `17`, Syntax, 0},
		{"null", `null`, Syntax, 0},
		{"a log line first", "hello {}", Syntax, 0},
		{"BOM behind the beginning", "{\uFEFF}", Syntax, 1},
		{"no-break space", "\u00a0{}", Syntax, 0},
		{"single quotes", `{'a':1}`, Syntax, 1},
		{"bare key", `{a:1}`, Syntax, 1},
		{"comment", `{/**/}`, Syntax, 1},
		{"comma at the end", `{"a":1,}`, Syntax, 7},
		{"comma at the end of an array", `{"a":[1,]}`, Syntax, 8},
		{"comma first", `{,}`, Syntax, 1},
		{"no colon", `{"a" 1}`, Syntax, 5},
		{"no comma", `{"a":1 "b":2}`, Syntax, 7},
		{"wrong bracket", `{"a":[1}`, Syntax, 7},
		{"wrong brace", `{"a":1]`, Syntax, 6},
		{"no value", `{"a":}`, Syntax, 5},
		{"upper case word", `{"a":True}`, Syntax, 5},
		{"wrong word", `{"a":nuLl}`, Syntax, 7},
		{"NaN", `{"a":NaN}`, Syntax, 5},
		{"Infinity", `{"a":-Infinity}`, Syntax, 6},
		{"plus", `{"a":+1}`, Syntax, 5},
		{"leading zero", `{"a":01}`, Syntax, 6},
		{"no digit before the point", `{"a":.5}`, Syntax, 5},
		{"no digit behind the point", `{"a":5.}`, Syntax, 7},
		{"no digit in the exponent", `{"a":5e}`, Syntax, 7},
		{"hexadecimal", `{"a":0x1}`, Syntax, 6},
		{"newline in a string", "{\"a\":\"b\nc\"}", Syntax, 7},
		{"NUL in a string", "{\"a\":\"b\x00\"}", Syntax, 7},
		{"escape control character", "{\"a\":\"\x1b[0m\"}", Syntax, 6},
		{"unknown escape", `{"a":"\x41"}`, Syntax, 7},
		{"short \\u", `{"a":"\u12"}`, Syntax, 10},
		{"control character in UTF-16", encode16("{\"a\":\"\t\"}", true), Syntax, 6},
		{"binary", "\x1f\x8b\x08\x00", Syntax, 0},
		{"broken UTF-8 outside strings", "{\xff}", Encoding, 1},
		{"broken UTF-8 first", "\x80{}", Encoding, 0},
		{"UTF-32 LE", "\xff\xfe\x00\x00{\x00\x00\x00}\x00\x00\x00", Encoding, 3},
		{"UTF-32 BE", "\x00\x00\x00{\x00\x00\x00}", Encoding, 0},
		{"duplicate", `{"a":1,"a":2}`, Duplicate, 7},
		{"duplicate behind an escape", `{"a":1,"\u0061":2}`, Duplicate, 7},
		{"duplicate before an escape", `{"\u0061":1,"b":0,"a":2}`, Duplicate, 18},
		{"duplicate of two spellings", `{"\ud83d\ude00":1,"😀":2}`, Duplicate, 18},
		{"duplicate lone surrogates", `{"\ud800":1,"\uD800":2}`, Duplicate, 12},
		{"duplicate deep inside", `{"x":[{"y":{"a":1,"b":2,"a":3}}]}`, Duplicate, 24},
		{"duplicate after a nested object", `{"a":{"b":1},"a":2}`, Duplicate, 13},
		{"duplicate in UTF-16", encode16(`{"a":1,"a":2}`, false), Duplicate, 7},
		{"duplicate empty key", `{"":1,"":2}`, Duplicate, 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, _, err := readString(tt.in)
			e := errorOf(t, err)
			if e.Kind != tt.kind || e.Offset != tt.offset {
				t.Errorf("got %v at %d, want %v at %d (%v)", e.Kind, e.Offset, tt.kind, tt.offset, e)
			}
			if v.Kind() != Absent {
				t.Errorf("an error came with the value %q", v.Raw())
			}
		})
	}
}

func TestDuplicateNamesTheDecodedKey(t *testing.T) {
	_, _, err := readString(`{"a\"b":1,"\u0061\"b":2}`)
	if e := errorOf(t, err); e.Key != `a"b` {
		t.Errorf("got key %q", e.Key)
	}
}

func TestErrorsAreReadable(t *testing.T) {
	long := strings.Repeat("ü", 1000)
	_, _, err := readString(`{"` + long + `":1,"` + long + `":2}`)
	e := errorOf(t, err)
	if e.Key != long {
		t.Error("the key is not whole")
	}
	if len(e.Error()) > 300 || !strings.HasPrefix(e.Error(), "failed to read JSON: duplicate at byte 2006: ") {
		t.Errorf("got %q", e.Error())
	}
	_, _, err = readString(`{"a":1,}`)
	const want = `failed to read JSON: syntax at byte 7: a key in quotes is missing (found "}")`
	if err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	for k := Empty; k <= Unreadable; k++ {
		if k.String() == "unknown" {
			t.Errorf("kind %d has no word", k)
		}
	}
}

// hold opens a pipe that stays open until the test ends.
func hold(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close(); r.Close() })
	return r, w
}

func TestReadNeverWaitsForTheEndOfInput(t *testing.T) {
	for name, in := range map[string]string{
		"UTF-8":        `{"a":"x"}`,
		"newline":      "{\"a\":\"x\"}\n",
		"BOM":          "\uFEFF" + `{"a":"x"}`,
		"UTF-16 LE":    encode16(`{"a":"x"}`, false),
		"UTF-16 BE":    encode16(`{"a":"x"}`, true),
		"buffer sized": `{"a":"` + strings.Repeat("x", firstRead-8) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			r, w := hold(t)
			if _, err := w.WriteString(in); err != nil {
				t.Fatal(err)
			}
			v, _, err := Read(context.Background(), r, Limits{Time: 10 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if v.Get("a").Str() == "" {
				t.Errorf("got %q", v.Raw())
			}
		})
	}
}

func TestReadTakesTwoWritesApart(t *testing.T) {
	r, w := hold(t)
	go func() {
		_, _ = w.WriteString(`{"a":"x","b`)
		time.Sleep(300 * time.Millisecond)
		_, _ = w.WriteString(`":2}`)
	}()
	begin := time.Now()
	v, _, err := Read(context.Background(), r, Limits{})
	if err != nil || string(v.Raw()) != `{"a":"x","b":2}` {
		t.Fatalf("got %q, %v", v.Raw(), err)
	}
	if time.Since(begin) < 250*time.Millisecond {
		t.Error("the second write was not waited for")
	}
}

func TestReadGivesUpInTime(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	timed, cancelTimed := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancelTimed()
	for name, c := range map[string]struct {
		ctx   context.Context
		limit time.Duration
		cause error
	}{
		"limit":            {context.Background(), 20 * time.Millisecond, context.DeadlineExceeded},
		"context timeout":  {timed, 0, context.DeadlineExceeded},
		"context canceled": {canceled, 0, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			r, w := hold(t)
			if _, err := w.WriteString(`{"a":1`); err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			_, _, err := Read(c.ctx, r, Limits{Time: c.limit})
			if e := errorOf(t, err); e.Kind != Deadline || !errors.Is(err, c.cause) {
				t.Errorf("got %v", err)
			}
			if time.Since(begin) > 5*time.Second {
				t.Error("it took too long")
			}
		})
	}
}

// drip sends one byte at a time and never stops.
type drip struct{}

func (drip) Read(p []byte) (int, error) {
	time.Sleep(time.Millisecond)
	p[0] = ' '
	return 1, nil
}

func TestManySmallPiecesDoNotOutliveTheDeadline(t *testing.T) {
	_, _, err := Read(context.Background(), drip{}, Limits{Time: 30 * time.Millisecond})
	if e := errorOf(t, err); e.Kind != Deadline {
		t.Errorf("got %v", err)
	}
}

// endless repeats one byte and counts what is taken.
type endless struct {
	fill  byte
	first string
	taken int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.fill
	}
	if e.taken == 0 {
		copy(p, e.first)
	}
	e.taken += len(p)
	return len(p), nil
}

func TestTooBigStopsReadingAtOnce(t *testing.T) {
	for name, src := range map[string]*endless{
		"string": {fill: 'x', first: `{"a":"`},
		"blanks": {fill: ' '},
		"broken": {fill: 0xff, first: `{"a":"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Read(context.Background(), src, Limits{Bytes: 1 << 20})
			e := errorOf(t, err)
			if e.Kind != TooBig || e.Offset != 1<<20 {
				t.Errorf("got %v", err)
			}
			if src.taken > 1<<20+largeRead {
				t.Errorf("took %d bytes", src.taken)
			}
		})
	}
}

func TestEndlessByteOrderMarksAreTooBig(t *testing.T) {
	in := strings.NewReader(strings.Repeat("\uFEFF", 100))
	_, _, err := Read(context.Background(), in, Limits{Bytes: 100})
	if e := errorOf(t, err); e.Kind != TooBig {
		t.Errorf("got %v", err)
	}
}

func TestTheSizeLimitIsExact(t *testing.T) {
	const doc = `{"a":1}`
	for limit, want := range map[int]ErrKind{len(doc): 0, len(doc) - 1: TooBig} {
		_, _, err := Read(context.Background(), strings.NewReader(doc+"   "), Limits{Bytes: limit})
		if want == 0 && err != nil {
			t.Errorf("limit %d: %v", limit, err)
		}
		if want != 0 && (err == nil || errorOf(t, err).Kind != want) {
			t.Errorf("limit %d: got %v, want %v", limit, err, want)
		}
	}
	_, _, err := Read(context.Background(), strings.NewReader(doc[:5]), Limits{Bytes: 5})
	if e := errorOf(t, err); e.Kind != Truncated {
		t.Errorf("an input as long as the limit: got %v, want truncated", err)
	}
}

func Test33MiBIsTooBigQuickly(t *testing.T) {
	src := &endless{fill: 'x', first: `{"a":"`}
	begin := time.Now()
	_, _, err := Read(context.Background(), src, Limits{})
	if e := errorOf(t, err); e.Kind != TooBig || e.Offset != DefaultBytes {
		t.Errorf("got %v", err)
	}
	if d := time.Since(begin); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
	if src.taken > DefaultBytes+largeRead {
		t.Errorf("took %d bytes", src.taken)
	}
}

func TestJustUnder32MiBIsRead(t *testing.T) {
	const frame = `{"a":""}`
	in := `{"a":"` + strings.Repeat("x", DefaultBytes-len(frame)) + `"}`
	v, _, err := readString(in)
	if err != nil || len(v.Raw()) != DefaultBytes {
		t.Fatalf("got %d bytes, %v", len(v.Raw()), err)
	}
}

func TestTooDeepIsRefusedBeforeItIsEntered(t *testing.T) {
	for name, open := range map[string]string{"arrays": "[", "objects": `{"a":`} {
		t.Run(name, func(t *testing.T) {
			in := `{"a":` + strings.Repeat(open, 100_000)
			v, _, err := readString(in)
			e := errorOf(t, err)
			want := int64(len(`{"a":`) + (DefaultDepth-1)*len(open))
			if e.Kind != TooDeep || e.Offset != want || v.Kind() != Absent {
				t.Errorf("got %v, want too deep at %d", err, want)
			}
		})
	}
}

func TestDepthLimitIsExact(t *testing.T) {
	doc := func(n int) string {
		return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`
	}
	if _, _, err := readString(doc(DefaultDepth)); err != nil {
		t.Error(err)
	}
	if _, _, err := readString(doc(DefaultDepth + 1)); errorOf(t, err).Kind != TooDeep {
		t.Error("one too deep was accepted")
	}
	// Whatever the caller asks for, functions over values stay in bounds.
	_, _, err := Read(context.Background(), strings.NewReader(doc(maxDepth+1)), Limits{Depth: 1 << 30})
	if errorOf(t, err).Kind != TooDeep {
		t.Errorf("got %v", err)
	}
	v, _, err := Read(context.Background(), strings.NewReader(doc(maxDepth)), Limits{Depth: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := Read(context.Background(), strings.NewReader(strings.Replace(doc(maxDepth), "[]", "[ ]", 1)), Limits{Depth: 1 << 30})
	if err != nil || !Equal(v, w) {
		t.Errorf("deep values are not equal: %v", err)
	}
}

func TestAMillionKeysAreNotQuadratic(t *testing.T) {
	const n = 1_000_000
	doc := manyKeys(n, "")
	begin := time.Now()
	v, _, err := Read(context.Background(), bytes.NewReader(doc), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if d := time.Since(begin); d > 20*time.Second {
		t.Errorf("took %v", d)
	}
	if v.Len() != n {
		t.Errorf("got %d members", v.Len())
	}
	_, _, err = Read(context.Background(), bytes.NewReader(manyKeys(n, `,"k500000":1`)), Limits{})
	if e := errorOf(t, err); e.Kind != Duplicate || e.Key != "k500000" {
		t.Errorf("got %v", err)
	}
}

func TestManySmallKeysNeedBoundedMemory(t *testing.T) {
	doc := manyKeys(2_500_000, "")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := Read(context.Background(), bytes.NewReader(doc), Limits{}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	// All that was ever allocated, garbage included.
	if used := after.TotalAlloc - before.TotalAlloc; used > 20*DefaultBytes {
		t.Errorf("allocated %d MiB for a document of %d MiB", used>>20, len(doc)>>20)
	}
}

func manyKeys(n int, tail string) []byte {
	b := []byte("{")
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `"k`...)
		b = appendInt(b, i)
		b = append(b, `":0`...)
	}
	b = append(b, tail...)
	return append(b, '}')
}

func appendInt(b []byte, n int) []byte {
	if n >= 10 {
		b = appendInt(b, n/10)
	}
	return append(b, byte('0'+n%10))
}

func TestDuplicatesAreFoundAtEverySize(t *testing.T) {
	for n := 1; n < 300; n++ {
		if _, _, err := Read(context.Background(), bytes.NewReader(manyKeys(n, "")), Limits{}); err != nil {
			t.Fatalf("%d keys: %v", n, err)
		}
		for _, tail := range []string{`,"k0":1`, `,"\u006b` + string(appendInt(nil, n-1)) + `":1`} {
			_, _, err := Read(context.Background(), bytes.NewReader(manyKeys(n, tail)), Limits{})
			if err == nil || errorOf(t, err).Kind != Duplicate {
				t.Fatalf("%d keys and %s: got %v", n, tail, err)
			}
		}
	}
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic("no") }

type returns struct {
	n   int
	err error
}

func (r returns) Read([]byte) (int, error) { return r.n, r.err }

func TestUnreadableInputsAreErrors(t *testing.T) {
	closed, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	var none *os.File
	for name, r := range map[string]io.Reader{
		"closed file":    closed,
		"directory":      dir,
		"nil file":       none,
		"nil reader":     nil,
		"panic":          panics{},
		"no progress":    returns{0, nil},
		"negative count": returns{-1, nil},
		"huge count":     returns{1 << 20, nil},
		"I/O error":      io.MultiReader(strings.NewReader(`{"a":`), iotest.ErrReader(io.ErrClosedPipe)),
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Read(context.Background(), r, Limits{Time: time.Minute})
			if e := errorOf(t, err); e.Kind != Unreadable || e.Unwrap() == nil {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAnErrorBehindTheValueDoesNotMatter(t *testing.T) {
	v, _, err := Read(context.Background(), iotest.DataErrReader(strings.NewReader(`{"a":1}`)), Limits{})
	if err != nil || string(v.Raw()) != `{"a":1}` {
		t.Errorf("got %q, %v", v.Raw(), err)
	}
	r := io.MultiReader(strings.NewReader(`{"a":1}`), iotest.ErrReader(io.ErrClosedPipe))
	if _, _, err := Read(context.Background(), r, Limits{}); err != nil {
		t.Error(err)
	}
}

func TestANilContextIsNoContext(t *testing.T) {
	var ctx context.Context
	if _, _, err := Read(ctx, strings.NewReader(`{}`), Limits{}); err != nil {
		t.Error(err)
	}
}
