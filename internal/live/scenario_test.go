package live

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookspan/hookspan/internal/fakemodel"
)

// perfect is a run in which everything happened that the proofs look for.
func perfect() *Result {
	telling := func(text string) fakemodel.Request {
		body, err := json.Marshal(object{"messages": []object{{"role": "assistant", "content": "x"}, {"role": "user", "content": text}}})
		if err != nil {
			panic(err)
		}
		return fakemodel.Request{Body: body}
	}
	return &Result{Agent: "x", Version: "1.2.3", Started: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC),
		Requests: []fakemodel.Request{telling("do it; " + promptContext), telling("error: " + denyReason), telling("ok " + toolContext),
			telling("written"), telling("edited"), telling("run: " + rewritten), telling("go on: " + gateOutput)},
		Files: map[string]string{"allowed.txt": "ran\n", "note.txt": "beta\n", "edited.log": "/home/shop/note.txt\n/home/shop/note.txt\n", "rewritten.txt": "ran\n"}}
}

func failures(d *Driver, res *Result) string {
	var names []string
	for _, p := range judge(d, res) {
		if !p.OK {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, " ")
}

// TestProofsSeeWhatIsMissing: each fault fails the proof that it belongs to, and no other.
func TestProofsSeeWhatIsMissing(t *testing.T) {
	able := &Driver{PromptEvent: true, Rewrites: true}
	unable := &Driver{}
	if got := failures(able, perfect()); got != "" {
		t.Fatalf("a perfect run fails %s", got)
	}
	for name, c := range map[string]struct {
		d     *Driver
		spoil func(*Result)
		want  string
	}{
		"denied ran":        {able, func(r *Result) { r.Files["denied.txt"] = "" }, "deny"},
		"no reason":         {able, func(r *Result) { r.Requests[1] = r.Requests[3] }, "deny"},
		"no shell":          {able, func(r *Result) { delete(r.Files, "allowed.txt") }, "deny"},
		"no tool context":   {able, func(r *Result) { r.Requests[2] = r.Requests[3] }, "context"},
		"no prompt context": {able, func(r *Result) { r.Requests[0] = r.Requests[3] }, "context"},
		"no edit":           {able, func(r *Result) { r.Files["note.txt"] = "alpha\n" }, "file"},
		"no note":           {able, func(r *Result) { delete(r.Files, "edited.log") }, "file"},
		"noted too often":   {able, func(r *Result) { r.Files["edited.log"] += "/home/shop/note.txt\n" }, "file"},
		"edit not noted":    {able, func(r *Result) { r.Files["edited.log"] = "/home/shop/note.txt\n" }, "file"},
		"relative path":     {able, func(r *Result) { r.Files["edited.log"] = "note.txt\nnote.txt\n" }, "file"},
		"original ran":      {able, func(r *Result) { r.Files["original.txt"] = "" }, "rewrite"},
		"changed never ran": {able, func(r *Result) { delete(r.Files, "rewritten.txt") }, "rewrite"},
		"no gate":           {able, func(r *Result) { r.Requests = r.Requests[:6] }, "gate"},
		"gate without text": {able, func(r *Result) { r.Requests[6] = r.Requests[3] }, "gate"},
		"gate twice":        {able, func(r *Result) { r.Requests = append(r.Requests, r.Requests[6]) }, "gate"},
		"bad end":           {able, func(r *Result) { r.Exit = 1 }, "gate"},
		"never ended":       {able, func(r *Result) { r.TimedOut = true }, "gate"},
		"died at once":      {able, func(r *Result) { r.Requests, r.Files = nil, nil }, "deny context file rewrite gate"},
		"ran though unable": {unable, func(*Result) {}, "rewrite"},
		"refused":           {unable, func(r *Result) { delete(r.Files, "rewritten.txt") }, ""},
		"refused silently":  {unable, func(r *Result) { delete(r.Files, "rewritten.txt"); r.Requests[5] = r.Requests[3] }, "rewrite"},
		"no prompt event":   {unable, func(r *Result) { delete(r.Files, "rewritten.txt"); r.Requests[0] = r.Requests[3] }, ""},
	} {
		res := perfect()
		res.Files = maps.Clone(res.Files)
		c.spoil(res)
		if got := failures(c.d, res); got != c.want {
			t.Errorf("%s: fails %q, should fail %q", name, got, c.want)
		}
	}
}

func TestProofsCarryTheirEvidence(t *testing.T) {
	for _, p := range judge(&Driver{PromptEvent: true, Rewrites: true}, perfect()) {
		if p.Evidence != (Evidence{Level: "live", Version: "1.2.3", Date: "2026-05-04"}) || p.Title == "" || p.Detail == "" {
			t.Errorf("%+v", p)
		}
	}
}

// TestHandlersSayWhatTheProofsLookFor: the words stand in the scripts, and each script does what it says
// under a plain sh.
func TestHandlersSayWhatTheProofsLookFor(t *testing.T) {
	dir := t.TempDir()
	if err := fs.WalkDir(proofFiles, "proof/handlers", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := proofFiles.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, e.Name()), text, 0o700)
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		script, stdin, out string
		exit               int
	}{
		{"prompt.sh", `{"prompt":"x"}`, promptContext, 0},
		{"deny.sh", `{"tool_input":{"command":"echo ran > denied.txt"}}`, denyReason, 2},
		{"deny.sh", `{"tool_input":{"command":"true"}}`, "", 0},
		{"rewrite.sh", `{"tool_input":{"command":"echo ran > original.txt"}}`, rewritten, 0},
		{"rewrite.sh", `{}`, "", 0},
		{"after.sh", `{"tool_input":{"command":"echo ran > allowed.txt"}}`, toolContext, 0},
		{"file.sh", `{}`, "", 0},
		{"gate.sh", `{}`, gateOutput, 1},
		{"gate.sh", `{}`, "", 0},
	} {
		cmd := exec.Command("/bin/sh", filepath.Join(dir, c.script))
		cmd.Env = []string{"PATH=/usr/bin:/bin", "HOOKSPAN_FILE=/p/note.txt", "CLAUDE_PROJECT_DIR=" + dir}
		cmd.Stdin = strings.NewReader(c.stdin)
		out, _ := cmd.CombinedOutput()
		if exit := cmd.ProcessState.ExitCode(); exit != c.exit || (c.out == "") != (len(out) == 0) || !strings.Contains(string(out), c.out) {
			t.Errorf("%s < %s: exit %d, %q", c.script, c.stdin, exit, out)
		}
		if strings.HasPrefix(string(out), "{") && !json.Valid(out) {
			t.Errorf("%s prints no JSON: %q", c.script, out)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "edited.log")); err != nil || string(text) != "/p/note.txt\n" {
		t.Errorf("file.sh noted %q, %v", text, err)
	}
}

