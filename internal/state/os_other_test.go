//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly

package state

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }

func roleFull(*Store, string) {}
