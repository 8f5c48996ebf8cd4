package patch

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
)

// shown is a file in one line: op, path, target, new text, edits.
func shown(f hook.File) string {
	var b strings.Builder
	b.WriteString(string(f.Op) + " " + f.Path)
	if f.MovedTo != "" {
		b.WriteString(" => " + f.MovedTo)
	}
	if f.NewText != nil {
		b.WriteString(" ={" + *f.NewText + "}")
	}
	for _, e := range f.Edits {
		b.WriteString(" -{" + e.Old + "}+{" + e.New + "}")
	}
	return strings.ReplaceAll(b.String(), "\n", "|")
}

func shownAll(files []hook.File) []string {
	var all []string
	for _, f := range files {
		all = append(all, shown(f))
	}
	return all
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
		fault      string // part of the error; "" = none
	}{
		{"every section of the grammar",
			"*** Begin Patch\n*** Update File: docs/ops.md\n@@\n-old\n+new\n*** Add File: src/new.go\n+package shop\n+\n" +
				"*** Update File: a.txt\n*** Move to: b c.txt\n@@ func x()\n ctx\n-KEY=\n+KEY=1\n@@\n+tail\n*** End of File\n*** Delete File: src/old.go\n*** End Patch\n",
			[]string{"update docs/ops.md -{old|}+{new|}", "create src/new.go ={package shop||}",
				"move a.txt => b c.txt -{ctx|KEY=|}+{ctx|KEY=1|} -{}+{tail|}", "delete src/old.go"}, ""},
		{"carriage returns are not part of the text",
			"*** Begin Patch\r\n*** Update File: a\r\n@@\r\n-x\r\n+y\r\n*** Add File: b\r\n+z\r\n*** End Patch\r\n",
			[]string{"update a -{x|}+{y|}", "create b ={z|}"}, ""},
		{"the end may be missing", "*** Begin Patch\n*** Add File: a\n+x", []string{"create a ={x|}"}, ""},
		{"a here-document around it", "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF\n", []string{"delete a"}, ""},
		{"a quote around it", "apply_patch \"*** Begin Patch\n*** Delete File: a\n*** End Patch\"", []string{"delete a"}, ""},
		{"two here-documents", "<<EOF\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF\napply_patch <<EOF\n*** Begin Patch\n*** Delete File: b\n*** End Patch\nEOF",
			[]string{"delete a", "delete b"}, ""},
		{"blanks around markers and a byte order mark", "\ufeff *** Begin Patch \n  *** Update File:   a b \t\n@@\n-x\n+y\n\n *** End Patch ",
			[]string{"update a b -{x|}+{y|}"}, ""},
		{"blank lines part hunks, or are context inside one", "*** Begin Patch\n\n*** Update File: a\n\n@@\n-x\n\n+y\n\n@@\n+z\n*** End Patch",
			[]string{"update a -{x||}+{|y|} -{}+{z|}"}, ""},
		{"the first @@ may be missing", "*** Begin Patch\n*** Update File: a\n import foo\n+bar\n*** End Patch", []string{"update a -{import foo|}+{import foo|bar|}"}, ""},
		{"environment", "*** Begin Patch\n*** Environment ID: box-1\n*** Delete File: a\n*** End Patch", []string{"delete a"}, ""},
		{"a header in content is content", "*** Begin Patch\n*** Update File: a.md\n@@\n-*** Delete File: .env\n+*** Update File: .env\n+Example: *** Add File: .env\n*** Add File: b.md\n+*** Delete File: .env\n*** End Patch",
			[]string{"update a.md -{*** Delete File: .env|}+{*** Update File: .env|Example: *** Add File: .env|}", "create b.md ={*** Delete File: .env|}"}, ""},
		{"stars in context are context", "*** Begin Patch\n*** Update File: a.md\n@@\n ***\n *** note file: x ***\n-x\n+y\n*** End Patch",
			[]string{"update a.md -{***|*** note file: x ***|x|}+{***|*** note file: x ***|y|}"}, ""},
		{"two sections of one file are one", "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Delete File: b\n*** Update File: a\n@@\n-v\n+w\n*** End Patch",
			[]string{"update a -{x|}+{y|} -{v|}+{w|}", "delete b"}, ""},
		{"a path of the Windows kind", "*** Begin Patch\n*** Update File: C:\\shop\\a.go\n@@\n+x\n*** End Patch", []string{`update C:\shop\a.go -{}+{x|}`}, ""},
		{"a target with dots", "*** Begin Patch\n*** Update File: config/example.env\n*** Move to: config/../.env\n@@\n-K=\n+K=1\n*** End Patch",
			[]string{"move config/example.env => config/../.env -{K=|}+{K=1|}"}, ""},

		{"no blank behind the stars", "*** Begin Patch\n***Update File: .env\n@@\n-a\n+b\n*** End Patch", []string{"update .env -{a|}+{b|}"}, ""},
		{"no blank behind the colon", "*** Begin Patch\n*** Delete File:.env\n*** End Patch", []string{"delete .env"}, ""},
		{"other case", "*** begin patch\n*** DELETE FILE: .env\n*** end patch", []string{"delete .env"}, ""},
		{"no colon", "*** Begin Patch\n*** Delete File .env\n*** End Patch", []string{"delete .env"}, "line 2: \"*** Delete File .env\" has no colon"},
		{"a verb of no grammar", "*** Begin Patch\n*** Rename File: .env\n*** Create File: a\n+x\n*** End Patch", []string{"update .env", "create a ={x|}"}, "(and 1 more)"},
		{"a blank in front of a header, as Codex trims it", "*** Begin Patch\n*** Update File: a\n@@\n x\n *** Delete File: .env\n*** End Patch", []string{"update a", "delete .env"}, ""},
		{"a byte order mark behind a path, as JavaScript trims it", "*** Begin Patch\n*** Delete File: .env\ufeff\n*** End Patch", []string{"delete .env"}, ""},
		{"a header behind a lone carriage return", "*** Begin Patch\n*** Add File: a\n+x\ry\r*** Delete File: .env\n*** End Patch", []string{"create a ={x\ry|}", "delete .env"}, ""},
		{"no begin", "*** Update File: .env\n@@\n-a\n+b\n", []string{"update .env -{a|}+{b|}"}, `there is no "*** Begin Patch" line`},
		{"a header behind the end", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n*** Delete File: .env\n", []string{"delete a", "delete .env"}, "behind the end"},
		{"a target of nothing", "*** Begin Patch\n*** Move to: .env\n*** Add File: a\n+x\n*** Move to: b\n*** End Patch", []string{"create .env ={}", "create a ={x|}", "create b ={}"}, "does not belong to an update"},
		{"a second target", "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Move to: .env\n*** End Patch", []string{"move a => b", "create .env ={}"}, "does not belong to an update"},
		{"lines without a sign stay visible", "*** Begin Patch\n*** Update File: a\n@@\n+x\nSECRET=1\n*** Add File: b\nSECRET=2\n*** End Patch",
			[]string{"update a -{SECRET=1|}+{x|SECRET=1|}", "create b ={SECRET=2|}"}, "line 5: \"SECRET=1\" is neither context nor a change (and 1 more)"},
		{"lines behind a deleted file", "*** Begin Patch\n*** Delete File: a\n-x\n*** End Patch", []string{"delete a"}, "follows a deleted file"},
		{"lines of no file", "*** Begin Patch\n+x\n*** Delete File: a\n*** End Patch", []string{"delete a"}, "belongs to no file"},
		{"no path", "*** Begin Patch\n*** Delete File: \n*** Add File: a\n*** End Patch", []string{"create a ={}"}, "names no file"},
		{"a second begin", "*** Begin Patch\n*** Delete File: a\n*** Begin Patch\n*** Delete File: b\n*** End Patch", []string{"delete a", "delete b"}, "a second"},
		{"nothing", "", nil, "there is no \"*** Begin Patch\" line (and 1 more)"},
		{"no file", "*** Begin Patch\n*** End Patch", nil, "it names no file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files, err := Parse(tt.text)
			if got := shownAll(files); !slices.Equal(got, tt.want) {
				t.Errorf("files\n got %q\nwant %q", got, tt.want)
			}
			if tt.fault == "" && err != nil {
				t.Errorf("error %v", err)
			}
			if tt.fault != "" && (err == nil || !strings.Contains(err.Error(), tt.fault)) {
				t.Errorf("error %v, want one with %q", err, tt.fault)
			}
		})
	}
}

