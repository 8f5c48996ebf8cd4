package splice

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// later parses what a document has become.
func later(t *testing.T, text []byte, f Format) *Doc {
	t.Helper()
	d, err := Parse("f.x", text, f)
	do(t, err)
	return d
}

func revert(t *testing.T, d *Doc, u Undo) []Part {
	t.Helper()
	missing, err := d.Revert(stored(t, u))
	do(t, err)
	return missing
}

func TestExactUndoWantsTheVeryBytes(t *testing.T) {
	in := "{ }\n"
	d := open(t, in, JSON)
	do(t, d.Append(At("hooks", "Stop"), []byte(hook)))
	u := d.Undo()
	if !u.Applied(d.Bytes()) || !u.Untouched([]byte(in)) || u.Applied([]byte(in)) || u.Untouched(nil) {
		t.Error("it does not know its own file")
	}
	if b, ok := u.Exact(append(d.Bytes(), ' ')); ok || b != nil {
		t.Error("another file was taken for ours")
	}
	u.Hunks[0].Was = "x"
	if _, ok := u.Exact(d.Bytes()); ok {
		t.Error("a damaged record was used")
	}
	u.Hunks[0].At = 1 << 40
	if _, ok := u.Exact(d.Bytes()); ok {
		t.Error("a damaged record was used")
	}
	if _, ok := (&Undo{}).Exact([]byte{}); ok {
		t.Error("an empty record was used")
	}
}

func TestTheRecordHoldsNothingOfTheFile(t *testing.T) {
	d := open(t, "{\n  \"env\": {\"KEY\": \"hush\"},\n  \"z\": [\"hush\"]\n}\n", JSON)
	do(t, d.Append(At("hooks", "Stop"), []byte(hook)))
	do(t, d.Append(At("z"), []byte(`"mine"`)))
	b, err := json.Marshal(d.Undo())
	do(t, err)
	if strings.Contains(string(b), "hush") || len(b) > 900 {
		t.Errorf("%d bytes: %s", len(b), b)
	}
}

func TestAMadeFileGoesAgain(t *testing.T) {
	for _, f := range []Format{JSON, TOML} {
		d := later(t, nil, f)
		if d.Changed() || d.Bytes() != nil {
			t.Error("no file is a file")
		}
		do(t, d.Append(At("hooks", "Stop"), []byte(hook)))
		u := d.Undo()
		if b, ok := u.Exact(d.Bytes()); !ok || b != nil {
			t.Errorf("exact: %q", b)
		}
		again := later(t, append(d.Bytes(), '\n'), f)
		revert(t, again, u)
		if b := again.Bytes(); b != nil || !again.Changed() {
			t.Errorf("reverted: %q", b)
		}
		kept := later(t, d.Bytes(), f)
		do(t, kept.Set(At("theirs"), []byte("1")))
		kept = later(t, kept.Bytes(), f)
		revert(t, kept, u)
		if b := kept.Bytes(); !strings.Contains(string(b), "theirs") {
			t.Errorf("their key went with the file: %q", b)
		}
	}
}

func TestAnEmptyFileIsEmptyAgain(t *testing.T) {
	for _, in := range []string{"", " ", "\n", "\r\n", "  \n\n", bom} {
		for _, f := range []Format{JSON | BOM, TOML | BOM} {
			d := open(t, in, f)
			do(t, d.Append(At("hooks", "Stop"), []byte(hook)))
			again := later(t, append(d.Bytes(), '\n'), f)
			u := d.Undo()
			revert(t, again, u)
			if b := again.Bytes(); b == nil || f == JSON|BOM && string(b) != in || !blank(strings.TrimPrefix(string(b), bom)) {
				t.Errorf("%q became %q", in, b)
			}
		}
	}
}

func TestRequiredMembersStayWhileOthersNeedThem(t *testing.T) {
	in := "{\n  \"hooks\": {\n    \"stop\": [{\"command\": \"theirs\"}]\n  }\n}\n"
	d := open(t, in, JSON)
	do(t, d.Append(At("hooks", "stop"), []byte(hook)))
	do(t, d.Require(At("version"), []byte("1")))
	do(t, d.Require(At("version"), []byte("2"))) // there already
	u := d.Undo()
	alone := later(t, append(d.Bytes(), '\n'), JSON)
	revert(t, alone, u)
	is(t, alone, in+"\n")
	needed := later(t, d.Bytes(), JSON)
	do(t, needed.Append(At("hooks", "start"), []byte(`{"command":"late"}`)))
	needed = later(t, needed.Bytes(), JSON)
	revert(t, needed, u)
	if got := string(needed.Root().JSON()); got != `{"hooks":{"start":[{"command":"late"}],"stop":[{"command":"theirs"}]},"version":1}` {
		t.Error(got)
	}
}

