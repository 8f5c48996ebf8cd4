package splice

import (
	"errors"

	"golang.org/x/sys/unix"
)

// swap exchanges two names in one step; errors.ErrUnsupported where the file system cannot.
func swap(a, b string) error {
	err := unix.RenamexNp(a, b, unix.RENAME_SWAP)
	if unsupported(err) {
		return errors.ErrUnsupported
	}
	return err
}

// moveNew renames a file to a name that is free; fs.ErrExist if it is not.
func moveNew(from, to string) error {
	err := unix.RenamexNp(from, to, unix.RENAME_EXCL)
	if unsupported(err) {
		return moveLinked(from, to)
	}
	return err
}

func unsupported(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP)
}
