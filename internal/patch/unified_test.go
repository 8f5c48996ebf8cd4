package patch

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParseUnified(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
		fault      string
	}{
		{"git: change, creation, deletion",
			"diff --git a/x.go b/x.go\nindex 1..2 100644\n--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@ func\n ctx\n-old\n+new\n@@ -9 +9,2 @@\n l\n+m\n" +
				"diff --git a/n b/n\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+hi\n" +
				"diff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n\\ No newline at end of file\n",
			[]string{"update x.go -{ctx|old|}+{ctx|new|} -{l|}+{l|m|}", "create n ={hi|}", "delete d -{bye|}+{}"}, ""},
		{"git: rename, copy, mode, empty and binary files",
			"diff --git a/o x b/n y\nsimilarity index 90%\nrename from o x\nrename to n y\n--- a/o x\t\n+++ b/n y\t\n@@ -1 +1 @@\n-a\n+b\n" +
				"diff --git a/c b/d\ncopy from c\ncopy to d\n" +
				"diff --git a/my run.sh b/my run.sh\nold mode 100644\nnew mode 100755\n" +
				"diff --git a/e b/e\nnew file mode 100644\nindex 0..0\n" +
				"diff --git a/p.png b/p.png\nnew file mode 100644\nindex 0..1\nBinary files /dev/null and b/p.png differ\n",
			[]string{"move o x => n y -{a|}+{b|}", "create d", "update my run.sh", "create e ={}", "create p.png"}, ""},
		{"git: quoted names", "diff --git \"a/\\303\\244 \\\"q\\\".txt\" \"b/\\303\\244 \\\"q\\\".txt\"\n--- \"a/\\303\\244 \\\"q\\\".txt\"\n+++ \"b/\\303\\244 \\\"q\\\".txt\"\n@@ -1 +1 @@\n-a\n+b\n",
			[]string{"update ä \"q\".txt -{a|}+{b|}"}, ""},
		{"git: no prefix", "diff --git x y.go x y.go\n--- x y.go\n+++ x y.go\n@@ -1 +1 @@\n-a\n+b\n", []string{"update x y.go -{a|}+{b|}"}, ""},
		{"git: mnemonic prefix", "diff --git i/a w/a\n--- i/a\n+++ w/a\n@@ -1 +1 @@\n-a\n+b\n", []string{"update a -{a|}+{b|}"}, ""},
		{"git: merge", "diff --cc a/x\nindex 1,2..3\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n", []string{"update a/x"}, "belongs to no hunk"},
		{"plain, with times", "--- lib/a.c\t2026-01-01 10:00:00\n+++ lib/a.c\t2026-01-02 10:00:00\n@@ -1 +1 @@\n-a\n+b\n", []string{"update lib/a.c -{a|}+{b|}"}, ""},
		{"plain, two files without headers between", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
			[]string{"update x -{a|}+{b|}", "update y -{a|}+{b|}"}, ""},
		{"carriage returns", "--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n", []string{"update x -{a|}+{b|}"}, ""},
		{"names that differ are both touched", "--- a.orig\n+++ a\n@@ -1 +1 @@\n-a\n+b\n", []string{"update a -{a|}+{b|}", "update a.orig -{a|}+{b|}"}, ""},
		{"a header in content is content", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n l\n--- .env\n+++ .env\n m\n", []string{"update x -{l|-- .env|m|}+{l|++ .env|m|}"}, ""},
		{"subversion", "Index: a b.c\n===================================================================\n--- a b.c\t(revision 1)\n+++ a b.c\t(working copy)\n@@ -1 +1 @@\n-a\n+b\n",
			[]string{"update a b.c -{a|}+{b|}"}, ""},
		{"text around it", "Here is the diff:\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\n", []string{"update x -{a|}+{b|}"}, ""},

		{"a count too big does not hide the next file", "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n+b\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-a\n+b\n",
			[]string{"update x -{a|}+{b|}", "update .env -{a|}+{b|}"}, ""},
		{"a count too big does not hide the next git section", "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n+b\ndiff --git a/.env b/.env\nold mode 100644\nnew mode 100755\n",
			[]string{"update x -{a|}+{b|}", "update .env"}, ""},
		{"a count too small does not hide text", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+SECRET\n", []string{"update x -{a|}+{b|SECRET|}"}, "belongs to no hunk"},
		{"no counts", "--- a/x\n+++ b/x\n@@ ... @@\n-a\n+b\n", []string{"update x -{a|}+{b|}"}, "has no line counts"},
		{"names that cannot be told apart", "diff --git a/x y b/z w\n", nil, "does not tell its two names apart (and 1 more)"},
		{"nothing", "hello\n", nil, "it names no file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files, err := ParseUnified(tt.text)
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

// What git prints is read as git means it, whatever the names are.
func TestParseUnifiedReadsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	git := func(args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q")
	long := strings.Repeat("line\n", 20)
	write("a/b.txt", long+"x\n")
	write("gone ä.txt", "bye\n")
	write("old name.txt", long+"y\n")
	write("b/c \"d\".txt", "1\n")
	git("add", "-A")
	git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "x")
	write("a/b.txt", long+"z\n")
	write("new\tname.txt", long+"y\n")
	write("b/c \"d\".txt", "2\n")
	os.Remove(filepath.Join(dir, "gone ä.txt"))
	os.Remove(filepath.Join(dir, "old name.txt"))
	write("bin", "\x00\x01")
	write("b/new.txt", "n\n")
	git("add", "-A")

	for _, args := range [][]string{{"diff", "-M", "HEAD"}, {"diff", "-M", "--no-prefix", "HEAD"}, {"-c", "diff.mnemonicPrefix=true", "diff", "-M", "HEAD"}} {
		files, err := ParseUnified(git(args...))
		var got []string
		for _, f := range files {
			f.Edits, f.NewText = nil, nil
			got = append(got, shown(f))
		}
		slices.Sort(got)
		want := []string{"create b/new.txt", "create bin", "delete gone ä.txt", "move old name.txt => new\tname.txt", "update a/b.txt", `update b/c "d".txt`}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("git %v: %q, %v; want %q", args, got, err, want)
		}
	}
}

func FuzzParseUnifiedNeverPanicsAndLosesNoFile(f *testing.F) {
	f.Add("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n")
	f.Add("diff --git \"a/\\3\" b/x\nrename from x\nrename to \"\\\n@@ -1,99999999999999999999 +1 @@\n\\\n--- \n+++ \n@@ \n")
	f.Fuzz(func(t *testing.T, text string) {
		files, _ := ParseUnified(text)
		for _, file := range files {
			if file.Path == "" {
				t.Errorf("a file without a path in %q", text)
			}
		}
	})
}

func TestParseUnifiedIsLinear(t *testing.T) {
	for name, part := range map[string]string{
		"sections": "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n",
		"git":      "diff --git a/a b/a\n",
		"hunks":    "@@ -1 +1 @@\n-x\n+y\n",
		"quotes":   "--- \"\\\n+++ \"\n",
	} {
		files, _ := ParseUnified("--- a/z\n+++ b/z\n" + strings.Repeat(part, 100_000))
		if !named(files, "z") {
			t.Errorf("%s: z is lost", name)
		}
	}
}
