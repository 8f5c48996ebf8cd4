//go:build !linux

package run

import (
	"io"
	"time"
)

// timed leaves the waiting to package wire.
func timed(r io.Reader, _ time.Time, _ func() time.Time) (io.Reader, bool) { return r, false }
