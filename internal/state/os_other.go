//go:build !unix && !windows

package state

import (
	"io/fs"
	"os"
)

func openFile(path string, flag int) (*os.File, error) { return os.OpenFile(path, flag, 0o600) }

func deleted(*os.File) bool { return false }

func rename(from, to string) error { return os.Rename(from, to) }

func sealedMode(info fs.FileInfo) bool { return info.Mode().Perm()&0o222 == 0 }
