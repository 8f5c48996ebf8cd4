package splice

import (
	"errors"
	"strings"
	"testing"
)

const hook = `{"command":"run"}`

// open parses or fails.
func open(t *testing.T, text string, f Format) *Doc {
	t.Helper()
	d, err := Parse("f.x", []byte(text), f)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func is(t *testing.T, d *Doc, want string) {
	t.Helper()
	if got := string(d.Bytes()); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAppendFollowsItsNeighbours(t *testing.T) {
	all := JSON | Comments | TrailingCommas | BOM
	for name, c := range map[string]struct {
		f        Format
		in, want string
	}{
		"no file":         {JSON, "", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"command\": \"run\"\n      }\n    ]\n  }\n}\n"},
		"one line":        {JSON, `{"a":1}`, `{"a":1,"hooks":{"Stop":[{"command":"run"}]}}`},
		"one wide line":   {JSON, `{ "a": 1 }`, `{ "a": 1, "hooks": { "Stop": [{ "command": "run" }] } }`},
		"tabs":            {JSON, "{\n\t\"hooks\": {\n\t\t\"Stop\": []\n\t}\n}", "{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"command\": \"run\"\n\t\t\t}\n\t\t]\n\t}\n}"},
		"CRLF":            {JSON, "{\r\n \"hooks\":{\r\n  \"Stop\":[\r\n   {\"a\":1}\r\n  ]\r\n }\r\n}\r\n", "{\r\n \"hooks\":{\r\n  \"Stop\":[\r\n   {\"a\":1},\r\n   {\"command\":\"run\"}\r\n  ]\r\n }\r\n}\r\n"},
		"comma kept last": {all, "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"a\": 1,}, // one\n    ],\n  },\n}\n", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"a\": 1,}, // one\n      {\"command\": \"run\"},\n    ],\n  },\n}\n"},
		"comma before note": {all, "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"a\": 1} // one\n      // two\n    ]\n  }\n}\n",
			"{\n  \"hooks\": {\n    \"Stop\": [\n      {\"a\": 1}, // one\n      {\"command\": \"run\"}\n      // two\n    ]\n  }\n}\n"},
		"hugging brackets": {JSON, "{\n  \"hooks\": {\"Stop\": [{\n    \"a\": 1\n  }]}\n}", "{\n  \"hooks\": {\"Stop\": [{\n    \"a\": 1\n  }, {\n    \"command\": \"run\"\n  }]}\n}"},
		"notes only":       {all, "// mine\n", "// mine\n{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"command\": \"run\"\n      }\n    ]\n  }\n}\n"},
		"after a mark":     {all, bom + "{}", bom + "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"command\": \"run\"\n      }\n    ]\n  }\n}"},
		"null":             {JSON | NullAbsent, `{"hooks":null}`, `{"hooks":{"Stop":[{"command":"run"}]}}`},
		"escaped key":      {JSON, `{"hoo\u006bs":{}}`, `{"hoo\u006bs":{"Stop":[{"command":"run"}]}}`},

		"new table":         {TOML, "a = 1\n", "a = 1\n\n[[hooks.Stop]]\ncommand = \"run\"\n"},
		"no last break":     {TOML, "a=1", "a=1\n\n[[hooks.Stop]]\ncommand=\"run\""},
		"crammed":           {TOML, "[a]\n[b]\n", "[a]\n[b]\n[[hooks.Stop]]\ncommand = \"run\"\n"},
		"list of tables":    {TOML, "[[hooks.Stop]]\na = 1\n\n[b]\n", "[[hooks.Stop]]\na = 1\n\n[b]\n\n[[hooks.Stop]]\ncommand = \"run\"\n"},
		"inline list":       {TOML, "[hooks]\nStop = [{ a = 1 }] # mine\n", "[hooks]\nStop = [{ a = 1 }, { command = \"run\" }] # mine\n"},
		"inline list lines": {TOML, "hooks.Stop = [\n  { a = 1 }, # one\n]\n", "hooks.Stop = [\n  { a = 1 }, # one\n  { command = \"run\" },\n]\n"},
		"inline root":       {TOML, "hooks = {}\n", "hooks = { Stop = [{ command = \"run\" }] }\n"},
		"dotted":            {TOML, "[x]\nhooks = 1\n[y]\n", "[x]\nhooks = 1\n[y]\n[[hooks.Stop]]\ncommand = \"run\"\n"},
		"dotted root":       {TOML, "hooks.a = 1\nb = 2\n", "hooks.a = 1\nhooks.Stop = [{ command = \"run\" }]\nb = 2\n"},
		"CRLF table":        {TOML, "a = 1\r\n", "a = 1\r\n\r\n[[hooks.Stop]]\r\ncommand = \"run\"\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, c.in, c.f)
			do(t, d.Append(At("hooks", "Stop"), []byte(hook)))
			is(t, d, c.want)
		})
	}
}

func TestSetWritesLinesWhereTheTableIs(t *testing.T) {
	for name, c := range map[string]struct{ in, path, value, want string }{
		"new key":        {"[a]\nx = 1\n\n[b]\ny = 2\n", "a.z", `"q"`, "[a]\nx = 1\nz = \"q\"\n\n[b]\ny = 2\n"},
		"indented":       {"[a]\n\tx=1\n", "a.z", `[1,2]`, "[a]\n\tx=1\n\tz=[1, 2]\n"},
		"empty table":    {"[a]", "a.z", `true`, "[a]\nz = true"},
		"root":           {"x = 1\n\n[a]\n", "z", `1`, "x = 1\nz = 1\n\n[a]\n"},
		"root, no keys":  {"# about\n\n# of a\n[a]\n", "z", `1`, "# about\nz = 1\n\n# of a\n[a]\n"},
		"implicit table": {"[a.b]\nx = 1\n", "a.z", `1`, "[a.b]\nx = 1\n\n[a]\nz = 1\n"},
		"dotted keys":    {"[q]\na.b = 1\nc = 2\n", "q.a.z", `1`, "[q]\na.b = 1\na.z = 1\nc = 2\n"},
		"new table":      {"x = 1\n", "a.z", `1`, "x = 1\n\n[a]\nz = 1\n"},
		"object":         {"x = 1\n", "a.b", `{"z":1,"c":{"y":"\u007f"}}`, "x = 1\n\n[a.b]\nz = 1\n\n[a.b.c]\ny = \"\\u007f\"\n"},
		"existing value": {"[a]\nz = \"\"\"\nlong\"\"\" # note\n", "a.z", `1`, "[a]\nz = 1 # note\n"},
		"inline table":   {"a = { x = 1 }\n", "a.z", `"q"`, "a = { x = 1, z = \"q\" }\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, c.in, TOML)
			p := At(strings.Split(c.path, ".")...)
			do(t, d.Set(p, []byte(c.value)))
			is(t, d, c.want)
			v, err := parseValue([]byte(c.value))
			do(t, err)
			if string(d.Get(p).JSON()) != string(v.canonical(nil)) {
				t.Fatalf("%s is %s", p, d.Get(p).JSON())
			}
			before, ok := ptr(d.Undo()).Exact(d.Bytes())
			if !ok || string(before) != c.in {
				t.Fatalf("undo: %q", before)
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }

func TestAKeyWithQuotesIsOneKeyHoweverItIsSpelled(t *testing.T) {
	d := open(t, "[state.'C:\\x:0']\nh = 1\n", TOML)
	do(t, d.Set(At("state", `C:\x:0`, "h"), []byte("2")))
	is(t, d, "[state.'C:\\x:0']\nh = 2\n")
	do(t, d.Set(At("state", `C:\y:0`, "h"), []byte("1")))
	is(t, d, "[state.'C:\\x:0']\nh = 2\n\n[state.\"C:\\\\y:0\"]\nh = 1\n")
	do(t, d.Remove(At("state", `C:\x:0`)))
	is(t, d, "\n[state.\"C:\\\\y:0\"]\nh = 1\n")
}

func TestAnElementOfTablesIsReplacedInPlace(t *testing.T) {
	in := "[[hooks.Stop]] # ours\n# why\nmatcher = \"x\"\n\n[[hooks.Stop.hooks]]\ncommand = \"run\"\n\n[[hooks.Stop]]\ncommand = \"theirs\"\n"
	d := open(t, in, TOML)
	do(t, d.Set(At("hooks", "Stop").Elem(0), []byte("{}")))
	is(t, d, "[[hooks.Stop]] # ours\n# why\n\n[[hooks.Stop]]\ncommand = \"theirs\"\n")
	do(t, d.Set(At("hooks", "Stop").Elem(0), []byte(`{"hooks":[{"command":"run"}]}`)))
	is(t, d, "[[hooks.Stop]] # ours\n\n[[hooks.Stop.hooks]]\ncommand = \"run\"\n# why\n\n[[hooks.Stop]]\ncommand = \"theirs\"\n")
}

func TestATableBelowAnElementStaysInItsElement(t *testing.T) {
	d := open(t, "[[s]]\nn = 1\n\n[[s]]\nn = 2\n", TOML)
	do(t, d.Append(At("s").Elem(0).Key("hooks"), []byte(hook)))
	is(t, d, "[[s]]\nn = 1\n\n[[s.hooks]]\ncommand = \"run\"\n\n[[s]]\nn = 2\n")
	do(t, d.Remove(At("s").Elem(0)))
	is(t, d, "\n[[s]]\nn = 2\n")
}

func TestRefusalsNameThePlace(t *testing.T) {
	at := At("hooks", "Stop")
	for name, c := range map[string]struct {
		f    Format
		in   string
		want Fault
		says string
	}{
		"cut off":         {JSON, "{\n  \"a\": [1,", Syntax, "f.x:2:11: the file ends"},
		"cut in a string": {JSON, "{\n  \"a\": \"b\n}", Syntax, "f.x:2:8: a string that does not end"},
		"missing comma":   {JSON, "{\"a\": 1\n\"b\": 2}", Syntax, "f.x:2:1: a comma or } is missing"},
		"single quotes":   {JSON, "{'a': 1}", Syntax, "f.x:1:2: a key is missing"},
		"two documents":   {JSON, "{}\n{}", Syntax, "f.x:2:1: text after"},
		"not a number":    {JSON, `{"a": 01}`, Syntax, "f.x:1:7: no JSON number"},
		"NaN":             {JSON, `{"a": NaN}`, Syntax, "f.x:1:7: no JSON value"},
		"control":         {JSON, "{\"a\": \"b\x01\"}", Syntax, "f.x:1:9: a control character"},
		"comment":         {JSON, "{\n// x\n}", Syntax, "f.x:2:1: a comment"},
		"open comment":    {JSON | Comments, "{}\n/* x", Syntax, "f.x:2:1: a comment that does not end"},
		"comma":           {JSON | Comments, "{\"a\": [1,\n]}", Syntax, "f.x:1:9: a comma before ]"},
		"mark":            {JSON, bom + "{}", Syntax, "byte order mark"},
		"conflict":        {JSON, "{\n<<<<<<< HEAD\n}", Syntax, "f.x:2:1"},
		"deep":            {JSON, strings.Repeat("[", MaxDepth+1), TooBig, "nested deeper"},
		"UTF-16":          {JSON, "\xff\xfe{\x00}\x00", Encoding, "UTF-16"},
		"binary":          {TOML, "a = 1\nb\x00", Encoding, "f.x:2:2: a NUL byte"},
		"not UTF-8":       {JSON, "{\"é\": \"\xff\"}", Encoding, "f.x:1:8: a byte that is not UTF-8"},
		"root list":       {JSON, "[]", Shape, "f.x:1:1: the root is a list"},
		"root string":     {JSON, "\n\"hooks\"", Shape, "f.x:2:1: the root is a string"},
		"hooks string":    {JSON, "{\n\"hooks\": \"none\"}", Shape, "f.x:2:1: hooks is a string, where an object is needed"},
		"hooks list":      {JSON, "{\"hooks\": []}", Shape, "hooks is a list"},
		"hooks null":      {JSON, "{\"hooks\": null}", Shape, "hooks is null"},
		"event object":    {JSON, "{\"hooks\": {\n\"Stop\": {}}}", Shape, "f.x:2:1: hooks.Stop is an object, where a list is needed"},
		"twice":           {JSON, "{\"hooks\": {},\n\"hooks\": {}}", Duplicate, `f.x:2:1: the key "hooks" stands 2 times`},
		"open header":     {TOML, "a = 1\n[hooks\nb = 2\n", Syntax, "f.x:2:"},
		"same key":        {TOML, "a = 1\na = 2\n", Syntax, "f.x:2:1: no TOML: "},
		"same table":      {TOML, "[a]\n[a]\n", Syntax, "f.x:2:"},
		"bad value":       {TOML, "a = on\n", Syntax, "f.x:1:"},
		"map for list":    {TOML, "x = 1\n[hooks.Stop]\nmatcher = \"a\"\n", Shape, "f.x:2:1: hooks.Stop is an object"},
		"scalar list":     {TOML, "hooks.Stop = 1\n", Shape, "f.x:1:1: hooks.Stop is a number"},
		"buried":          {TOML, "hooks = { Stop.a = [] }\n", Shape, "hooks.Stop is an object"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := Parse("f.x", []byte(c.in), c.f)
			if err == nil {
				err = d.Append(at, []byte(hook))
				is(t, d, c.in)
			}
			var e *Error
			if !errors.As(err, &e) || e.Fault != c.want || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("got fault %d: %v", e.Fault, err)
			}
		})
	}
}

func TestExpectRefusesAsAnEditWould(t *testing.T) {
	d := open(t, "{\n\"hooks\": {\"Stop\": 1, \"x\": []}}", JSON)
	if err := d.Expect(At("hooks", "Stop"), Array); err == nil || !strings.Contains(err.Error(), "f.x:2:11: hooks.Stop is a number, where a list is needed") {
		t.Fatal(err)
	}
	for _, p := range []Path{At("hooks", "x"), At("hooks", "none"), At("none", "none")} {
		do(t, d.Expect(p, Array))
	}
}

func TestNewValuesAreChecked(t *testing.T) {
	for _, c := range []struct {
		f     Format
		value string
	}{{JSON, ""}, {JSON, "{"}, {JSON, "{} {}"}, {JSON, "[1,]"}, {TOML, `{"a":null}`}, {TOML, `{"a":99999999999999999999}`}} {
		d := open(t, "", c.f)
		if err := d.Append(At("a"), []byte(c.value)); err == nil || d.Changed() {
			t.Errorf("%q: %v, %s", c.value, err, d.Bytes())
		}
	}
	d := open(t, "[[a]]\n", TOML)
	if err := d.Append(At("a"), []byte("1")); err == nil {
		t.Error("a number in a list of tables")
	}
	if err := d.Set(At("a").Elem(3), []byte("{}")); err == nil {
		t.Error("an element that is not there")
	}
	if err := d.Set(nil, []byte("{}")); err == nil {
		t.Error("the root")
	}
	if err := d.Remove(At("b")); err == nil {
		t.Error("a member that is not there")
	}
}

func TestValuesReadAsTheyAre(t *testing.T) {
	d := open(t, "s = \"\\u00e9\"\nn = 0x10\nb = true\nm = 1979-05-27\nl = [1, {a.b = 2}]\n[[t]]\n[t.u]\nv = 1\n", TOML)
	if got, want := string(d.Root().JSON()), `{"b":true,"l":[1,{"a":{"b":2}}],"m":"1979-05-27","n":16,"s":"é","t":[{"u":{"v":1}}]}`; got != want {
		t.Errorf("%s", got)
	}
	v := d.Get(At("t").Elem(0).Key("u"))
	if v.Line() != 7 || v.Text() != "" || v.Kind() != Object || d.Get(At("s")).Str() != "é" || !d.Get(At("b")).Bool() || d.Get(At("n")).Text() != "0x10" {
		t.Errorf("line %d, %q", v.Line(), v.Text())
	}
	for _, n := range []string{"60", "60.0", "6e1", "0.6E+2", "600e-1", "+60", "0x3c", "6_0"} {
		if plainNumber(n) != "60" {
			t.Errorf("%s is %s", n, plainNumber(n))
		}
	}
	for n, want := range map[string]string{"-0": "0", "0.10": "1e-1", "1e400": "1e400", "-1.50e-07": "-15e-8", "inf": "inf", "1e99999999999": "1e99999999999"} {
		if plainNumber(n) != want {
			t.Errorf("%s is %s", n, plainNumber(n))
		}
	}
}

func TestPathsSurviveJSON(t *testing.T) {
	p := At("hooks", "a b").Elem(2).Key("")
	if p.String() != `hooks."a b"[2].""` || Path(nil).String() != "the root" {
		t.Error(p)
	}
	u := stored(t, Undo{After: "x", Parts: []Part{{At: p, Value: []byte("1")}}})
	if !u.Parts[0].At.Equal(p) || u.Parts[0].At.Equal(At("hooks")) {
		t.Error(u.Parts[0].At)
	}
}
