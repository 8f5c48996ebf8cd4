//go:build unix

package splice

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// nonblock keeps an open from waiting for the other end of a pipe.
const nonblock = syscall.O_NONBLOCK

// writable refuses what must not or cannot be replaced.
func (f *File) writable() error {
	dir := filepath.Dir(f.Target)
	if len(f.Missing) > 0 {
		dir = filepath.Dir(f.Missing[0])
	}
	if f.Exists {
		if f.Mode&0o200 == 0 {
			return &Error{Fault: ReadOnly, Path: f.Path, What: "the file is marked read-only", Hint: "if that is not meant: chmod u+w " + f.Target}
		}
		if st, ok := f.info.Sys().(*syscall.Stat_t); ok && st.Nlink > 1 {
			return &Error{Fault: HardLink, Path: f.Path, What: "the file has a second name (a hard link), which would keep the old text",
				Hint: "replace the hard link by a symbolic link, or by a copy"}
		}
		if err := unix.Faccessat(unix.AT_FDCWD, f.Target, unix.W_OK, unix.AT_EACCESS); err != nil {
			return f.fault("the file cannot be written", err)
		}
	}
	if err := unix.Faccessat(unix.AT_FDCWD, dir, unix.W_OK|unix.X_OK, unix.AT_EACCESS); err != nil {
		return f.fault("its folder "+dir+" cannot be written", err)
	}
	return nil
}

// keep gives a new file owner, group, attributes and mode of the one that it replaces.
func keep(out *os.File, f *File) error {
	fail := func(what string, err error) error {
		e := f.fault(what, err)
		e.Fault, e.Hint = Owner, "run this as the owner of the file, or change the owner"
		return e
	}
	was, ok := f.info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	now, err := out.Stat()
	if err != nil {
		return f.fault("failed to write beside it", err)
	}
	if is, ok := now.Sys().(*syscall.Stat_t); ok && (is.Uid != was.Uid || is.Gid != was.Gid) {
		if err := out.Chown(int(was.Uid), int(was.Gid)); err != nil {
			return fail("failed to keep its owner and group", err)
		}
	}
	if err := keepAttributes(f.Target, out); err != nil {
		return fail("failed to keep its attributes", err)
	}
	if err := out.Chmod(f.info.Mode()); err != nil {
		return fail("failed to keep its mode", err)
	}
	return nil
}

func rename(from, to string) error { return os.Rename(from, to) }

// syncFolder makes sure that names outlast a power failure.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// alive reports whether a process has this number.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
