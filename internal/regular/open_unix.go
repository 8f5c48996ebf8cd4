//go:build unix

package regular

import (
	"io/fs"
	"os"
	"syscall"
)

// Open opens a file with flags as os.OpenFile does.
func Open(path string, flag int, mode fs.FileMode) (*os.File, error) {
	for {
		fd, err := syscall.Open(path, flag|syscall.O_NONBLOCK|syscall.O_CLOEXEC, uint32(mode.Perm()))
		switch err {
		case nil:
			// Blocking by now, so that os.NewFile leaves the poller alone.
			if err := syscall.SetNonblock(fd, false); err != nil {
				syscall.Close(fd)
				return nil, &fs.PathError{Op: "open", Path: path, Err: err}
			}
			return os.NewFile(uintptr(fd), path), nil
		case syscall.EINTR:
			continue
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
}
