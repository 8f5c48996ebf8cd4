package manifest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/hookspan/hookspan/internal/regular"
)

// FileNames are the names of a manifest, in the order in which they win. hookspan.yaml is the one to
// write; the others are read so that a habit is no dead hook.
func FileNames() []string { return []string{"hookspan.yaml", "hookspan.yml", "hookspan.json"} }

// Find returns the manifest that is nearest to a folder, between it and the git root: the one that
// whoever works there means. There is none or one. A run asks FindAll.
//
// Without a git root only the folder itself is searched: a folder above it, such as /tmp, may be
// anybody's. What is no regular file is passed over. The folder must be absolute.
func Find(project string) []string {
	all := findAll(project, os.Stat)
	return all[:min(len(all), 1)]
}

// FindAll returns the manifests that count in a folder: one of each folder from the git root down to
// it, the outermost first. All of them, since a manifest in a sub-folder must not switch off the guards
// of the project that it lies in.
func FindAll(project string) []string {
	var list []string
	last := ""
	for _, path := range findAll(project, os.Stat) {
		if dir := filepath.Dir(path); dir != last {
			list, last = append(list, path), dir
		}
	}
	slices.Reverse(list)
	return list
}

// findAll lists the manifests between a folder and its git root, nearest first.
func findAll(project string, stat func(string) (fs.FileInfo, error)) []string {
	if !filepath.IsAbs(project) {
		return nil
	}
	var found []string
	own := -1 // how many lie in the project's folder itself
	for dir := filepath.Clean(project); ; dir = filepath.Dir(dir) {
		found = append(found, inFolder(dir, stat)...)
		if own < 0 {
			own = len(found)
		}
		if _, err := stat(filepath.Join(dir, ".git")); err == nil {
			return found
		}
		if filepath.Dir(dir) == dir {
			return found[:own]
		}
	}
}

func inFolder(dir string, stat func(string) (fs.FileInfo, error)) []string {
	var found []string
	for _, name := range FileNames() {
		path := filepath.Join(dir, name)
		if info, err := stat(path); err == nil && info.Mode().IsRegular() {
			found = append(found, path)
		}
	}
	return found
}

// UserPath returns where the user's manifest stands: $XDG_CONFIG_HOME/hookspan/hookspan.yaml, else in
// ~/.config, on Windows in %APPDATA%. "" if no variable tells a folder. A relative XDG_CONFIG_HOME is
// ignored, as the XDG specification wants. env is os.Getenv.
func UserPath(env func(string) string) string { return userPath(runtime.GOOS, env) }

func userPath(goos string, env func(string) string) string {
	dir := env("XDG_CONFIG_HOME")
	switch {
	case filepath.IsAbs(dir):
	case goos == "windows":
		dir = env("APPDATA")
	case env("HOME") != "":
		dir = filepath.Join(env("HOME"), ".config")
	default:
		dir = ""
	}
	if dir == "" || !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(dir, "hookspan", "hookspan.yaml")
}

// ErrNotRegular is returned by Read for folders, pipes and devices.
var ErrNotRegular = errors.New("not a regular file")

// Read reads a manifest's bytes once, for hashing and parsing alike. It never reads more than MaxSize
// bytes and one: what is larger, Parse refuses.
func Read(path string) ([]byte, error) {
	f, err := regular.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("failed to read the manifest: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("failed to read the manifest: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("failed to read the manifest %s: %w", path, ErrNotRegular)
	}
	b := make([]byte, min(info.Size(), MaxSize)+1) // one more, to see that it is too large or grows
	n, err := io.ReadFull(f, b)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("failed to read the manifest: %w", err)
	}
	return b[:n], nil
}
