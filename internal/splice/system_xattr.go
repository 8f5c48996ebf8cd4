//go:build linux || darwin

package splice

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// keepAttributes copies the extended attributes of a file, access lists among them. Those that the system guards for
// itself (labels of a security module) may be refused: the new file has them from its folder.
func keepAttributes(from string, to *os.File) error {
	names := make([]byte, 64<<10)
	n, err := unix.Listxattr(from, names)
	if err != nil || n == 0 {
		return nil // a file system without attributes
	}
	value := make([]byte, 64<<10)
	for name := range strings.SplitSeq(strings.TrimRight(string(names[:n]), "\x00"), "\x00") {
		n, err := unix.Getxattr(from, name, value)
		if err != nil {
			continue // not ours to read
		}
		err = unix.Fsetxattr(int(to.Fd()), name, value[:n], 0)
		guarded := strings.HasPrefix(name, "security.") || strings.HasPrefix(name, "trusted.") || strings.HasPrefix(name, "com.apple.")
		if err != nil && !guarded && !errors.Is(err, unix.ENOTSUP) {
			return &os.PathError{Op: "setxattr", Path: name, Err: err}
		}
	}
	return nil
}
