package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookspan/hookspan/internal/fakemodel"
)

// modelPort is where the scripted model listens inside a namespace of its own, where every port is free.
const modelPort = 8787

// Sandbox is a throw-away home and project in which one agent is configured to talk to the scripted
// model. It may be used for several runs, one after the other. Close removes it.
type Sandbox struct {
	Driver  *Driver
	Program Program
	Root    string // everything below is removed by Close
	Home    string
	Project string // a git repository with one commit
	URL     string // of the scripted model, without a path
	Model   string // the model id that the agent is told to use

	port    int
	network bool
}

// NewSandbox makes a home and a project and configures the agent in it. Only Program, Network and Model of
// the options count here.
func NewSandbox(d *Driver, opts Options) (*Sandbox, error) {
	if len(opts.Program.Argv) == 0 {
		return nil, fmt.Errorf("failed to make a sandbox for %s: no program given; see Cache.Program and Installed", d.Title)
	}
	root, err := os.MkdirTemp("", "hookspan-live-")
	if err != nil {
		return nil, fmt.Errorf("failed to make a sandbox: %w", err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, fmt.Errorf("failed to make a sandbox: %w", err)
	}
	s := &Sandbox{Driver: d, Program: opts.Program, Root: root, Home: filepath.Join(root, "home"),
		Project: filepath.Join(root, "home", "shop"), Model: opts.Model, port: modelPort, network: opts.Network}
	if s.Model == "" {
		s.Model = d.Model
	}
	if err := s.fill(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Sandbox) fill() error {
	if s.network {
		port, err := freePort()
		if err != nil {
			return err
		}
		s.port = port
	}
	s.URL = fmt.Sprintf("http://127.0.0.1:%d", s.port)
	for _, dir := range []string{s.Project, s.tmp(), filepath.Join(s.Home, ".config")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("failed to make a sandbox: %w", err)
		}
	}
	if err := s.WriteFile(filepath.Join(s.Project, "README.md"), "# shop\n"); err != nil {
		return err
	}
	if err := s.WriteFile(filepath.Join(s.bin(), s.Driver.Command), s.launcher()); err != nil {
		return err
	}
	if err := s.git("init", "-q", "-b", "main"); err != nil {
		return err
	}
	if err := s.git("add", "-A"); err != nil {
		return err
	}
	if err := s.git("-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "-qm", "start"); err != nil {
		return err
	}
	return s.Driver.Configure(s)
}

func (s *Sandbox) git(args ...string) error {
	cmd := exec.Command("git", args...)
	// The same commit in every sandbox: agents tell its id to the model.
	const when = "2026-01-01T00:00:00Z"
	cmd.Dir, cmd.Env = s.Project, append(s.base(), "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("failed to make the sandbox's repository: git %s: %w: %s", args[0], err, out)
	}
	return nil
}

// Close removes the sandbox with everything in it.
func (s *Sandbox) Close() error {
	err := os.RemoveAll(s.Root)
	if err == nil {
		return nil
	}
	// Some caches are made read-only by those who fill them.
	_ = filepath.WalkDir(s.Root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	if err := os.RemoveAll(s.Root); err != nil {
		return fmt.Errorf("failed to remove the sandbox; remove %s by hand: %w", s.Root, err)
	}
	return nil
}

func (s *Sandbox) tmp() string { return filepath.Join(s.Root, "tmp") }

// bin is a folder on PATH that holds the agent under the name that users type.
func (s *Sandbox) bin() string { return filepath.Join(s.Root, "bin") }

// launcher starts the program.
func (s *Sandbox) launcher() string {
	var words []string
	for _, w := range s.Program.Argv {
		words = append(words, Quote(w))
	}
	return "#!/bin/sh\nexec " + strings.Join(words, " ") + " \"$@\"\n"
}

// ConfigHome is the sandbox's $XDG_CONFIG_HOME.
func (s *Sandbox) ConfigHome() string { return filepath.Join(s.Home, ".config") }

// base is the environment of everything that runs in the sandbox, made from nothing.
func (s *Sandbox) base() []string {
	return []string{
		"PATH=" + s.path(),
		"HOME=" + s.Home,
		"USER=dev", "LOGNAME=dev", "SHELL=/bin/sh", "TERM=xterm-256color", "LANG=C.UTF-8",
		"TMPDIR=" + s.tmp(),
		"XDG_CONFIG_HOME=" + s.ConfigHome(),
		"XDG_STATE_HOME=" + filepath.Join(s.Home, ".local", "state"),
		"XDG_DATA_HOME=" + filepath.Join(s.Home, ".local", "share"),
		"XDG_CACHE_HOME=" + filepath.Join(s.Home, ".cache"),
		"GIT_CONFIG_NOSYSTEM=1",
	}
}

// path is the agent's PATH: what it needs of its own, the tools that it starts, the system's folders.
func (s *Sandbox) path() string {
	dirs := append([]string{s.bin()}, s.Program.Path...)
	for _, tool := range []string{"git", "sh"} {
		if p, err := exec.LookPath(tool); err == nil {
			dirs = append(dirs, filepath.Dir(p))
		}
	}
	dirs = append(dirs, "/usr/local/bin", "/usr/bin", "/bin")
	var out []string
	for _, d := range dirs {
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return strings.Join(out, string(os.PathListSeparator))
}

// Environ is the agent's whole environment; an installer that is to find the agent's files must run in it.
func (s *Sandbox) Environ() []string { return append(s.base(), s.Driver.Environ(s)...) }

// Register registers a hook with the agent, at user scope, as its documentation says.
func (s *Sandbox) Register(r Registration) error {
	if err := s.Driver.check(r); err != nil {
		return err
	}
	if err := s.Driver.Register(s, r); err != nil {
		return fmt.Errorf("failed to register with %s: %w", s.Driver.Title, err)
	}
	return nil
}

// WriteFile writes a file in the sandbox and the folders above it. Scripts (".sh") are executable.
func (s *Sandbox) WriteFile(path, content string) error {
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.Home, path)
	}
	if rel, err := filepath.Rel(s.Root, path); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("failed to write %s: it is not in the sandbox %s", path, s.Root)
	}
	mode := fs.FileMode(0o600)
	if strings.HasSuffix(path, ".sh") || filepath.Dir(path) == s.bin() {
		mode = 0o700
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("failed to write %s: %w", path, err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		return fmt.Errorf("failed to write %s: %w", path, err)
	}
	return nil
}

// writeJSON writes v as a file.
func (s *Sandbox) writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("failed to write %s: %w", path, err)
	}
	return s.WriteFile(path, string(text)+"\n")
}

// setJSON sets one member of a JSON file, which may be missing, and keeps the others.
func (s *Sandbox) setJSON(path, key string, v any) error {
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.Home, path)
	}
	doc := object{}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("failed to read %s: %w", path, err)
	}
	doc[key] = v
	return s.writeJSON(path, doc)
}

// inProject makes an action's path absolute.
func (s *Sandbox) inProject(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.Project, path)
}

// tool translates for the scripted model.
func (s *Sandbox) tool(a Action) (fakemodel.ToolCall, error) { return s.Driver.Tool(s, a) }

// maxFile bounds what Files reads of one file, in bytes.
const maxFile = 1 << 20

// Files are the project's files, by path relative to it, without .git.
func (s *Sandbox) Files() (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(s.Project, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == ".git":
			return filepath.SkipDir
		case !e.Type().IsRegular():
			return nil
		}
		info, err := e.Info()
		if err != nil || info.Size() > maxFile {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(s.Project, path)
		out[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("failed to look at the project after the run: %w", err)
	}
	return out, nil
}