// named reports whether a file is among those touched, at either end of a move.
func named(files []hook.File, path string) bool {
	return slices.ContainsFunc(files, func(f hook.File) bool { return f.Path == path || f.MovedTo == path })
}

// holdsHeaderLaw checks that each line which any agent reads as a header yields its file.
func holdsHeaderLaw(t *testing.T, text string, files []hook.File) {
	for line := range strings.SplitSeq(text, "\n") {
		for _, header := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			path, ok := strings.CutPrefix(line, header)
			if path = trim(path); ok && path != "" && !strings.Contains(path, "\r") && path[0] != ':' && !named(files, path) {
				t.Errorf("%q is lost", line)
			}
		}
	}
}

func FuzzParseNeverPanicsAndLosesNoFile(f *testing.F) {
	f.Add("*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n x\n-y\n+z\n*** Add File: c\n+d\n*** Delete File: e\n*** End Patch\n")
	f.Add("<<EOF\n*** Begin Patch\r\n***Update File: .env\n@@\n\n-y\r*** Delete File: f\n*** End of File\n*** End Patch\nEOF")
	f.Add("*** Move to: x\n*** Delete File: x\n+\n-\n ")
	f.Fuzz(func(t *testing.T, text string) {
		files, _ := Parse(text)
		holdsHeaderLaw(t, text, files)
		for _, file := range files {
			if file.Path == "" {
				t.Error("a file without a path")
			}
		}
	})
}

