//go:build unix

package state

import (
	"io/fs"
	"os"
	"syscall"

	"github.com/hookspan/hookspan/internal/regular"
)

// openFile opens a file with mode 0600. A link is not followed, and opening a pipe does not wait for
// its other end.
func openFile(path string, flag int) (*os.File, error) {
	return regular.Open(path, flag|syscall.O_NOFOLLOW, 0o600)
}

// deleted reports whether an open file has lost its name.
func deleted(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink == 0
}

// rename replaces what stands at to.
func rename(from, to string) error { return os.Rename(from, to) }

// sealedMode: see Store.Seal. The owner must be us, or the administrator.
func sealedMode(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().Perm() == 0o400 && (int(st.Uid) == os.Geteuid() || st.Uid == 0)
}
