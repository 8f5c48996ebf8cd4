//go:build live

package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/agent/all"
)

// TestInstallIsHarmless shows, with the real agent, that installing and uninstalling takes nothing from
// anybody: a foreign hook on every event that we register fires before, between and after, as often as the
// event happens; ours does the same, and only between; and the configuration comes back byte for byte.
func TestInstallIsHarmless(t *testing.T) {
	hookspan := hookspanProgram(t)
	two := make(chan struct{}, 2) // agents at a time
	for _, d := range Drivers() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			two <- struct{}{}
			defer func() { <-two }()
			harmless(t, d, hookspan)
		})
	}
}

func harmless(t *testing.T, d *Driver, hookspan string) {
	s, err := NewSandbox(d, Options{Program: program(t, d)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	foreign, err := s.Witness(registered(d))
	if err != nil {
		t.Fatal(err)
	}
	ours := writeManifest(t, s)
	written := snapshot(t, s)

	driven(t, s, "before the install", foreign)
	before := snapshot(t, s)

	reported := change(t, s, hookspan, "install")
	if len(reported) == 0 {
		t.Fatal("install reports no file")
	}
	driven(t, s, "while installed", foreign)
	checkJournal(t, d, journalOf(t, s))
	checkCount(t, ours, "while installed")
	journal := journalOf(t, s)

	reported = append(reported, change(t, s, hookspan, "uninstall")...)
	checkRestored(t, s, written, before, snapshot(t, s), reported)
	driven(t, s, "after the uninstall", foreign)
	checkCount(t, ours, "after the uninstall")
	if after := journalOf(t, s); !bytes.Equal(journal, after) {
		t.Errorf("after the uninstall the journal still grows: %s", bytes.TrimPrefix(after, journal))
	}
}

// registered are the native events that install registers.
func registered(d *Driver) []string {
	a := all.Get(d.Name)
	setup := a.Setup()
	var events []string
	for _, r := range setup.Registers(a) {
		events = append(events, r.Native)
	}
	return events
}

// counts are how often the foreign hook has fired so far.
func counts(t *testing.T, foreign *Witness) Counts {
	t.Helper()
	c, err := foreign.Counts()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// writeManifest makes the user's manifest with one handler that only counts.
func writeManifest(t *testing.T, s *Sandbox) *Tally {
	t.Helper()
	ours, err := s.Tally("ours", "")
	if err != nil {
		t.Fatal(err)
	}
	handler := object{"type": "command", "name": "count", "command": ours.Command("ours")}
	manifest := object{"hooks": object{"PreToolUse": []any{object{"matcher": "Bash", "hooks": []any{handler}}}}}
	if err := s.writeJSON(filepath.Join(s.ConfigHome(), "hookspan", "hookspan.yaml"), manifest); err != nil {
		t.Fatal(err)
	}
	return ours
}

// driven runs one shell call and checks that the foreign hook fired once for each event.
func driven(t *testing.T, s *Sandbox, when string, foreign *Witness) {
	t.Helper()
	ran := filepath.Join(s.Project, "ran.txt")
	if err := os.RemoveAll(ran); err != nil {
		t.Fatal(err)
	}
	before := counts(t, foreign)
	res, err := s.Run(t.Context(), OneCall(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: exit %d after %.1f s, %d requests", when, res.Exit, res.Took.Seconds(), len(res.Requests))
	if res.Exit != 0 || res.Files["ran.txt"] != "ran\n" || len(res.Requests) != 2 {
		t.Errorf("%s: the run went wrong: %s", when, short(res.Stderr+"\n"+res.Stdout))
	}
	if diff := counts(t, foreign).Minus(before).Difference(s.Driver.Raises()); diff != "" {
		t.Errorf("%s: the foreign hook saw %s", when, diff)
	}
}

// change installs or uninstalls and returns the files that it says it has changed.
func change(t *testing.T, s *Sandbox, hookspan, verb string) []string {
	t.Helper()
	argv := []string{hookspan, verb, "--agent", s.Driver.Name, "--json"}
	if verb == "install" && s.Driver.Name == "codex" {
		argv = append(argv, "--trust")
	}
	out, err := s.Exec(t.Context(), argv...)
	if err != nil && !(strings.Contains(err.Error(), "exit code 1:") && strings.Contains(err.Error(), "trust")) {
		t.Fatal(err)
	}
	if err != nil {
		t.Log(err)
	}
	var agents []struct {
		Files []struct {
			Path    string
			Changed bool
		}
	}
	if err := json.Unmarshal([]byte(out), &agents); err != nil {
		t.Fatalf("%s --json printed %q: %v", verb, out, err)
	}
	var list []string
	for _, a := range agents {
		for _, f := range a.Files {
			if f.Changed {
				list = append(list, f.Path)
			}
		}
	}
	t.Logf("%s: %s", verb, strings.Join(list, " "))
	return list
}

func checkCount(t *testing.T, ours *Tally, when string) {
	t.Helper()
	if n, err := ours.Count("ours"); n != 1 || err != nil {
		t.Errorf("%s: our handler has run %d times in all, not once (%v)", when, n, err)
	}
}

// journalOf is the whole journal, "" if there is none.
func journalOf(t *testing.T, s *Sandbox) []byte {
	t.Helper()
	segments, err := filepath.Glob(filepath.Join(s.stateHome(), "journal", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, path := range segments {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	return all
}

func (s *Sandbox) stateHome() string { return filepath.Join(s.Home, ".local", "state", "hookspan") }

// checkJournal checks that each event was recorded once for each time that it happened, once under its
// common name, and each tool call with a key of its own.
func checkJournal(t *testing.T, d *Driver, journal []byte) {
	t.Helper()
	events, once := Counts{}, Counts{}
	for line := range bytes.Lines(journal) {
		var r struct {
			Event, Call, Error string
			Native             string `json:"native_event"`
			Repeat             bool
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("the journal holds %q: %v", line, err)
		}
		if r.Repeat || r.Error != "" {
			t.Errorf("recorded as a repetition or a failure: %s", line)
		}
		events[r.Native]++
		if r.Call != "" {
			once[r.Event+" "+r.Native+" "+r.Call]++
		}
		if r.Event != "" { // none for Qwen's UserPromptSubmit after a tool
			once[r.Event]++
		}
	}
	t.Logf("recorded: %v", events)
	for what, n := range once {
		if n != 1 {
			t.Errorf("%s was recorded %d times", what, n)
		}
	}
	if diff := events.Difference(d.Raises()); diff != "" {
		t.Errorf("while installed: our hook recorded %s", diff)
	}
	if t.Failed() {
		t.Logf("the journal: %s", journal)
	}
}

// snapshot holds the mode and the bytes of every file and the folders of the home, without the project and
// what hookspan remembers.
func snapshot(t *testing.T, s *Sandbox) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(s.Home, func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // an agent's own passing file
		case err != nil:
			return err
		case path == s.Project || path == s.stateHome():
			return filepath.SkipDir
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		var text []byte
		if info.Mode().IsRegular() && info.Size() <= maxFile {
			if text, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		out[path] = info.Mode().String() + "\n" + string(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// checkRestored compares what is not the agent's own to write: files that its first run left as they were
// written, files that install reports, and what is new where hooks live.
func checkRestored(t *testing.T, s *Sandbox, written, before, after map[string]string, reported []string) {
	t.Helper()
	slices.Sort(reported)
	reported = slices.Compact(reported)
	for path, was := range before {
		own := written[path] != was && !slices.Contains(reported, path)
		if is, there := after[path]; !own && is != was {
			t.Errorf("%s is not as it was (still there: %v): was %q, is %q", path, there, difference(was, is), difference(is, was))
		}
	}
	folders := map[string]bool{}
	for _, path := range reported {
		folders[filepath.Dir(path)] = true
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if _, known := before[path]; known {
			continue
		}
		above := filepath.Dir(path)
		hooks := folders[above] || folders[path] || slices.Contains([]string{"hooks", "plugins", "plugin", "extensions"}, filepath.Base(above))
		if hooks || strings.Contains(filepath.Base(path), "hookspan") {
			t.Errorf("left over: %s: %s", path, short(after[path]))
		}
	}
}