func TestContinueGoesBackToTheFirstBytes(t *testing.T) {
	for _, f := range []Format{JSON, TOML} {
		in := map[Format]string{JSON: "{ }", TOML: "a = 1"}[f]
		d := open(t, in, f)
		do(t, d.Append(At("hooks", "Stop"), []byte(hook)))
		first := d.Undo()
		d = later(t, d.Bytes(), f)
		d.Continue(stored(t, first))
		do(t, d.Set(At("hooks", "Stop").Elem(0).Key("command"), []byte(`"moved"`)))
		do(t, d.Append(At("hooks", "Start"), []byte(hook)))
		u := d.Undo()
		if b, ok := u.Exact(d.Bytes()); !ok || string(b) != in {
			t.Errorf("exact: %q", b)
		}
		if len(u.Parts) != 2 {
			t.Errorf("a change inside of a part made another part: %v", u.Parts)
		}
		d = later(t, append(d.Bytes(), '\n'), f)
		if missing := revert(t, d, u); len(missing) > 0 || string(d.Bytes()) != in+"\n" {
			t.Errorf("%v %q", missing, d.Bytes())
		}
	}
}

func TestContinueAfterAForeignEditKnowsThePartsOnly(t *testing.T) {
	d := open(t, `{"hooks":{"Stop":[{"a":1}]}}`, JSON)
	do(t, d.Append(At("hooks", "Stop"), []byte(hook)))
	first := d.Undo()
	d = open(t, `{"hooks":{"Stop":[{"new":0},{"a":1},{"command":"run"},{"late":2}]},"x":1}`, JSON)
	d.Continue(first)
	do(t, d.Set(At("hooks", "Stop").Elem(2), []byte(`{}`)))
	u := d.Undo()
	if _, ok := u.Exact(d.Bytes()); ok {
		t.Error("it claims to know the bytes from before")
	}
	d = later(t, d.Bytes(), JSON)
	if missing := revert(t, d, u); len(missing) > 0 {
		t.Error(missing)
	}
	is(t, d, `{"hooks":{"Stop":[{"new":0},{"a":1},{"late":2}]},"x":1}`)
}

func TestAChangedPartIsMissingAndItsPlaceIsNotTaken(t *testing.T) {
	d := open(t, `{"a":1}`, JSON)
	do(t, d.Append(At("hooks", "Stop"), []byte(`{"command":"run","timeout":60}`)))
	u := d.Undo()
	tuned := `{"a":1,"hooks":{"Stop":[{"command":"theirs"},{"command":"run","timeout":9}]}}`
	d = open(t, tuned, JSON)
	missing := revert(t, d, u)
	if len(missing) != 1 || !missing[0].At.Equal(At("hooks", "Stop")) {
		t.Errorf("%v", missing)
	}
	is(t, d, tuned)
	do(t, d.Remove(At("hooks", "Stop").Elem(1))) // the caller knows it by what it runs
	do(t, d.Tidy())
	is(t, d, `{"a":1,"hooks":{"Stop":[{"command":"theirs"}]}}`)
	do(t, d.Remove(At("hooks", "Stop").Elem(0)))
	do(t, d.Tidy())
	is(t, d, `{"a":1}`)
	// An edit where a part used to stand is not taken for the part.
	d = open(t, tuned, JSON)
	d.Continue(u)
	do(t, d.Set(At("hooks", "Stop").Elem(0), []byte(`{"command":"other"}`)))
	after := d.Undo()
	d = later(t, append(d.Bytes(), ' '), JSON)
	revert(t, d, after)
	if !strings.HasPrefix(string(d.Bytes()), tuned) {
		t.Errorf("%s", d.Bytes())
	}
}

func TestRemovingAPartTidiesWhatWasMadeForIt(t *testing.T) {
	d := open(t, "{\n  \"a\": 1\n}\n", JSON)
	do(t, d.Append(At("hooks", "Stop"), []byte(hook)))
	do(t, d.Append(At("hooks", "Start"), []byte(hook)))
	do(t, d.Append(At("hooks", "Start"), []byte(`2`)))
	do(t, d.Remove(At("hooks", "Stop").Elem(0)))
	if d.Get(At("hooks", "Stop")).Kind() != Absent {
		t.Error("an empty list is left")
	}
	u := d.Undo()
	late := later(t, append(d.Bytes(), '\n'), JSON)
	revert(t, late, u)
	is(t, late, "{\n  \"a\": 1\n}\n\n")
	do(t, d.Remove(At("hooks", "Start").Elem(0)))
	do(t, d.Remove(At("hooks", "Start").Elem(0)))
	is(t, d, "{\n  \"a\": 1\n}\n")
}

func TestAReplacedValueComesBack(t *testing.T) {
	d := open(t, "{\"a\": [1.0,  2],\"b\":1}", JSON)
	do(t, d.Set(At("a"), []byte(`"mine"`)))
	do(t, d.Set(At("a"), []byte(`"mine again"`)))
	do(t, d.Set(At("b"), []byte(`1.0`))) // the same
	u := d.Undo()
	d = later(t, append(d.Bytes(), '\n'), JSON)
	revert(t, d, u)
	is(t, d, "{\"a\": [1.0,  2],\"b\":1}\n")
	d = open(t, "{\"a\": \"theirs\"}", JSON)
	if missing := revert(t, d, u); len(missing) != 1 {
		t.Error(missing)
	}
	is(t, d, "{\"a\": \"theirs\"}")
}

