package state

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	sweepOneIn  = 32  // runs of which one sweeps
	sweepWindow = 512 // files of one folder that a sweep looks at
)

// Sweep removes what nobody will ask for again. Call it at the end of each run, after the answer: it
// does nothing most of the time, and little else; about 1 ms where much is old.
func (s *Store) Sweep() {
	if s.dir != "" && rand.IntN(sweepOneIn) == 0 {
		s.sweep()
	}
}

func (s *Store) sweep() {
	// Gemini's interface fires SessionEnd three times within seconds; ten minutes are plenty.
	s.sweepFolder("calls", 10*time.Minute, s.removeUnlocked)
	s.sweepFolder("tmp", time.Hour, os.Remove)
	s.sweepFolder("sessions", 14*24*time.Hour, os.RemoveAll)
	s.sweepFolder("plans", 30*24*time.Hour, os.Remove)
	s.sweepFolder("good", 120*24*time.Hour, os.Remove)
	s.sweepFolder("slots", 30*24*time.Hour, s.removeUnlocked)
}

// sweepFolder removes what was last changed before an age. It looks at a random part of a large
// folder: on average a sweep removes more than the runs between two sweeps add. It leaves alone what
// has no name of ours, and a folder that is a link: somebody may have put it there to have other
// files deleted.
func (s *Store) sweepFolder(folder string, age time.Duration, remove func(string) error) {
	if info, err := os.Lstat(s.path(folder)); err != nil || !info.IsDir() {
		return
	}
	dir, err := os.Open(s.path(folder))
	if err != nil {
		return
	}
	names, _ := dir.Readdirnames(-1)
	dir.Close()
	if len(names) > sweepWindow {
		at := rand.IntN(len(names) - sweepWindow + 1)
		names = names[at : at+sweepWindow]
	}
	before := s.now().Add(-age)
	for _, name := range names {
		if path := s.path(folder, name); ours(name) && lastChange(path).Before(before) {
			remove(path)
		}
	}
}

// ours reports whether a name is one of those that hashed and replace make.
func ours(name string) bool {
	hash, _, _ := strings.Cut(name, ".")
	if b, err := hex.DecodeString(hash); err == nil && len(b) == 16 {
		return true
	}
	return strings.HasPrefix(name, tmpPrefix)
}

// lastChange returns when a file, or a folder or something in it, was last changed; the far future
// if nobody knows.
func lastChange(path string) (last time.Time) {
	info, err := os.Lstat(path)
	if err != nil {
		return time.Unix(1<<40, 0)
	}
	last = info.ModTime()
	if !info.IsDir() {
		return last
	}
	entries, _ := os.ReadDir(path)
	for _, e := range entries {
		if t := lastChange(filepath.Join(path, e.Name())); t.After(last) {
			last = t
		}
	}
	return last
}

// removeUnlocked removes a lock's file unless somebody holds it. A process that opened it and has
// not locked it yet notices, see tryLock.
func (s *Store) removeUnlocked(path string) error {
	f, err := s.open(path, os.O_RDWR)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := lockFile(f); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if err := os.Remove(path); err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	f.Close() // Windows does not remove what is open
	return os.Remove(path)
}
