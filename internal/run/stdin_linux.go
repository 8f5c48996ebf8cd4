package run

import (
	"io"
	"os"
	"syscall"
	"time"

	"github.com/hookspan/hookspan/internal/wire"
)

// timed makes reads of a pipe end at a moment, which is asked for when `until` is over. It waits in the
// kernel: a goroutine and a timer for the same would cost a tenth of the whole run (two threads are woken).
func timed(r io.Reader, until time.Time, end func() time.Time) (io.Reader, bool) {
	f, ok := r.(*os.File)
	if !ok {
		return r, false
	}
	return &timedFile{f: f, until: until, end: end}, true
}

type timedFile struct {
	f     *os.File
	until time.Time
	end   func() time.Time // nil = `until` is the end
}

// Read waits until something is there, or until the time is over.
func (t *timedFile) Read(b []byte) (int, error) {
	fd := int(t.f.Fd())
	for fd >= 0 && fd < 64 { // what fits into the first word of the set; we read fd 0
		left := time.Until(t.until)
		if left <= 0 && t.end != nil {
			t.until, t.end = t.end(), nil
			continue
		}
		if left <= 0 {
			return 0, &wire.Error{Kind: wire.Deadline, Msg: "no complete JSON object arrived in time", Err: os.ErrDeadlineExceeded}
		}
		var set syscall.FdSet
		set.Bits[0] = 1 << fd
		tv := syscall.NsecToTimeval(left.Nanoseconds())
		n, err := syscall.Select(fd+1, &set, nil, nil, &tv)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n > 0 {
			break // readable, or not a thing to wait for: the read tells
		}
	}
	return t.f.Read(b)
}
