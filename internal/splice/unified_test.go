package splice

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnified(t *testing.T) {
	for _, tt := range []struct{ name, a, b, want string }{
		{"nothing", "a\n", "a\n", ""},
		{"created", "", "a\nb\n", "--- x\n+++ x\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"removed", "a\n", "", "--- x\n+++ x\n@@ -1 +0,0 @@\n-a\n"},
		{"one line", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nX\n6\n7\n8\n9\n", "--- x\n+++ x\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+X\n 6\n 7\n 8\n"},
		{"no newline at the end", "a", "b", "--- x\n+++ x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"},
	} {
		if got := unified("x", "x", tt.a, tt.b); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// The program patch makes the second text of the first.
func TestPatchTakesIt(t *testing.T) {
	if _, err := exec.LookPath("patch"); err != nil {
		t.Skip("there is no program patch")
	}
	base := strings.Repeat("one\ntwo\nthree\nfour\nfive\nsix\n", 5)
	for i, after := range []string{
		strings.Replace(base, "two", "TWO", 1), strings.ReplaceAll(base, "six\n", ""), "new\n" + base + "end\n",
		strings.Replace(base, "one\ntwo\n", "", 3), base[:len(base)-1],
	} {
		file := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(file, []byte(base), 0o600); err != nil {
			t.Fatal(err)
		}
		c := exec.Command("patch", "-s", file)
		c.Stdin = strings.NewReader(unified("f", "f", base, after))
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%d: %v %s", i, err, out)
		}
		if got, _ := os.ReadFile(file); string(got) != after {
			t.Errorf("%d: patch made %q", i, got)
		}
	}
}
