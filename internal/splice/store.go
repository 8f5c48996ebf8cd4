package splice

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Store changes files. The zero value is not usable: State must be set.
type Store struct {
	// State is the folder for locks and backups, made with mode 0700. It must be the same for everybody who edits the
	// same files.
	State string
	// Root is the folder that links must not lead out of, "" for anywhere; AllowOutside lets them.
	Root         string
	AllowOutside bool
	// Mode is that of a new file, before the umask; 0 is 0644. FolderMode is that of new folders; 0 is 0755. A file that
	// exists keeps its own mode.
	Mode, FolderMode fs.FileMode
	// Backup makes a copy of the file, in State/backups, before it is changed.
	Backup bool
	// Intent is called under the lock, when everything has been checked and nothing has been written: the place to note
	// in a ledger what is about to happen, so that a crash behind it can be told from one before. An error stops.
	Intent func(f File, after []byte) error

	fault func(step string) error // tests: fail, or die, at a step
	plain bool                    // tests: a system that cannot swap names
}

// Result is what Update has done.
type Result struct {
	File            // as it was before
	After  []byte   // as it is now; nil: there is no file
	Wrote  bool     // false: it was already so, and nothing was touched
	Made   []string // folders that were made, outermost first
	Backup string   // the copy, if one was made
}

// attempts is how often Update plans anew when another program changes the file meanwhile.
const attempts = 20

// Update changes a file: it takes the lock, reads, calls plan with what it read, and replaces the file by what plan
// returned (nil: no file) in one step. If the file has been changed meanwhile by a program that knows no locks, the change
// is kept: plan is called again. Where plan returns the bytes that are there, nothing is written.
//
// The bytes go through links to their target, which keeps its mode, owner and attributes. Killed at any moment, it leaves
// the old file or the new one; what else it leaves, the next Update of the same file removes. Errors are plan's own, or
// *Error; then nothing has changed.
func (s Store) Update(ctx context.Context, path string, plan func(File) ([]byte, error)) (Result, error) {
	f, err := s.load(path)
	if err != nil {
		return Result{File: f}, err
	}
	unlock, err := s.lock(ctx, f)
	if err != nil {
		return Result{File: f}, err
	}
	defer unlock()
	w := &writer{Store: s, target: f.Target}
	result, err := w.update(path, plan)
	if err != nil {
		w.removeMade()
	}
	return result, err
}

// Check reports whether Update could write the file: its errors, without waiting for the lock and without a trace. A
// caller with several files checks all before it updates the first.
func (s Store) Check(path string) (File, error) {
	f, err := s.load(path)
	if err != nil {
		return f, err
	}
	return f, f.writable()
}

func (s Store) load(path string) (File, error) {
	f, err := Load(path, s.Root)
	if err == nil && f.Outside && !s.AllowOutside {
		return f, &Error{Fault: Outside, Path: f.Path, What: "a link leads out of " + s.Root + ", to " + f.Target,
			Hint: "nothing is written there unless you allow it"}
	}
	return f, err
}

// writer is one call of Update.
type writer struct {
	Store
	target string // the lock is for this one
	made   []string
}

func (w *writer) update(path string, plan func(File) ([]byte, error)) (Result, error) {
	sweep(w.target)
	for range attempts {
		f, err := w.load(path)
		if err != nil {
			return Result{File: f}, err
		}
		if f.Target != w.target {
			break
		}
		after, err := plan(f)
		if err != nil {
			if w.settled(f) {
				return Result{File: f}, err
			}
			continue
		}
		if same(f.Bytes, after) {
			return Result{File: f, After: after}, nil
		}
		result, err := w.write(f, after)
		if !errors.Is(err, errChanged) {
			return result, err
		}
	}
	return Result{}, &Error{Fault: Busy, Path: path, What: "another program keeps changing it", Hint: "try again"}
}

// settled reports whether a file that plan could not use is still as it was read: a program that writes in place leaves
// half a file for a moment.
func (w *writer) settled(f File) bool {
	time.Sleep(10 * time.Millisecond)
	now, err := w.load(f.Path)
	return err == nil && same(now.Bytes, f.Bytes)
}

// same compares files: nil is none.
func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// write replaces the file, if it is still as it was read.
func (w *writer) write(f File, after []byte) (Result, error) {
	result := Result{File: f}
	if err := f.writable(); err != nil {
		return result, err
	}
	if err := w.step("planned"); err != nil {
		return result, f.fault("failed to write it", err)
	}
	if w.Intent != nil {
		if err := w.Intent(f, after); err != nil {
			return result, err
		}
	}
	if err := w.makeFolders(f); err != nil {
		return result, err
	}
	result.Made = w.made
	if w.Backup && f.Exists {
		var err error
		if result.Backup, err = w.backup(f); err != nil {
			return result, err
		}
	}
	if err := w.replace(f, after); err != nil {
		return result, err
	}
	result.After, result.Wrote = after, true
	return result, nil
}

func (w *writer) step(name string) error {
	if w.fault == nil {
		return nil
	}
	return w.fault(name)
}

// makeFolders makes what is missing on the way to the file.
func (w *writer) makeFolders(f File) error {
	mode := w.FolderMode
	if mode == 0 {
		mode = 0o755
	}
	for _, dir := range f.Missing {
		err := os.Mkdir(dir, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return f.fault("failed to make the folder "+dir, err)
		}
		w.made = append(w.made, dir)
	}
	return w.stepFault(f, "folders")
}

func (w *writer) stepFault(f File, name string) error {
	if err := w.step(name); err != nil {
		return f.fault("failed to write it", err)
	}
	return nil
}

func (w *writer) removeMade() { RemoveFolders(w.made) }

// RemoveFolders removes folders that Update made (Result.Made), if they are empty.
func RemoveFolders(made []string) {
	for i := len(made) - 1; i >= 0; i-- {
		if err := os.Remove(made[i]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
		_ = syncFolder(filepath.Dir(made[i]))
	}
}
