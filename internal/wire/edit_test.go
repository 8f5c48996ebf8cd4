package wire

import (
	"testing"
)

func TestWithKeepsStyleAndPlace(t *testing.T) {
	tests := []struct{ name, in, key, raw, want string }{
		{"replace", `{"a":1,"b":2,"c":3}`, "b", `"x"`, `{"a":1,"b":"x","c":3}`},
		{"replace in odd style", "{ \"a\" : 1 ,\n\t\"b\" :2 }", "a", `[ 1 ]`, "{ \"a\" : [ 1 ] ,\n\t\"b\" :2 }"},
		{"replace keeps the key's spelling", `{"\u0061":1}`, "a", `2`, `{"\u0061":2}`},
		{"blanks around the new value go", `{"a":1}`, "a", " \n2 \n", `{"a":2}`},
		{"digits of others stay", `{"n":1E400,"a":1}`, "a", `2`, `{"n":1E400,"a":2}`},
		{"only that object", `{"o":{"a":1},"a":2}`, "a", `3`, `{"o":{"a":1},"a":3}`},
		{"new, compact", `{"a":1,"b":2}`, "c", `3`, `{"a":1,"b":2,"c":3}`},
		{"new, Python", `{"a": 1, "b": 2}`, "c", `3`, `{"a": 1, "b": 2, "c": 3}`},
		{"new, Python, one member", `{"a": 1}`, "b", `2`, `{"a": 1, "b": 2}`},
		{"new, compact, one member", `{"a":1}`, "b", `2`, `{"a":1,"b":2}`},
		{"new, inner blanks", `{ "a": 1 }`, "b", `2`, `{ "a": 1, "b": 2 }`},
		{"new, indented", "{\n  \"a\": 1,\n  \"b\": 2\n}", "c", `3`, "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}"},
		{"new, indented, one member", "{\r\n\t\"a\": 1\r\n}", "c", `3`, "{\r\n\t\"a\": 1,\r\n\t\"c\": 3\r\n}"},
		{"new, comma first", "{ \"a\" : 1\n, \"b\" : 2\n}", "c", `3`, "{ \"a\" : 1\n, \"b\" : 2\n, \"c\" : 3\n}"},
		{"new, colon on a line of its own", "{\"a\"\n:\n1}", "b", `2`, "{\"a\"\n:\n1,\n\"b\"\n:\n2}"},
		{"new, empty", `{}`, "a", `1`, `{"a":1}`},
		{"new, blank", `{ }`, "a", `1`, `{"a":1 }`},
		{"new key is escaped", `{"a":1}`, "x\"\n", `1`, `{"a":1,"x\"\n":1}`},
		{"case counts", `{"A":1}`, "a", `2`, `{"A":1,"a":2}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := mustParse(t, tt.in)
			got := v.With(tt.key, []byte(tt.raw))
			if string(got.Raw()) != tt.want {
				t.Errorf("got %s, want %s", got.Raw(), tt.want)
			}
			if string(v.Raw()) != tt.in {
				t.Errorf("the original became %s", v.Raw())
			}
			mustParse(t, string(got.Raw()))
		})
	}
}

func TestWithRefusesWhatWouldNotBeJSON(t *testing.T) {
	v := mustParse(t, `{"a":1}`)
	for _, raw := range []string{``, ` `, `{`, `1 2`, `1,"b":2`, `x`, `{"a":1,"a":2}`, "\"\n\""} {
		if got := v.With("a", []byte(raw)); got.Kind() != Absent {
			t.Errorf("%q: got %s", raw, got.Raw())
		}
	}
	for _, in := range []string{`[1]`, `"s"`, `null`} {
		if got := mustParse(t, in).With("a", []byte(`1`)); got.Kind() != Absent {
			t.Errorf("%s: got %s", in, got.Raw())
		}
	}
	if got := (Value{}).With("a", []byte(`1`)); got.Kind() != Absent {
		t.Errorf("got %s", got.Raw())
	}
}

func TestWithoutTakesOneMemberAndOneComma(t *testing.T) {
	tests := []struct{ name, in, key, want string }{
		{"first", `{"a":1,"b":2,"c":3}`, "a", `{"b":2,"c":3}`},
		{"middle", `{"a":1, "b":2, "c":3}`, "b", `{"a":1, "c":3}`},
		{"last", `{"a":1, "b":2 }`, "b", `{"a":1 }`},
		{"only", "{\n  \"a\": 1\n}", "a", `{}`},
		{"absent", `{ "a":1 }`, "b", `{ "a":1 }`},
		{"case counts", `{"A":1}`, "a", `{"A":1}`},
		{"by its decoded key", `{"\u0061":1,"b":2}`, "a", `{"b":2}`},
		{"indented first", "{\n  \"a\": 1,\n  \"b\": 2\n}", "a", "{\n  \"b\": 2\n}"},
		{"indented last", "{\n  \"a\": 1,\n  \"b\": 2\n}", "b", "{\n  \"a\": 1\n}"},
		{"comma first", "{\"a\":1\n,\"b\":2\n,\"c\":3}", "c", "{\"a\":1\n,\"b\":2}"},
		{"not an object", `["a"]`, "a", `["a"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := mustParse(t, tt.in)
			got := v.Without(tt.key)
			if string(got.Raw()) != tt.want || string(v.Raw()) != tt.in {
				t.Errorf("got %s, want %s", got.Raw(), tt.want)
			}
		})
	}
}

func TestWhatWasAddedLastIsTakenBackWithoutATrace(t *testing.T) {
	for _, in := range []string{`{}`, `{"a":1}`, `{ "a" : 1 }`, "{\n  \"a\": 1,\n  \"b\": [ ]\n}", "{\"a\":1\n,\"b\":2\n}"} {
		got := mustParse(t, in).With("new", []byte(`{"x":[1, 2]}`)).Without("new")
		if string(got.Raw()) != in {
			t.Errorf("got %q, want %q", got.Raw(), in)
		}
	}
}

func TestObjectWriter(t *testing.T) {
	var o ObjectWriter
	if !o.Empty() || string(o.Bytes()) != `{}` {
		t.Errorf("the zero value is %s", o.Bytes())
	}
	o.Str("s", "a\"<>&\u2028\x01\xff😀")
	o.StrIf("none", "")
	o.StrIf("some", "x")
	o.Bool("b", true)
	o.Int("i", -1<<63)
	o.Raw("nothing", nil)
	if string(o.Bytes()) != "{\"s\":\"a\\\"<>&\u2028\\u0001\uFFFD😀\",\"some\":\"x\",\"b\":true,\"i\":-9223372036854775808}" {
		t.Errorf("got %s", o.Bytes())
	}
	o.Raw("r", []byte(`{"x": 1E400}`))
	o.Strs("l", []string{"a", "b"})
	o.Strs("e", nil)
	o.Str("k\n", "")
	const want = "{\"s\":\"a\\\"<>&\u2028\\u0001\uFFFD😀\",\"some\":\"x\",\"b\":true,\"i\":-9223372036854775808,\"r\":{\"x\": 1E400},\"l\":[\"a\",\"b\"],\"e\":[],\"k\\n\":\"\"}"
	v := o.Value()
	if string(o.Bytes()) != want || string(v.Raw()) != want || o.Empty() {
		t.Errorf("got %s", o.Bytes())
	}
	o.Bool("later", false)
	if string(v.Raw()) != want {
		t.Error("a Value changed with its writer")
	}
	mustParse(t, string(o.Bytes()))
}

func TestAppendStringIsReadBack(t *testing.T) {
	for _, s := range []string{"", "plain", "\x00\x1f\x7f\b\f\n\r\t\"\\/", "<script>&", "ü€😀\u2028", `C:\dir\`} {
		if got := mustParse(t, string(AppendString(nil, s))).Str(); got != s {
			t.Errorf("got %q, want %q", got, s)
		}
	}
}
