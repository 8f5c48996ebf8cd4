//go:build live

package session_test

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/live"
	"github.com/hookspan/hookspan/internal/state"
)

// TestAgentsObeyHooksOfOneSession shows that each agent, started by `hookspan with`, obeys a hook, and that
// afterwards nothing of its configuration has changed and nothing of ours is left.
func TestAgentsObeyHooksOfOneSession(t *testing.T) {
	hookspan := build(t)
	for _, d := range live.Drivers() {
		t.Run(d.Name, func(t *testing.T) {
			if d.Name == "gemini" && os.Geteuid() != 0 {
				t.Skip("Gemini CLI takes settings for one session from root alone")
			}
			obeys(t, hookspan, d)
		})
	}
}

// TestClaudeObeysBesideThePersonsSettings shows that the second way holds where the person's arguments
// stand in the first.
func TestClaudeObeysBesideThePersonsSettings(t *testing.T) {
	d, err := live.Lookup("claude")
	if err != nil {
		t.Fatal(err)
	}
	obeys(t, build(t), d, "--settings", `{"permissions":{"deny":["WebFetch"]}}`)
}

// obeys runs an agent once, with a hook that refuses all shell commands.
func obeys(t *testing.T, hookspan string, d *live.Driver, args ...string) {
	t.Helper()
	p := program(t, d)
	s, err := live.NewSandbox(d, live.Options{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	s.Program.Argv = []string{hookspan, "with", d.Name} // the agent itself is on the sandbox's PATH
	defer func() { _ = s.Close() }()
	manifest := "hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks: [{ command: 'echo no entry >&2; exit 2' }]\n"
	if err := s.WriteFile(filepath.Join(s.ConfigHome(), "hookspan", "hookspan.yaml"), manifest); err != nil {
		t.Fatal(err)
	}
	before, runtime := tree(t, s.Home), runtimeDir(t)
	res, err := s.Run(t.Context(), script(), live.Options{Env: []string{"XDG_RUNTIME_DIR=" + runtime}, Args: args})
	if err != nil {
		t.Fatal(err)
	}
	if _, ran := res.Files["ran.txt"]; ran || !res.Contains(1, "no entry") {
		t.Errorf("the hook was not obeyed: ran %v, the model was told %q; exit %d\n%s\n%s", ran, res.News(1), res.Exit, res.Stderr, res.Stdout)
	}
	if records(s, d.Name) == 0 {
		t.Error("the journal has no record of it")
	}
	compare(t, s, before, func() map[string]string { return control(t, d, p) })
	if left := tree(t, runtime); len(left) > 0 {
		t.Errorf("left behind: %q", slices.Collect(maps.Keys(left)))
	}
}

func script() live.Script {
	return live.Script{live.Call(live.Shell("echo ran > ran.txt")), live.Say("Done.")}
}

func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hookspan")
	cmd := exec.Command("go", "build", "-o", path, "github.com/hookspan/hookspan/cmd/hookspan")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("failed to build hookspan: %v\n%s", err, out)
	}
	return path
}

func program(t *testing.T, d *live.Driver) live.Program {
	t.Helper()
	if err := live.Available(); err != nil {
		if os.Getenv("HOOKSPAN_LIVE") == "require" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	cache, err := live.DefaultCache()
	if err != nil {
		t.Fatal(err)
	}
	p, err := cache.Program(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// runtimeDir is a folder as the system makes one at log-in; Gemini CLI wants it to be root's, and all
// above it.
func runtimeDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/run", "hookspan-live-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// tree is the text of every file below a folder, by its path.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil // gone meanwhile, or no file
		}
		text, _ := os.ReadFile(path)
		files[strings.TrimPrefix(path, root+"/")] = string(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// compare holds the home against what it was: no new file starts us, and what was there is as it was, or as
// the agent itself makes it in a run without us. Claude counts its starts in .claude.json.
func compare(t *testing.T, s *live.Sandbox, before map[string]string, control func() map[string]string) {
	t.Helper()
	after := tree(t, s.Home)
	var without map[string]string
	for path, text := range before {
		now := strings.ReplaceAll(after[path], s.Root, "ROOT")
		if now == strings.ReplaceAll(text, s.Root, "ROOT") || path == ".claude.json" {
			continue
		}
		if without == nil {
			without = control()
		}
		if now != without[path] {
			t.Errorf("%s has changed:\n%s\nand without us it is:\n%s", path, now, without[path])
		}
	}
	for path, text := range after {
		_, old := before[path]
		record := strings.HasPrefix(path, ".local/state/hookspan/") || strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".log")
		if !old && !record && strings.Contains(text, "hookspan run") {
			t.Errorf("%s is new and starts us", path)
		}
	}
}

// control is the home after the same run without us.
func control(t *testing.T, d *live.Driver, p live.Program) map[string]string {
	t.Helper()
	s, err := live.NewSandbox(d, live.Options{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if _, err := s.Run(t.Context(), script(), live.Options{}); err != nil {
		t.Fatal(err)
	}
	files := tree(t, s.Home)
	for path, text := range files {
		files[path] = strings.ReplaceAll(text, s.Root, "ROOT")
	}
	return files
}

func records(s *live.Sandbox, agent string) int {
	n := 0
	for _, err := range state.Open(filepath.Join(s.Home, ".local", "state", "hookspan")).Records(state.Filter{Agent: agent, Event: "PreToolUse"}) {
		if err == nil {
			n++
		}
	}
	return n
}
