package splice

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// errChanged says that the file is no longer the one that was planned for.
var errChanged = errors.New("changed meanwhile")

// replace puts the new bytes in place of the old ones.
func (w *writer) replace(f File, after []byte) error {
	temp := tempName(f.Target)
	var err error
	switch {
	case after == nil:
		err = w.remove(f, temp)
	case !f.Exists:
		err = w.create(f, temp, after)
	default:
		err = w.exchange(f, temp, after)
	}
	_ = os.Remove(temp)
	if err != nil {
		return err
	}
	// The file is there; whether a power failure can still undo that is no reason to report a failure.
	_ = syncFolder(filepath.Dir(f.Target))
	return nil
}

// exchange replaces a file. Where the system can swap two names in one step, what comes back out is compared with what
// was planned for, so that a change in the last moment is not lost; elsewhere the file is compared just before.
func (w *writer) exchange(f File, temp string, after []byte) error {
	if err := w.prepare(f, temp, after); err != nil {
		return err
	}
	if !f.unchanged(f.Target) {
		return errChanged
	}
	err := errors.ErrUnsupported
	if !w.plain {
		err = swap(temp, f.Target)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		if err := rename(temp, f.Target); err != nil {
			return f.fault("failed to replace it", err)
		}
		return nil
	}
	if err != nil {
		return f.fault("failed to replace it", err)
	}
	if err := w.stepFault(f, "swapped"); err != nil {
		return err
	}
	return f.settle(temp, after)
}

// settle looks at what a swap has brought out. If it is not what was planned for, it goes back; and if somebody has by then
// replaced ours as well, the latest stays.
func (f *File) settle(temp string, after []byte) error {
	if f.unchanged(temp) {
		return nil
	}
	for range 2 {
		if err := swap(temp, f.Target); err != nil {
			return f.rescue(temp, err)
		}
		if holds := (&File{Path: f.Path, Target: temp}); holds.read() == nil && same(holds.Bytes, after) {
			break
		}
	}
	return errChanged
}

// rescue keeps what another program wrote, where it cannot be put back in its place.
func (f *File) rescue(temp string, err error) error {
	kept := strings.TrimSuffix(temp, ".tmp") + ".kept"
	if rename(temp, kept) != nil {
		kept = temp
	}
	e := f.fault("failed to put back what another program wrote meanwhile", err)
	e.Hint = "that text is in " + kept
	return e
}

// create makes a file where there is none, and never takes the place of one that has appeared.
func (w *writer) create(f File, temp string, after []byte) error {
	if err := w.prepare(f, temp, after); err != nil {
		return err
	}
	err := moveNew(temp, f.Target)
	if errors.Is(err, fs.ErrExist) {
		return errChanged
	}
	if err != nil {
		return f.fault("failed to create it", err)
	}
	return nil
}

// remove deletes a file, if what is taken away is what was planned for.
func (w *writer) remove(f File, temp string) error {
	if !f.unchanged(f.Target) {
		return errChanged
	}
	if err := rename(f.Target, temp); err != nil {
		return f.fault("failed to delete it", err)
	}
	if err := w.stepFault(f, "taken"); err != nil {
		return err
	}
	if f.unchanged(temp) {
		return nil
	}
	if err := moveNew(temp, f.Target); err != nil && !errors.Is(err, fs.ErrExist) {
		return f.rescue(temp, err)
	}
	return errChanged
}

// moveLinked is moveNew for systems whose rename always replaces. Without hard links there is a moment between the look and
// the rename.
func moveLinked(from, to string) error {
	err := os.Link(from, to)
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if err == nil {
		return os.Remove(from)
	}
	if _, err := os.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return rename(from, to)
}

// unchanged reports whether a name holds the bytes that were read.
func (f *File) unchanged(name string) bool {
	now := File{Path: f.Path, Target: name}
	return now.read() == nil && same(now.Bytes, f.Bytes)
}

// prepare writes the new bytes beside the target, with its mode, owner and attributes, and waits until they are on disk.
func (w *writer) prepare(f File, temp string, after []byte) (err error) {
	mode := w.Mode
	if mode == 0 {
		mode = 0o644
	}
	if f.Exists {
		mode = 0o600 // nobody else, until the owner is set
	}
	out, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return f.fault("failed to write beside it", err)
	}
	defer func() {
		if closed := out.Close(); err == nil && closed != nil {
			err = f.fault("failed to write beside it", closed)
		}
	}()
	if err := w.stepFault(f, "created"); err != nil {
		return err
	}
	half := len(after) / 2
	for _, part := range [][]byte{after[:half], after[half:]} {
		if _, err := out.Write(part); err != nil {
			return f.fault("failed to write beside it", err)
		}
		if err := w.stepFault(f, "written"); err != nil {
			return err
		}
	}
	if f.Exists {
		if err := keep(out, &f); err != nil {
			return err
		}
	}
	if err := out.Sync(); err != nil {
		return f.fault("failed to write beside it", err)
	}
	return w.stepFault(f, "synced")
}

// Temporary files are named for their target and the process, so that the next run can tell those that a killed one has
// left. They begin with a dot and end in .tmp: no agent reads such a file.
func tempPrefix(target string) string {
	return filepath.Join(filepath.Dir(target), ".hookspan-"+sum([]byte(filepath.Base(target)))[:12]+"-")
}

func tempName(target string) string {
	random := strconv.FormatUint(rand.Uint64(), 36) // to be unlike others; O_EXCL makes it safe
	return tempPrefix(target) + strconv.Itoa(os.Getpid()) + "-" + random + ".tmp"
}

// staleAfter is how old a temporary file must be to be removed although a process has its number: they live for moments,
// and numbers are used again.
const staleAfter = time.Minute

// sweep removes the temporary files of a target whose process is gone. The caller holds the lock.
func sweep(target string) {
	prefix := filepath.Base(tempPrefix(target))
	dir := filepath.Dir(target)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), prefix)
		rest, temp := strings.CutSuffix(rest, ".tmp")
		number, _, _ := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(number)
		if !ours || !temp || err != nil || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err == nil && (!alive(pid) || time.Since(info.ModTime()) > staleAfter) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
