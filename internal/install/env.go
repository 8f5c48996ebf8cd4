package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/state"
)

// Env is the machine as an install sees it.
type Env struct {
	Get     func(string) string // looks a variable up
	OS      string              // as runtime.GOOS says it
	Home    string
	Dir     string // where the command was called
	Project string // the root of the checkout that Dir lies in, else Dir
	State   string // hookspan's state folder
	Program string // what is registered at user scope: the absolute path of this program
}

// Here returns the machine that this process runs on.
func Here() (Env, error) {
	e := Env{Get: os.Getenv, OS: runtime.GOOS}
	var err error
	if e.Home, err = os.UserHomeDir(); err != nil || !filepath.IsAbs(e.Home) {
		return e, errors.New("failed to find the home folder: set HOME to an absolute path")
	}
	e.Home = filepath.Clean(e.Home)
	if e.Dir, err = os.Getwd(); err != nil {
		return e, fmt.Errorf("failed to find the current folder: %w", err)
	}
	e.Project = Root(e.Dir)
	if e.State, err = state.Dir(e.Get); err != nil {
		return e, err
	}
	e.Program, err = e.program()
	return e, err
}

// Root returns the checkout that a folder lies in: the nearest folder with a .git, a folder or (in
// worktrees and submodules) a file; else the folder itself.
func Root(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if filepath.Dir(at) == at {
			return dir
		}
	}
}

// program finds the path by which agents shall start this program. Where a name on PATH is a link to it,
// that name is taken: package managers keep it and change the versioned path behind it.
func (e Env) program() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("failed to find the path of this program: %w", err)
	}
	real, err := filepath.EvalSymlinks(exe)
	if err != nil {
		return "", fmt.Errorf("failed to find the path of this program: %w", err)
	}
	name := "hookspan"
	if e.OS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(e.Get("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		at := filepath.Join(dir, name)
		if to, err := filepath.EvalSymlinks(at); err == nil && to == real {
			exe = at
			break
		}
	}
	if filepath.Base(exe) != name {
		return "", fmt.Errorf("this program is called %s: entries in settings are known by the name %s, so rename it or link to it from a folder on PATH", filepath.Base(exe), name)
	}
	return exe, nil
}

// Path expands a path of the tables: ~, {project}, ${VAR:-default}. A blank variable counts as unset.
func (e Env) Path(pattern string) (string, error) {
	path := strings.ReplaceAll(pattern, "{project}", e.Project)
	if rest, ok := strings.CutPrefix(path, "${"); ok {
		inner, tail, _ := strings.Cut(rest, "}")
		name, otherwise, _ := strings.Cut(inner, ":-")
		value := e.Get(name)
		if strings.TrimSpace(value) == "" {
			value = otherwise
		} else if strings.HasPrefix(value, "~") {
			return "", fmt.Errorf("failed to find the folder that %s names: %q begins with a tilde, which no program expands; write the whole path", name, value)
		}
		path = value + tail
	}
	if path == "~" || strings.HasPrefix(path, "~/") {
		path = e.Home + path[1:]
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.Dir, path)
	}
	return filepath.Clean(path), nil
}

// Shown is a path for people: below the home with a tilde.
func (e Env) Shown(path string) string {
	if rest, ok := strings.CutPrefix(path, e.Home+string(filepath.Separator)); ok {
		return "~/" + filepath.ToSlash(rest)
	}
	return path
}

// Uses tells why an agent counts as used on this machine: its folder or its program is there. "" = it
// is not used.
func (e Env) Uses(s *agent.Setup) string {
	if dir, err := e.Path(s.Home); err == nil {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return e.Shown(dir)
		}
	}
	return e.find(s.Program)
}

// find returns where a program stands on PATH, "" if nowhere.
func (e Env) find(name string) string {
	names := []string{name}
	if e.OS == "windows" {
		names = []string{name + ".exe", name + ".cmd", name + ".bat", name + ".ps1"}
	}
	for _, dir := range filepath.SplitList(e.Get("PATH")) {
		for _, n := range names {
			at := filepath.Join(dir, n)
			info, err := os.Stat(at)
			if filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && (e.OS == "windows" || info.Mode()&0o111 != 0) {
				return at
			}
		}
	}
	return ""
}
