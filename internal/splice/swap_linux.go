package splice

import (
	"errors"

	"golang.org/x/sys/unix"
)

// swap exchanges two names in one step; errors.ErrUnsupported where the file system cannot.
func swap(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if unsupported(err) {
		return errors.ErrUnsupported
	}
	return err
}

// moveNew renames a file to a name that is free; fs.ErrExist if it is not.
func moveNew(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if unsupported(err) {
		return moveLinked(from, to)
	}
	return err
}

func unsupported(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP)
}
