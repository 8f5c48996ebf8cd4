package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/live"
)

// newDemo is a demo on whose machine no agent can be driven.
func newDemo(t *testing.T) *demo {
	t.Helper()
	return &demo{dir: t.TempDir(), recordings: os.DirFS(filepath.Join("..", "internal", "agent")), cannot: errors.New("there is no npm")}
}

// Every agent answers every proof from its recordings, and the table says that it was not driven.
func TestEveryRecordedRowIsComplete(t *testing.T) {
	x := newDemo(t)
	var rows []row
	for _, d := range live.Drivers() {
		r := x.row(t.Context(), d)
		rows = append(rows, r)
		if r.level != "recorded" || r.version != d.Version || len(r.faults) > 0 {
			t.Errorf("%s: level %q, version %q, faults %q", d.Name, r.level, r.version, r.faults)
		}
		for _, p := range proofs {
			if want := word(d, p.name); r.marks[p.name] != want {
				t.Errorf("%s, %s: %q, want %q", d.Name, p.name, r.marks[p.name], want)
			}
		}
	}
	var out strings.Builder
	if code := show(&out, rows); code != 0 {
		t.Errorf("exit code %d:\n%s", code, out.String())
	}
	holds(t, out.String(), "Not driven: Claude Code, Codex, Gemini CLI, OpenCode, Copilot CLI, Factory Droid, Qwen Code, Pi: there is no npm\n",
		"what the agent is told, not what it does then. 40 of 40 answers are right.\n")
}

// What is run was sent by the agent itself, byte for byte, in the event and of the tool that the proof wants.
func TestRecordingsAreWhatAnAgentSent(t *testing.T) {
	x := newDemo(t)
	for _, d := range live.Drivers() {
		list, err := recordingsOf(x.recordings, all.Get(d.Name))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range replays() {
			rec, ok := pick(list, d.Version, p.fits)
			if !ok || !inTestdata(t, d, rec) {
				t.Errorf("%s, %s: found %v, version %q: %s", d.Name, p.name, ok, rec.version, rec.payload)
			}
		}
	}
}

func inTestdata(t *testing.T, d *live.Driver, rec recording) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "internal", "agent", d.Name, "testdata", rec.version, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(text), string(rec.payload)) && strings.Contains(string(text), `"provenance": "live"`)
	})
}

// A payload that was written from documents is no recording.
func TestDocumentsAreNoRecordings(t *testing.T) {
	list, err := recordingsOf(newDemo(t).recordings, all.Get("antigravity"))
	if err != nil || len(list) != 0 {
		t.Errorf("%d recordings of an agent that was never run (%v)", len(list), err)
	}
}

func TestPickPrefersThePlainCase(t *testing.T) {
	list := []recording{
		{version: "1", ev: hook.Event{Name: hook.Stop}},
		{version: "2", ev: hook.Event{Name: hook.Stop, Sub: &hook.Subagent{}}},
		{version: "2", ev: hook.Event{Name: hook.Stop, StopActive: true}},
	}
	if r, ok := pick(list, "2", stop); !ok || !r.ev.StopActive {
		t.Errorf("picked %+v", r)
	}
	if r, ok := pick(list, "1", stop); !ok || r.version != "1" {
		t.Errorf("picked %+v", r)
	}
	if _, ok := pick(list, "1", edited); ok {
		t.Error("a stop is no edit")
	}
}

// One agent that cannot be installed falls back alone, and the others stay what they are.
func TestOneAgentFallsBackAlone(t *testing.T) {
	x := newDemo(t)
	x.cannot = nil
	x.install = func(_ context.Context, d *live.Driver) (live.Program, error) {
		if d.Name == "pi" {
			return live.Program{}, errors.New("the registry is away")
		}
		return live.Program{}, nil
	}
	x.drive = func(_ context.Context, d *live.Driver, _ live.Program) (row, error) {
		if d.Name == "codex" {
			return row{}, errors.New("it ran and broke")
		}
		return row{title: d.Title, level: "live"}, nil
	}
	var rows []row
	for _, name := range []string{"claude", "codex", "pi"} {
		d, err := live.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, x.row(t.Context(), d))
	}
	if rows[0].level != "live" || rows[1].level != "failed" || rows[2].level != "recorded" || rows[2].marks["deny"] != "yes" {
		t.Errorf("%+v", rows)
	}
	var out strings.Builder
	if code := show(&out, rows); code != 1 {
		t.Errorf("exit code %d although a driven agent broke", code)
	}
	holds(t, out.String(), "Codex: it ran and broke\n", "Not driven: Pi: the registry is away\n", "5 of 5 answers are right.\n")
	if strings.Contains(out.String(), "Not driven: Codex") {
		t.Errorf("a failed drive was taken for a missing agent:\n%s", out.String())
	}
}

// A wrong answer is a NO, an exit code of 1, and is not counted as right.
func TestAWrongAnswerIsSaid(t *testing.T) {
	x := newDemo(t)
	d, _ := live.Lookup("claude")
	r := x.row(t.Context(), d)
	rec := recording{version: "1", payload: []byte(`{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Read","tool_input":{}}`)}
	mark, fault := x.replay(t.Context(), d, replays()[0], rec)
	if mark != "NO" || fault == "" {
		t.Fatalf("a call that no handler denies: %q %q", mark, fault)
	}
	r.marks["deny"], r.marks["gate"] = mark+" (1)", noRecording
	r.faults = append(r.faults, fault)
	var out strings.Builder
	if code := show(&out, []row{r}); code != 1 {
		t.Errorf("exit code %d", code)
	}
	holds(t, out.String(), "NO (1)", "no recording", "3 of 4 answers are right.\n", "Claude Code: the answer to a recorded payload of 1 was")
}

// What an agent was never seen to send is said in the cell, and so is another version than the pinned one.
func TestWhatWasNotRecordedIsSaid(t *testing.T) {
	x := newDemo(t)
	x.recordings = fstest.MapFS{"claude/testdata/1.0/a.json": {Data: []byte(`{"agent_version":"1.0","event":"Stop","provenance":"live",
		"stdin":{"session_id":"s","transcript_path":"/t","cwd":"/nowhere","hook_event_name":"Stop","stop_hook_active":false}}`)}}
	d, _ := live.Lookup("claude")
	r := x.row(t.Context(), d)
	if r.marks["gate"] != "yes (1.0)" || r.marks["deny"] != noRecording || r.marks["file"] != noRecording || len(r.faults) > 0 {
		t.Errorf("%+v", r)
	}
	if ran, right := r.answers(); ran != 1 || right != 1 {
		t.Errorf("%d of %d answers counted as right", right, ran)
	}
}

// Without recordings nothing is claimed.
func TestWithoutRecordingsNothingIsClaimed(t *testing.T) {
	x := newDemo(t)
	x.recordings = os.DirFS(t.TempDir())
	d, _ := live.Lookup("claude")
	r := x.row(t.Context(), d)
	var out strings.Builder
	if code := show(&out, []row{r}); code != 1 || r.level != "failed" {
		t.Errorf("exit code %d, level %q", code, r.level)
	}
	holds(t, out.String(), "No recorded payload could be run instead.\n")
	if strings.Contains(out.String(), "answers are right") {
		t.Error(out.String())
	}
}

func holds(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, w := range wants {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing in:\n%s", w, text)
		}
	}
}