func TestInstallProofsIsTheUsersManifest(t *testing.T) {
	s := sandbox(t, scriptAgent(""))
	if err := InstallProofs(s); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(s.Home, ".config", "hookspan", "hookspan.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(string(text)) {
		_, name, ok := strings.Cut(strings.Trim(word, `"`), "$XDG_CONFIG_HOME/hookspan/")
		if !ok {
			continue
		}
		if _, err := os.Stat(filepath.Join(s.Home, ".config", "hookspan", name)); err != nil {
			t.Error(err)
		}
	}
}

func TestTallyCountsAndAnswers(t *testing.T) {
	needIsolation(t)
	s := sandbox(t, scriptAgent(""))
	tally, err := s.Tally("foreign", `[ "$1" = Stop ] && { cat; exit 2; }; exit 0`)
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range []string{"Pre", "Pre", "Pre"} {
		if _, err := s.Exec(t.Context(), "/bin/sh", "-c", "echo '{\"n\":1}' | "+tally.Command(call)); err != nil {
			t.Fatal(err)
		}
	}
	out, err := s.Exec(t.Context(), "/bin/sh", "-c", "echo payload | "+tally.Command("Stop"))
	if out != "payload\n" || err == nil || !strings.Contains(err.Error(), "exit code 2") {
		t.Errorf("printed %q, %v", out, err)
	}
	for label, want := range map[string]int{"Pre": 3, "Stop": 1, "P": 0, "never": 0} {
		if n, err := tally.Count(label); n != want || err != nil {
			t.Errorf("%s: %d, %v", label, n, err)
		}
	}
	if got, err := tally.Payloads("Pre"); err != nil || len(got) != 3 || got[0] != "{\"n\":1}\n" {
		t.Errorf("payloads %q, %v", got, err)
	}
}

func TestEffectsAreComparedWithoutWhatDiffersByNature(t *testing.T) {
	normal := strings.NewReplacer("'/x/hookspan' run claude", "<hook>", "/tmp/s1", "<sandbox>")
	id := "0b7d2f6e-1111-2222-3333-444455556666"
	got := plain(normal, "['/x/hookspan' run claude]: no; "+id+" in /tmp/s1/home, "+id)
	if got != "[<hook>]: no; <id-1> in <sandbox>/home, <id-1>" {
		t.Errorf("got %q", got)
	}
	a := Effect{Ran: true, Requests: 2, Told: [][]string{{"same"}, {"this is the reason", "x"}}}
	b := Effect{Ran: true, Requests: 2, Told: [][]string{{"same"}, {"this is no reason", "x"}}}
	if a.Diff(a) != "" || !strings.Contains(a.Diff(b), "request 1") || !strings.Contains(a.Diff(Effect{}), "tool ran true and false") {
		t.Errorf("%q, %q, %q", a.Diff(a), a.Diff(b), a.Diff(Effect{}))
	}
	framed := Effect{Result: "blocked by hook:\n\n[<hook>]: no\n", Told: [][]string{{"error: [<hook>]: no\n"}}}
	if diff := framed.Unframed().Diff(Effect{Result: "blocked by hook:\nno", Told: [][]string{{"error: no"}}}); diff != "" {
		t.Error(diff)
	}
}
