package state

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"
)

// sealMax bounds a sealed file, in bytes.
const sealMax = 4 << 20

// Seal writes a file that is written once and then only believed or not: a grant of trust, a
// compiled manifest. The file has a checksum and mode 0400.
//
// The mode is what tells a file that we wrote from one that came with a repository: a variable which
// a repository sets may point XDG_STATE_HOME into its own files, but git, which keeps one mode bit,
// always makes files that their owner may write. Unseal believes only files of mode 0400 that belong
// to the user.
//
// folder and name must be plain names.
func (s *Store) Seal(folder, name string, data []byte) error {
	if s.dir == "" {
		return errNowhere
	}
	if len(data) > sealMax {
		return fmt.Errorf("%d bytes are more than %d", len(data), sealMax)
	}
	return s.replace(s.path(folder, name), checked(data), 0o400)
}

// Unseal returns the data of a sealed file; false if there is none that can be believed.
func (s *Store) Unseal(folder, name string) ([]byte, bool) {
	b, info, err := s.read(s.path(folder, name), sealMax+64)
	if err != nil || !sealedMode(info) {
		return nil, false
	}
	return unchecked(b)
}

// Unlink removes a sealed file. A missing one is no error.
func (s *Store) Unlink(folder, name string) error {
	if s.dir == "" {
		return nil
	}
	if err := os.Remove(s.path(folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Sealed yields the names in a folder of sealed files, sorted.
func (s *Store) Sealed(folder string) iter.Seq[string] {
	return func(yield func(string) bool) {
		entries, _ := os.ReadDir(s.path(folder))
		for _, e := range entries {
			if !yield(filepath.Base(e.Name())) {
				return
			}
		}
	}
}

// PutPlan keeps the compiled form of a manifest. hash must tell everything that the form depends on:
// the manifest's bytes and the version of the compiler.
func (s *Store) PutPlan(hash string, plan []byte) error {
	if err := s.Seal("plans", hashed(hash), plan); err != nil {
		return fmt.Errorf("failed to keep a compiled manifest: %w", err)
	}
	return nil
}

// Plan returns the compiled form, if it is kept and undamaged.
func (s *Store) Plan(hash string) ([]byte, bool) { return s.Unseal("plans", hashed(hash)) }

// refreshGood is the age at which a good manifest is written again, so that a sweep does not take it
// for one that nobody uses.
const refreshGood = 30 * 24 * time.Hour

// PutGood keeps a manifest's text as the last good one of its path. It reads before it writes: call
// it when a manifest was compiled, not on each run.
func (s *Store) PutGood(path string, text []byte) error {
	name := hashed(path)
	old, ok := s.Unseal("good", name)
	if ok && bytes.Equal(old, text) && s.now().Sub(lastChange(s.path("good", name))) < refreshGood {
		return nil
	}
	if err := s.Seal("good", name, text); err != nil {
		return fmt.Errorf("failed to keep the good version of %s: %w", path, err)
	}
	return nil
}

// Good returns the text of the last good manifest at a path. It stays in force while the file is
// broken. Whether its programs may run is asked for this text, as for any other.
func (s *Store) Good(path string) ([]byte, bool) { return s.Unseal("good", hashed(path)) }
