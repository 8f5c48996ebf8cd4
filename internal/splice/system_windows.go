package splice

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

const nonblock = 0

const sharingViolation = syscall.Errno(32)

// writable refuses what must not be replaced.
func (f *File) writable() error {
	if f.Exists && f.Mode&0o200 == 0 {
		return &Error{Fault: ReadOnly, Path: f.Path, What: "the file is marked read-only", Hint: "if that is not meant: attrib -r " + f.Target}
	}
	return nil
}

// keep has nothing to do: a new file has the access list of its folder.
func keep(*os.File, *File) error { return nil }

// rename repeats what Windows refuses while a scanner or an editor has the file open, for a second.
func rename(from, to string) (err error) {
	for wait := time.Millisecond; wait < time.Second/2; wait *= 2 {
		if err = os.Rename(from, to); err == nil || !errors.Is(err, fs.ErrPermission) && !errors.Is(err, sharingViolation) {
			return err
		}
		time.Sleep(wait)
	}
	return err
}

func syncFolder(string) error { return nil }

// alive reports whether a process has this number.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
