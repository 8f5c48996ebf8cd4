package run

import (
	"io/fs"
	"path/filepath"
	"time"

	"github.com/hookspan/hookspan/hook"
)

// maxLooked bounds how many files are looked at; a project with more counts as changed.
const maxLooked = 20_000

// changedSince reports whether a file of the event's project was written after a moment. What
// cannot be looked at counts as changed: a gate then runs once more, which its own limit ends.
func changedSince(ev hook.Event, since time.Time) bool {
	dir := ev.Project
	if dir == "" {
		dir = ev.Cwd
	}
	if dir == "" || since.IsZero() {
		return true
	}
	changed, looked := false, 0
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") && path != dir {
			return filepath.SkipDir
		}
		looked++
		info, err := d.Info()
		if looked > maxLooked || err == nil && !d.IsDir() && info.ModTime().After(since) {
			changed = true
			return filepath.SkipAll
		}
		return nil
	})
	return changed
}
