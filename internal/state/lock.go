package state

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// errBusy: another process holds the lock.
var errBusy = errors.New("locked by another process")

// tryLock opens a file, makes it if it is missing, and locks it; errBusy if another holder lives.
// The system takes the lock away when its holder ends, however it ends. Close gives it back.
func (s *Store) tryLock(path string) (*os.File, error) {
	for range attempts {
		f, err := s.open(path, os.O_RDWR|os.O_CREATE)
		if err != nil {
			return nil, err
		}
		if err := lockFile(f); err != nil {
			f.Close()
			return nil, err
		}
		if !deleted(f) {
			return f, nil
		}
		f.Close() // swept between opening and locking: the name may belong to another file by now
	}
	return nil, fmt.Errorf("%s is deleted over and over", path)
}

// lock is tryLock that waits until the deadline.
func (s *Store) lock(path string, deadline time.Time) (*os.File, error) {
	for wait := time.Millisecond; ; wait = min(2*wait, 10*time.Millisecond) {
		f, err := s.tryLock(path)
		left := time.Until(deadline)
		if !errors.Is(err, errBusy) || left <= 0 {
			return f, err
		}
		time.Sleep(min(wait, left))
	}
}
