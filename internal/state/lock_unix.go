//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package state

import (
	"os"
	"syscall"
)

// lockFile takes an exclusive lock without waiting. flock belongs to the open file, so it also
// holds between two goroutines, and it is not inherited: Go opens files close-on-exec.
func lockFile(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch err {
		case syscall.EINTR:
			continue
		case syscall.EWOULDBLOCK:
			return errBusy
		}
		return os.NewSyscallError("flock", err)
	}
}
