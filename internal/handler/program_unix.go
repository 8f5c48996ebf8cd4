//go:build unix

package handler

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const shellPath = "/bin/sh"

// resolve says what to start: the words, and the file of the first one.
func (c Command) resolve() (argv []string, path string, err error) {
	if c.Shell != "" {
		return []string{"sh", "-c", c.Shell}, shellPath, nil
	}
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return nil, "", errors.New("it names no program")
	}
	if strings.Contains(c.Argv[0], "/") {
		return c.Argv, c.Argv[0], nil // a relative one is looked for in Dir
	}
	path, err = c.onPath(c.Argv[0])
	return c.Argv, path, err
}

// onPath looks a program up in the PATH that it will get. Relative entries are skipped: they would
// find programs that a repository brought along.
func (c Command) onPath(name string) (string, error) {
	for dir := range strings.SplitSeq(c.lookEnv("PATH"), ":") {
		if !filepath.IsAbs(dir) {
			continue
		}
		path := dir + "/" + name
		if info, err := os.Stat(path); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no program %s on PATH", name)
}

// startError says in plain words why a program could not be started.
func startError(path, dir string, err error) error {
	if dir != "" {
		if info, statErr := os.Stat(dir); statErr != nil || !info.IsDir() {
			return fmt.Errorf("the working folder %s does not exist", dir)
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
	}
	info, statErr := os.Stat(path)
	switch {
	case errors.Is(statErr, os.ErrNotExist):
		return fmt.Errorf("%s does not exist", path)
	case statErr == nil && info.IsDir():
		return fmt.Errorf("%s is a folder, not a program", path)
	case errors.Is(err, syscall.EACCES) && statErr == nil && info.Mode()&0o111 == 0:
		return fmt.Errorf("%s is not executable (chmod +x %s)", path, path)
	case errors.Is(err, syscall.ENOENT):
		return fmt.Errorf("%s names an interpreter in its first line that does not exist", path)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%s is not a program: a script wants a first line such as #!/bin/sh", path)
	}
	var cause syscall.Errno
	if errors.As(err, &cause) {
		return fmt.Errorf("failed to start %s: %w", path, cause)
	}
	return fmt.Errorf("failed to start %s: %w", path, err)
}
