//go:build unix

package run

import (
	"os"
	"syscall"
)

// write prints an answer. An agent that is gone reads nothing: that is an error for the journal, not
// our end, which it would be through os.File (SIGPIPE). Ignoring the signal costs a thread.
func write(f *os.File, b []byte) error {
	for len(b) > 0 {
		n, err := syscall.Write(int(f.Fd()), b)
		if err == syscall.EINTR || err == syscall.EAGAIN {
			continue
		}
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}
