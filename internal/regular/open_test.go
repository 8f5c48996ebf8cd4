package regular

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if _, err := Open(path, os.O_RDONLY, 0); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a missing file: %v", err)
	}
	f, err := Open(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, s := range []string{"a", "b"} {
		if _, err := f.WriteString(s); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := os.ReadFile(path); string(b) != "ab" || err != nil {
		t.Fatalf("%q %v", b, err)
	}
	if info, err := f.Stat(); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Fatalf("%v %v", info.Mode(), err)
	}
}
