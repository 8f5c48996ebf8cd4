package wire

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func mustParse(t *testing.T, s string) Value {
	t.Helper()
	v, err := Parse([]byte(s))
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return v
}

func TestParseTakesOneDocumentOfAnyKind(t *testing.T) {
	for in, want := range map[string]struct {
		kind Kind
		raw  string
	}{
		`{}`:                {Object, `{}`},
		" \n[1, 2]\t\r":     {Array, `[1, 2]`},
		"\uFEFF {}":         {Object, `{}`},
		`"x"`:               {String, `"x"`},
		`17`:                {Number, `17`},
		` -0.5e3 `:          {Number, `-0.5e3`},
		`0`:                 {Number, `0`},
		`true`:              {Bool, `true`},
		`false`:             {Bool, `false`},
		`null`:              {Null, `null`},
		"\"interdit \xe0\"": {String, "\"interdit \uFFFD\""},
		`[[],{},"",0,null]`: {Array, `[[],{},"",0,null]`},
		strings.Repeat("[", parseDepth) + strings.Repeat("]", parseDepth): {Array, strings.Repeat("[", parseDepth) + strings.Repeat("]", parseDepth)},
	} {
		v, err := Parse([]byte(in))
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if v.Kind() != want.kind || string(v.Raw()) != want.raw {
			t.Errorf("%q: got %v %q", in, v.Kind(), v.Raw())
		}
	}
}

func TestParseRefusesNoise(t *testing.T) {
	for in, want := range map[string]struct {
		kind   ErrKind
		offset int64
	}{
		``:                           {Empty, 0},
		"\uFEFF\n":                   {Empty, 4},
		`{} {}`:                      {Syntax, 3},
		`{},`:                        {Syntax, 2},
		`{}x`:                        {Syntax, 2},
		`hook: {}`:                   {Syntax, 0},
		"\n{\"a\":1}\nDone.\n":       {Syntax, 9},
		"\uFEFF\uFEFF{}":             {Syntax, 3},
		" \uFEFF{}":                  {Syntax, 1},
		"{}\uFEFF":                   {Syntax, 2},
		"{}\x00":                     {Encoding, 2},
		"{}\xff":                     {Encoding, 2},
		`1 2`:                        {Syntax, 2},
		`12x`:                        {Syntax, 2},
		`01`:                         {Syntax, 1},
		`-`:                          {Truncated, 1},
		`1.`:                         {Truncated, 2},
		`1e`:                         {Truncated, 2},
		`1e+`:                        {Truncated, 3},
		`tru`:                        {Truncated, 3},
		`truex`:                      {Syntax, 4},
		`"a`:                         {Truncated, 2},
		`[1`:                         {Truncated, 2},
		`]`:                          {Syntax, 0},
		`{"a":1,"a":1}`:              {Duplicate, 7},
		encode16(`{}`, false):        {Encoding, 1},
		strings.Repeat("[", 100_000): {TooDeep, parseDepth},
	} {
		v, err := Parse([]byte(in))
		if err == nil {
			t.Errorf("%.40q was accepted", in)
			continue
		}
		if e := errorOf(t, err); e.Kind != want.kind || e.Offset != want.offset || v.Kind() != Absent {
			t.Errorf("%.40q: got %v", in, err)
		}
	}
}

func TestGetMatchesDecodedKeysExactly(t *testing.T) {
	v := mustParse(t, `{ "Command" : 1, "command":2 ,"a\u0062\n":3,"": 4,"s":"}\",{\\","o":{"command":[5]},"ü":6,"\ud83d\ude00":7,"\ud800":8, "n" :null}`)
	for key, want := range map[string]string{
		"Command": "1", "command": "2", "ab\n": "3", "": "4", "s": `"}\",{\\"`, "o": `{"command":[5]}`,
		"ü": "6", "😀": "7", "\uFFFD": "8", "n": "null",
		"COMMAND": "", "comman": "", "commands": "", `a\u0062\n`: "", "5": "",
	} {
		got := v.Get(key)
		if string(got.Raw()) != want || v.Has(key) != (want != "") {
			t.Errorf("%q: got %q, want %q", key, got.Raw(), want)
		}
	}
	if v.Get("missing").Kind() != Absent || v.Get("n").Kind() != Null {
		t.Error("absent and null are mixed up")
	}
}

