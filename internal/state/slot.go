package state

import (
	"errors"
	"os"
	"strconv"
	"time"
)

// MaxCopies is how many copies of one handler may run at once. It ends a handler that starts an
// agent that starts the handler, without any variable: some agents hand none on.
const MaxCopies = 8

// Acquire waits until fewer than MaxCopies copies of a handler run, but not beyond the deadline, and
// counts one more until release is called or this process ends. handler names it among all others,
// e.g. manifest path and name. ok is false if there is no room. Where nothing can be remembered
// there always is.
func (s *Store) Acquire(deadline time.Time, handler ...string) (release func(), ok bool) {
	for wait := time.Millisecond; ; wait = min(2*wait, 25*time.Millisecond) {
		f, err := s.slot(hashed(handler...))
		left := time.Until(deadline)
		switch {
		case err == nil:
			return func() { f.Close() }, true
		case !errors.Is(err, errBusy):
			return func() {}, true
		case left <= 0:
			return func() {}, false
		}
		time.Sleep(min(wait, left))
	}
}

// slot locks the first free slot.
func (s *Store) slot(name string) (f *os.File, err error) {
	for i := range MaxCopies {
		f, err = s.tryLock(s.path("slots", name+"."+strconv.Itoa(i)))
		if !errors.Is(err, errBusy) {
			return f, err
		}
	}
	return nil, err
}
