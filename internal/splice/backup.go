package splice

import (
	"os"
	"path/filepath"
	"slices"
	"time"
)

// backupsKept is how many copies of one file are kept.
const backupsKept = 5

// backup copies a file, as it was read, into the state folder. Names hold a hash of the target's path and the time.
func (w *writer) backup(f File) (path string, err error) {
	dir := filepath.Join(w.State, "backups")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", f.fault("failed to make the folder for backups "+dir, err)
	}
	prefix := BackupPrefix(f.Target)
	path = filepath.Join(dir, prefix+time.Now().UTC().Format("20060102T150405.000000000"))
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", f.fault("failed to write the backup "+path, err)
	}
	_, err = out.Write(f.Bytes)
	if synced := out.Sync(); err == nil {
		err = synced
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(path)
		return "", f.fault("failed to write the backup "+path, err)
	}
	thin(dir, prefix)
	return path, nil
}

// BackupPrefix is what the names of a file's backups begin with; the time follows, so that they sort by age.
func BackupPrefix(target string) string { return sum([]byte(target))[:16] + "-" }

// thin removes the oldest copies of a file.
func thin(dir, prefix string) {
	copies, _ := filepath.Glob(filepath.Join(dir, prefix+"*"))
	slices.Sort(copies)
	for _, old := range copies[:max(0, len(copies)-backupsKept)] {
		_ = os.Remove(old)
	}
}