func TestAQuestionThatDoesNotFitHasTheZeroAnswer(t *testing.T) {
	for _, in := range []string{`{"a":1}`, `[1]`, `"s"`, `1`, `true`, `null`, ``} {
		v := Value{[]byte(in)}
		k := v.Kind()
		if s, ok := v.StrOK(); ok != (k == String) || s != v.Str() || (!ok && s != "") {
			t.Errorf("%q: StrOK", in)
		}
		if b, ok := v.Bool(); ok != (k == Bool) || (!ok && b) {
			t.Errorf("%q: Bool", in)
		}
		if n, ok := v.Int(); ok != (k == Number) || (!ok && n != 0) {
			t.Errorf("%q: Int", in)
		}
		if f, ok := v.Float(); ok != (k == Number) || (!ok && f != 0) {
			t.Errorf("%q: Float", in)
		}
		if v.Has("a") != (k == Object) || v.Path("x", "y", "z").Kind() != Absent {
			t.Errorf("%q: Get", in)
		}
		members, elems := 0, 0
		for range v.Members() {
			members++
		}
		for range v.Elems() {
			elems++
		}
		if (members == 1) != (k == Object) || (elems == 1) != (k == Array) || v.Len() != members+elems {
			t.Errorf("%q: %d members, %d elements, Len %d", in, members, elems, v.Len())
		}
	}
}

func TestPathFollowsObjectsOnly(t *testing.T) {
	v := mustParse(t, `{"a":{"b":{"c":"x"}},"l":[{"c":1}]}`)
	if got := v.Path("a", "b", "c").Str(); got != "x" {
		t.Errorf("got %q", got)
	}
	if v.Path("l", "c").Kind() != Absent || v.Path("a", "x", "c").Kind() != Absent {
		t.Error("a path that does not exist was found")
	}
	if string(v.Path().Raw()) != string(v.Raw()) {
		t.Error("the empty path is not the value itself")
	}
}

