package handler

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// resolve says what to start: the words, and the file of the first one.
func (c Command) resolve() (argv []string, path string, err error) {
	if c.Shell != "" {
		return c.shell()
	}
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return nil, "", errors.New("it names no program")
	}
	name := c.Argv[0]
	if c.Dir != "" && strings.ContainsAny(name, `/\`) && !filepath.IsAbs(name) {
		name = filepath.Join(c.Dir, name)
	}
	// LookPath adds an extension, and refuses a program of the working folder.
	path, err = exec.LookPath(name)
	if err != nil {
		return nil, "", fmt.Errorf("there is no program %s", name)
	}
	return c.Argv, path, nil
}

// shell is the sh that comes with Git, else PowerShell. The sh.exe of the Windows folder would be
// that of WSL, which has other paths.
func (c Command) shell() (argv []string, path string, err error) {
	if sh := c.gitShell(); sh != "" {
		return []string{"sh", "-c", c.Shell}, sh, nil
	}
	for _, name := range []string{"pwsh.exe", "powershell.exe"} {
		if path, err = exec.LookPath(name); err == nil {
			return []string{name, "-NoProfile", "-NonInteractive", "-Command", c.Shell}, path, nil
		}
	}
	return nil, "", errors.New("there is no shell: neither Git's sh nor PowerShell is installed")
}

func (c Command) gitShell() string {
	var roots []string
	if git, err := exec.LookPath("git.exe"); err == nil {
		roots = append(roots, filepath.Dir(filepath.Dir(git))) // …\Git\cmd\git.exe
	}
	for _, name := range []string{"ProgramFiles", "ProgramW6432", "LocalAppData"} {
		if dir := c.lookEnv(name); dir != "" {
			roots = append(roots, filepath.Join(dir, "Git"), filepath.Join(dir, "Programs", "Git"))
		}
	}
	for _, root := range roots {
		for _, sub := range []string{`bin\sh.exe`, `usr\bin\sh.exe`} {
			path := filepath.Join(root, sub)
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				return path
			}
		}
	}
	return ""
}

// startError says in plain words why a program could not be started.
func startError(path, dir string, err error) error {
	if dir != "" {
		if info, statErr := os.Stat(dir); statErr != nil || !info.IsDir() {
			return fmt.Errorf("the working folder %s does not exist", dir)
		}
	}
	return fmt.Errorf("failed to start %s: %w", path, err)
}
