//go:build unix

package manifest

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

func TestReadDoesNotWaitForAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "hookspan.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := Read(pipe); !errors.Is(err, ErrNotRegular) {
		t.Error(err)
	}
	if got := Find(filepath.Dir(pipe)); len(got) != 0 {
		t.Errorf("found %v", got)
	}
}