func TestStrDecodes(t *testing.T) {
	for in, want := range map[string]string{
		`""`:                   "",
		`"plain ü 😀"`:          "plain ü 😀",
		`"\"\\\/\b\f\n\r\t"`:   "\"\\/\b\f\n\r\t",
		`"\u0041\u00fc\u20AC"`: "Aü€",
		`"\ud83d\ude00"`:       "😀",
		`"\uD83D\uDE00x"`:      "😀x",
		`"\ud800"`:             "\uFFFD",
		`"\udc00x"`:            "\uFFFDx",
		`"\ud800\ud83d\ude00"`: "\uFFFD😀",
		`"\ud800\u0041"`:       "\uFFFDA",
		`"\ud800\n"`:           "\uFFFD\n",
		`"\ude00\ud83d"`:       "\uFFFD\uFFFD",
		`"\u0000"`:             "\x00",
		`"a\\"`:                `a\`,
		`"\\u0041"`:            `\u0041`,
		`"C:\\Users\\dev\\"`:   `C:\Users\dev\`,
	} {
		s, ok := mustParse(t, in).StrOK()
		if !ok || s != want || !utf8.ValidString(s) {
			t.Errorf("%s: got %q, want %q", in, s, want)
		}
	}
}

func TestIntTakesWholeNumbersHoweverWritten(t *testing.T) {
	for in, want := range map[string]int64{
		`0`: 0, `-0`: 0, `7`: 7, `-7`: -7, `7.0`: 7, `7e0`: 7, `7E2`: 700, `0.7e1`: 7, `700e-2`: 7, `0e99999999999999999999`: 0, `0.000`: 0,
		`9223372036854775807`: 1<<63 - 1, `-9223372036854775808`: -1 << 63, `9.223372036854775807e18`: 1<<63 - 1,
	} {
		if n, ok := mustParse(t, in).Int(); !ok || n != want {
			t.Errorf("%s: got %d, %v", in, n, ok)
		}
	}
	for _, in := range []string{`0.5`, `1e-1`, `9223372036854775808`, `12345678901234567890`, `1E400`, `1e99999999999999999999`, `1e-99999999999999999999`, `1e19`} {
		if n, ok := mustParse(t, in).Int(); ok || n != 0 {
			t.Errorf("%s: got %d, %v", in, n, ok)
		}
	}
}

func TestFloat(t *testing.T) {
	if f, ok := mustParse(t, `0.25`).Float(); !ok || f != 0.25 {
		t.Errorf("got %v, %v", f, ok)
	}
	if _, ok := mustParse(t, `1E400`).Float(); ok {
		t.Error("1E400 does not fit")
	}
}

func TestMembersAndElemsComeInOrder(t *testing.T) {
	v := mustParse(t, `{ "z":1 , "a":[ 1,"],", {"x":[]} ,[ ] ],"m\n":{}}`)
	var keys, values []string
	for k, m := range v.Members() {
		keys = append(keys, k)
		values = append(values, string(m.Raw()))
	}
	if !slices.Equal(keys, []string{"z", "a", "m\n"}) || !slices.Equal(values, []string{`1`, `[ 1,"],", {"x":[]} ,[ ] ]`, `{}`}) {
		t.Errorf("got %q %q", keys, values)
	}
	var elems []string
	for e := range v.Get("a").Elems() {
		elems = append(elems, string(e.Raw()))
	}
	if !slices.Equal(elems, []string{`1`, `"],"`, `{"x":[]}`, `[ ]`}) {
		t.Errorf("got %q", elems)
	}
	for range v.Members() {
		break
	}
	for range v.Get("a").Elems() {
		break
	}
	if v.Len() != 3 || v.Get("a").Len() != 4 || v.Get("m\n").Len() != 0 {
		t.Error("Len")
	}
}

func TestAppendToRawDoesNotReachTheDocument(t *testing.T) {
	v := mustParse(t, `{"a":1,"b":2}`)
	_ = append(v.Get("a").Raw(), "XXXX"...)
	if string(v.Raw()) != `{"a":1,"b":2}` {
		t.Errorf("got %q", v.Raw())
	}
}

func TestEqual(t *testing.T) {
	groups := [][]string{
		{`1`, `1.0`, `10e-1`, `0.1E1`, `1e0`},
		{`0`, `-0`, `0.00`, `0e5`, `0e99999999999999999999`},
		{`1e400`, `10e399`},
		{`1e99999999999999999999`},
		{`1e-99999999999999999999`},
		{`1e5000000000000000000`},
		{`12345678901234567890`, `12345678901234567890.0`},
		{`12345678901234567891`},
		{`-1`},
		{`"a"`, `"\u0061"`},
		{`"A"`},
		{`"/"`, `"\/"`},
		{`"\ud800"`, `"\uD800"`},
		{`"\ud801"`},
		{"\"\uFFFD\"", `"\ufffd"`},
		{`"1"`},
		{`true`},
		{`false`},
		{`null`},
		{`[]`, `[ ]`},
		{`[1,2]`, `[1.0, 2]`},
		{`[2,1]`},
		{`[1]`},
		{`[1,2,3]`},
		{`{}`, `{ }`},
		{`{"a":1,"b":[2],"c":{}}`, `{"a":1,"c":{},"b":[2]}`, `{"c":{ },"b":[2.0],"\u0061":1}`},
		{`{"a":1,"b":[2]}`},
		{`{"a":1,"b":[2],"d":{}}`},
		{`{"a":1,"b":[2],"c":{},"d":null}`},
		{`{"A":1,"b":[2],"c":{}}`},
		{`{"a":1,"b":[3],"c":{}}`},
		{`{"a":null}`},
	}
	for i, g := range groups {
		for _, a := range g {
			for j, h := range groups {
				for _, b := range h {
					if got := Equal(mustParse(t, a), mustParse(t, b)); got != (i == j) {
						t.Errorf("Equal(%s, %s) = %v", a, b, got)
					}
				}
			}
			if Equal(mustParse(t, a), Value{}) || Equal(Value{}, mustParse(t, a)) {
				t.Errorf("%s equals nothing", a)
			}
		}
	}
	if !Equal(Value{}, Value{}) {
		t.Error("absent is not absent")
	}
}

func TestCompactDropsOnlyBlanksBetweenTokens(t *testing.T) {
	v := mustParse(t, "{ \"a b\" : [ 1 ,\r\n\t\"x \\\" y\" ] ,\n \"c\":1.50 }")
	if got := string(Compact([]byte(">"), v)); got != `>{"a b":[1,"x \" y"],"c":1.50}` {
		t.Errorf("got %s", got)
	}
}

func TestAppendWellFormedReplacesLoneSurrogatesOnly(t *testing.T) {
	for in, want := range map[string]string{
		`"\ud800"`:                        `"\ufffd"`,
		`{"\udc00":"\ud83d\ude00\uDBFF"}`: `{"\ufffd":"\ud83d\ude00\ufffd"}`,
		`"\\ud800"`:                       `"\\ud800"`,
		`"\\\ud800\\"`:                    `"\\\ufffd\\"`,
		`"\ud800\ud800\udc00"`:            `"\ufffd\ud800\udc00"`,
		`"a\n\u0041"`:                     `"a\n\u0041"`,
		`[1, 2]`:                          `[1, 2]`,
	} {
		v := mustParse(t, in)
		got := string(AppendWellFormed(nil, v))
		if got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
		if v.Kind() == String && mustParse(t, got).Str() != v.Str() {
			t.Errorf("%s: it reads differently now", in)
		}
	}
}
