package state

import (
	"os"
	"syscall"
	"unsafe"
)

const (
	lockExclusive      = 2
	lockFailAtOnce     = 1
	errorLockViolation = syscall.Errno(33)
)

// lockFile takes an exclusive lock without waiting (LockFileEx). The locked byte lies far behind the
// content, because Windows would keep others from reading the locked range.
func lockFile(f *os.File) error {
	proc := syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")
	at := &syscall.Overlapped{OffsetHigh: 1 << 30}
	ok, _, err := proc.Call(f.Fd(), lockExclusive|lockFailAtOnce, 0, 1, 0, uintptr(unsafe.Pointer(at)))
	switch {
	case ok != 0:
		return nil
	case err == errorLockViolation || err == syscall.ERROR_IO_PENDING:
		return errBusy
	}
	return os.NewSyscallError("LockFileEx", err)
}
