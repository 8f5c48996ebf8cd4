//go:build !unix

package regular

import (
	"io/fs"
	"os"
)

// Open opens a file with flags as os.OpenFile does.
func Open(path string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, mode)
}
