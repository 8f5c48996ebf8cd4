package live

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWriteFileStaysInTheSandbox(t *testing.T) {
	s := sandbox(t, scriptAgent(""))
	for _, path := range []string{"/etc/hookspan-test", "../../outside", filepath.Join(s.Root, "..", "x"), filepath.Join(t.TempDir(), "x")} {
		if err := s.WriteFile(path, "x"); err == nil || !strings.Contains(err.Error(), "not in the sandbox") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := s.WriteFile("a/b.sh", "exit 0"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(s.Home, "a", "b.sh")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestSetJSONKeepsOtherMembersAndRefusesBrokenFiles(t *testing.T) {
	s := sandbox(t, scriptAgent(""))
	if err := s.setJSON("x/settings.json", "hooks", object{"a": 1}); err != nil {
		t.Fatal(err)
	}
	if err := s.setJSON("x/settings.json", "other", []int{2}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(s.Home, "x", "settings.json"))
	if err != nil || strings.Join(strings.Fields(string(text)), "") != `{"hooks":{"a":1},"other":[2]}` {
		t.Errorf("%s, %v", text, err)
	}
	if err := s.WriteFile("x/settings.json", "{"); err != nil {
		t.Fatal(err)
	}
	if err := s.setJSON("x/settings.json", "hooks", nil); err == nil || !strings.Contains(err.Error(), "failed to read") {
		t.Errorf("got %v", err)
	}
}

func TestAProjectIsACleanRepository(t *testing.T) {
	s := sandbox(t, scriptAgent(""))
	if err := s.git("diff", "--exit-code", "HEAD"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(s.Home, ".gitconfig")); !os.IsNotExist(err) {
		t.Errorf("the home got a .gitconfig: %v", err)
	}
}

func TestASandboxThatCannotBeConfiguredIsRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d := scriptAgent("")
	d.Configure = func(s *Sandbox) error { return s.WriteFile("/nowhere", "") }
	if _, err := NewSandbox(d, shell()); err == nil {
		t.Error("no error")
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 0 {
		t.Errorf("left on the disk: %v", left)
	}
}

// TestCopilotSharesItsStore between sandboxes, and removing one leaves it.
func TestCopilotSharesItsStore(t *testing.T) {
	d, err := Lookup("copilot")
	if err != nil {
		t.Fatal(err)
	}
	opts := shell()
	opts.Program.Store = filepath.Join(t.TempDir(), "copilot.store")
	s, err := NewSandbox(d, opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Home, ".cache", "copilot", "unpacked"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(opts.Program.Store, "unpacked")); err != nil {
		t.Error(err)
	}
}

func TestQuoteMakesOneWord(t *testing.T) {
	needIsolation(t)
	s := sandbox(t, scriptAgent(""))
	for _, word := range []string{"", "a b", `it's "$HOME" \ *`, "-n", "ä\nb"} {
		if out, err := s.Exec(t.Context(), "/bin/sh", "-c", "printf %s "+Quote(word)); err != nil || out != word {
			t.Errorf("%q became %q, %v", word, out, err)
		}
	}
}