func FuzzParseReadsWhatIsWritten(f *testing.F) {
	f.Add("a b", "old", "new\nlines", true)
	f.Add("ünï/ç", "*** End Patch", "+++ x", false)
	f.Fuzz(func(t *testing.T, path, old, new string, crlf bool) {
		if path == "" || trim(path) != path || path[0] == ':' || strings.ContainsAny(path+old+new, "\r") || strings.Contains(path, "\n") {
			t.Skip()
		}
		var b strings.Builder
		b.WriteString("*** Begin Patch\n*** Update File: " + path + "\n*** Move to: " + path + "x\n@@\n")
		for line := range strings.SplitSeq(old, "\n") {
			b.WriteString("-" + line + "\n")
		}
		for line := range strings.SplitSeq(new, "\n") {
			b.WriteString("+" + line + "\n")
		}
		b.WriteString("*** Add File: n\n")
		for line := range strings.SplitSeq(new, "\n") {
			b.WriteString("+" + line + "\n")
		}
		b.WriteString("*** End Patch\n")
		text := b.String()
		if crlf {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		created := new + "\n"
		want := []hook.File{
			{Path: path, Op: hook.OpMove, MovedTo: path + "x", Edits: []hook.Edit{{Old: old + "\n", New: new + "\n"}}},
			{Path: "n", Op: hook.OpCreate, NewText: &created},
		}
		files, err := Parse(text)
		if err != nil || !slices.Equal(shownAll(files), shownAll(want)) {
			t.Errorf("%q: %q, %v; want %q", text, shownAll(files), err, shownAll(want))
		}
	})
}

// A guard has a deadline, so a long text must not take more than linear time.
func TestParseIsLinear(t *testing.T) {
	for name, part := range map[string]string{
		"sections": "*** Update File: a\n@@\n-x\n+y\n",
		"returns":  "\r",
		"lines":    "\r*** Delete File: b",
		"blanks":   "\n",
		"stars":    "*** ",
	} {
		files, _ := Parse("*** Begin Patch\n*** Add File: z\n+" + strings.Repeat(part, 200_000))
		if !named(files, "z") {
			t.Errorf("%s: z is lost", name)
		}
	}
}
