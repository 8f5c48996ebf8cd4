//go:build live

package session_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/agent/all"
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

// TestOneSessionIsHarmless shows that `hookspan with` takes nothing from anybody: a foreign hook on every
// event that we register, in the user's own settings, fires before, in and after the session, as often as
// the event happens; ours does the same in the session alone; and the session changes nothing of the
// configuration that a session without us leaves as it is.
func TestOneSessionIsHarmless(t *testing.T) {
	hookspan := build(t)
	two := make(chan struct{}, 2) // agents at a time
	for _, d := range live.Drivers() {
		t.Run(d.Name, func(t *testing.T) {
			if d.Name == "gemini" && os.Geteuid() != 0 {
				t.Skip("Gemini CLI takes settings for one session from root alone")
			}
			t.Parallel()
			two <- struct{}{}
			defer func() { <-two }()
			harmless(t, hookspan, d)
		})
	}
}

func harmless(t *testing.T, hookspan string, d *live.Driver) {
	s, err := live.NewSandbox(d, live.Options{Program: program(t, d)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	a := all.Get(d.Name)
	setup := a.Setup()
	var events []string
	for _, r := range setup.Registers(a) {
		events = append(events, r.Native)
	}
	foreign, err := s.Witness(events)
	if err != nil {
		t.Fatal(err)
	}
	written, runtime := tree(t, s.Home), runtimeDir(t)
	run := func(when string) map[string]string {
		t.Helper()
		before := counts(t, foreign)
		_ = os.Remove(filepath.Join(s.Project, "ran.txt"))
		res, err := s.Run(t.Context(), live.OneCall(), live.Options{Env: []string{"XDG_RUNTIME_DIR=" + runtime}})
		if err != nil {
			t.Fatal(err)
		}
		if res.Exit != 0 || res.Files["ran.txt"] != "ran\n" || len(res.Requests) != 2 {
			t.Errorf("%s: the run went wrong: exit %d, %d requests\n%s\n%s", when, res.Exit, len(res.Requests), res.Stderr, res.Stdout)
		}
		if diff := counts(t, foreign).Minus(before).Difference(d.Raises()); diff != "" {
			t.Errorf("%s: the foreign hook saw %s", when, diff)
		}
		return tree(t, s.Home)
	}

	before := run("before the session")
	plain := s.Program.Argv
	s.Program.Argv = []string{hookspan, "with", d.Name} // the agent itself is on the sandbox's PATH
	within := run("in the session")
	recorded := journal(t, s)
	if diff := recorded.Difference(d.Raises()); diff != "" {
		t.Errorf("in the session: our hook recorded %s", diff)
	}
	t.Logf("recorded: %v", recorded)
	s.Program.Argv = plain
	after := run("after the session")
	if diff := journal(t, s).Difference(recorded); diff != "" {
		t.Errorf("after the session: our hook recorded %s", diff)
	}

	untouched(t, written, before, within, after)
	if left := tree(t, runtime); len(left) > 0 {
		t.Errorf("left behind: %q", slices.Collect(maps.Keys(left)))
	}
}

// untouched checks that a session with us left every file that was written by hand as it was, byte for
// byte, and changed only those members of JSON files, also of the agent's own, that the next session without
// us changed too. Other files of the agent's own, and new ones, must not start us.
func untouched(t *testing.T, written, before, within, after map[string]string) {
	t.Helper()
	for path, is := range within {
		was, old := before[path]
		_, byHand := written[path]
		if is == was || record(path) {
			continue
		}
		now, next := changes(was, is), changes(is, after[path])
		switch {
		case !old || now["all"] && !byHand:
			if strings.Contains(is, "hookspan run") && !strings.Contains(was, "hookspan run") {
				t.Errorf("%s starts us", path)
			}
		default:
			for member := range now {
				if byHand && member == "all" || !next[member] {
					t.Errorf("%s: %s was changed by the session alone:\n%s\nis now:\n%s", path, member, was, is)
				}
			}
			t.Logf("%s: changed by the agent itself: %q", path, slices.Sorted(maps.Keys(now)))
		}
	}
	for path := range before {
		_, kept := within[path]
		_, byHand := written[path]
		if !kept && byHand {
			t.Errorf("%s is gone", path)
		}
	}
}

// record reports whether a file is a journal, a log or a database of sessions, which may quote what ran, or
// a lock or a cache, which an agent writes whenever it likes.
func record(path string) bool {
	for _, dir := range []string{".local/state/hookspan/", "/cache/", "/tmp/", ".claude/plugins/store/"} {
		if strings.Contains(path, dir) {
			return true
		}
	}
	return slices.Contains([]string{".jsonl", ".log", ".db", ".sqlite", ".db-wal", ".db-shm", ".sqlite-wal", ".sqlite-shm", ".lock"}, filepath.Ext(path))
}

// ids are those of sessions, which differ from run to run.
var ids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}`)

// changes are the members, by path, in which two JSON texts differ, those that only one has among them;
// "all" where one is no JSON object, "layout" where only its spaces differ.
func changes(was, is string) map[string]bool {
	out := map[string]bool{}
	var a, b map[string]any
	if json.Unmarshal([]byte(was), &a) != nil || json.Unmarshal([]byte(is), &b) != nil {
		if was != is {
			out["all"] = true
		}
		return out
	}
	var walk func(path string, a, b map[string]any)
	walk = func(path string, a, b map[string]any) {
		keys := maps.Clone(a)
		maps.Copy(keys, b)
		for k := range keys {
			x, inA := a[k]
			y, inB := b[k]
			inner1, deep1 := x.(map[string]any)
			inner2, deep2 := y.(map[string]any)
			switch {
			case deep1 && deep2:
				walk(path+"/"+k, inner1, inner2)
			case inA != inB || !reflect.DeepEqual(x, y):
				out[ids.ReplaceAllString(path+"/"+k, "ID")] = true
			}
		}
	}
	walk("", a, b)
	if len(out) == 0 && was != is {
		out["layout"] = true
	}
	return out
}

func counts(t *testing.T, foreign *live.Witness) live.Counts {
	t.Helper()
	c, err := foreign.Counts()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// journal is how often each event was recorded, and fails where one was twice or with an error.
func journal(t *testing.T, s *live.Sandbox) live.Counts {
	t.Helper()
	out, once := live.Counts{}, live.Counts{}
	for r, err := range state.Open(filepath.Join(s.Home, ".local", "state", "hookspan")).Records(state.Filter{Agent: s.Driver.Name}) {
		switch {
		case err != nil:
			t.Error(err)
			continue
		case r.Repeat || r.Error != "":
			t.Errorf("recorded as a repetition or a failure: %s", r.Line)
		}
		out[r.Native]++
		if r.Event == "" { // Qwen's UserPromptSubmit after a tool
			continue
		}
		if once[r.Event]++; once[r.Event] > 1 {
			t.Errorf("%s was recorded again: %s", r.Event, r.Line)
		}
	}
	return out
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
	return live.OneCall()
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
// the agent itself makes it in a run without us. Of .claude.json, which holds times and ids, the members that
// change must be the same.
func compare(t *testing.T, s *live.Sandbox, before map[string]string, control func() map[string]string) {
	t.Helper()
	after := tree(t, s.Home)
	var without map[string]string
	for path, text := range before {
		now := strings.ReplaceAll(after[path], s.Root, "ROOT")
		if now == strings.ReplaceAll(text, s.Root, "ROOT") {
			continue
		}
		if without == nil {
			without = control()
		}
		was := strings.ReplaceAll(text, s.Root, "ROOT")
		if path == ".claude.json" && maps.Equal(changes(was, now), changes(was, without[path])) {
			continue
		}
		if now != without[path] {
			t.Errorf("%s has changed:\n%s\nand without us it is:\n%s", path, now, without[path])
		}
	}
	for path, text := range after {
		_, old := before[path]
		if !old && !record(path) && strings.Contains(text, "hookspan run") {
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
