package state

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

// openFile opens a file. Readers let others rename and delete it meanwhile, which Go's own open does
// not: `log -f` must not keep the journal from being rotated. (A link is followed; making one needs a
// privilege here.)
func openFile(path string, flag int) (*os.File, error) {
	if flag != os.O_RDONLY {
		return os.OpenFile(path, flag, 0o600)
	}
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	const share = syscall.FILE_SHARE_READ | syscall.FILE_SHARE_WRITE | syscall.FILE_SHARE_DELETE
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ, share, nil, syscall.OPEN_EXISTING, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}

// deleted: a file that is open for writing cannot be deleted, since Go opens it without
// FILE_SHARE_DELETE.
func deleted(*os.File) bool { return false }

// rename replaces what stands at to. A read-only file cannot be replaced, and a file that another
// process has open for a moment, a virus scanner too, cannot either.
func rename(from, to string) error {
	err := os.Rename(from, to)
	for wait := time.Millisecond; os.IsPermission(err) && wait < 20*time.Millisecond; wait *= 2 {
		os.Remove(to)
		time.Sleep(wait)
		err = os.Rename(from, to)
	}
	return err
}

// sealedMode: see Store.Seal. Mode 0400 is the read-only attribute here.
func sealedMode(info fs.FileInfo) bool { return info.Mode().Perm()&0o222 == 0 }