func TestANullComesBack(t *testing.T) {
	for _, in := range []string{`{"hooks":null}`, `{"hooks":{"Stop":null}}`, `null`} {
		d := open(t, in, JSON|NullAbsent)
		do(t, d.Append(At("hooks", "Stop"), []byte(hook)))
		u := d.Undo()
		d = later(t, append(d.Bytes(), ' '), JSON|NullAbsent)
		revert(t, d, u)
		is(t, d, in+" ")
	}
}

func TestTOMLNeighbours(t *testing.T) {
	d := open(t, "a = 1\n", TOML)
	do(t, d.Append(At("hooks", "Stop"), []byte(entry)))
	u := d.Undo()
	theirs := string(d.Bytes()) + "\n[[hooks.Stop.hooks]]\ncommand = \"late\"\n"
	d = open(t, theirs, TOML)
	if missing := revert(t, d, u); len(missing) > 0 {
		t.Error(missing)
	}
	is(t, d, "a = 1\n\n[[hooks.Stop]]\nmatcher = \"Bash\"\n\n[[hooks.Stop.hooks]]\ncommand = \"late\"\n")
}

func TestTOMLWrittenAnewByAHost(t *testing.T) {
	d := open(t, "a = 1\n", TOML)
	do(t, d.Append(At("hooks", "Stop"), []byte(hook)))
	do(t, d.Set(At("state", "k:0"), []byte(`{"h":"1"}`)))
	u := d.Undo()
	for _, anew := range []string{
		"a = 1\n[state.\"k:0\"]\nh = \"1\"\n[hooks]\n[[hooks.Stop]]\ncommand = \"run\"\n",
		"a = 1\nhooks = { Stop = [{ command = 'run' }] }\n[state]\n'k:0'.h = \"1\"\n",
		"a = 1\nhooks.Stop = [{ command = 'run' }]\nstate = { 'k:0' = { h = \"1\" } }\n",
	} {
		d := open(t, anew, TOML)
		if missing := revert(t, d, u); len(missing) > 0 {
			t.Error(missing)
		}
		if got := string(d.Root().JSON()); got != `{"a":1}` {
			t.Errorf("%s\n%s", d.Bytes(), got)
		}
	}
}

func TestDiffShowsNothingThatATerminalObeys(t *testing.T) {
	got := Diff("/home/kim/s.json", []byte("a\nb\x1b[2J\r\nc\u202e\u009b\n"), []byte("a\nB\x1b[2J\r\nc\u202e\u009b\n"))
	want := "--- /home/kim/s.json\n+++ /home/kim/s.json\n@@ -1,3 +1,3 @@\n a\n-b^[[2J\r\n+B^[[2J\r\n c\ufffd\ufffd\n"
	if got != want {
		t.Errorf("%q", got)
	}
	if got := Diff("s", nil, []byte("a\n")); !strings.HasPrefix(got, "--- /dev/null\n+++ s\n") {
		t.Error(got)
	}
	if got := Diff("s", []byte("a"), nil); !strings.Contains(got, "+++ /dev/null\n") || !strings.Contains(got, "No newline") {
		t.Error(got)
	}
	if Diff("s", []byte("a"), []byte("a")) != "" {
		t.Error("a difference")
	}
}

func ExampleDoc_Append() {
	before := []byte("{\n  \"model\": \"big\"\n}\n")
	d, _ := Parse("settings.json", before, JSON|Comments)
	_ = d.Append(At("hooks", "Stop"), []byte(`{"command":"run"}`))
	undo := d.Undo()
	fmt.Printf("%s", d.Bytes())
	back, ok := undo.Exact(d.Bytes())
	fmt.Println(ok, string(back) == string(before))
	// Output:
	// {
	//   "model": "big",
	//   "hooks": {
	//     "Stop": [
	//       {
	//         "command": "run"
	//       }
	//     ]
	//   }
	// }
	// true true
}

func ExampleDoc_Revert() {
	d, _ := Parse("config.toml", []byte("model = \"big\"\n"), TOML)
	_ = d.Append(At("hooks", "Stop"), []byte(`{"hooks":[{"command":"run","timeout":60}]}`))
	undo := d.Undo()
	fmt.Printf("%s---\n", d.Bytes())

	edited, _ := Parse("config.toml", append(d.Bytes(), "\n[tui]\nbell = true\n"...), TOML)
	missing, err := edited.Revert(undo)
	fmt.Printf("%s%d %v\n", edited.Bytes(), len(missing), err)
	// Output:
	// model = "big"
	//
	// [[hooks.Stop]]
	//
	// [[hooks.Stop.hooks]]
	// command = "run"
	// timeout = 60
	// ---
	// model = "big"
	//
	// [tui]
	// bell = true
	// 0 <nil>
}
