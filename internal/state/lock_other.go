//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly && !windows

package state

import (
	"errors"
	"os"
)

// lockFile: without a lock that dies with its holder nobody could tell a running call from a dead
// one, so each process does its work by itself.
func lockFile(*os.File) error { return errors.ErrUnsupported }
