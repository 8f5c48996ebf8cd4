//go:build unix

package run

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/manifest"
	"github.com/hookspan/hookspan/internal/state"
)

// TestStdoutIsClosedBeforeTheJournalIsWritten: Copilot waits for standard output to close, and must not wait
// for our disk. Standard error is a pipe that is full, which holds the run between its answer and the
// journal.
func TestStdoutIsClosedBeforeTheJournalIsWritten(t *testing.T) {
	h := newHome(t, `hooks: {PreToolUse: [{hooks: [{guard: protect-paths, paths: [".env"]}]}]}`+"\n")
	t.Setenv("HOME", h.dir)
	for _, v := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		t.Setenv(v, "")
	}
	in, inW := pipe(t)
	out, outW := pipe(t)
	errs, errsW := pipe(t)
	full := fill(errsW)
	// Droid's no is exit code 2 with a text on standard error.
	_, _ = inW.WriteString(`{"session_id":"s","transcript_path":"/t","cwd":"/p","permission_mode":"auto-low","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"/p/.env"}}`)
	last := filepath.Join(h.dir, ".local", "state", "hookspan", "last.json")
	exit := make(chan int)
	go func() { exit <- Main([]string{"droid"}, in, outW, errsW) }()

	_ = out.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.ReadAll(out); err != nil {
		t.Errorf("standard output stays open: %v", err)
	}
	if _, err := os.Stat(last); err == nil {
		t.Error("the journal was written before the answer was out")
	}
	_ = errs.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.CopyN(io.Discard, errs, full); err != nil {
		t.Fatal(err)
	}
	code := <-exit
	errsW.Close()
	if said, _ := io.ReadAll(errs); code != 2 || !strings.Contains(string(said), ".env") {
		t.Errorf("exit code %d, said %q", code, said)
	}
	if _, err := os.Stat(last); err != nil {
		t.Errorf("nothing was written into the journal: %v", err)
	}
}

// TestAHandlerIsACopyWhileItsProgramRuns: it takes its place before the program starts, and gives it back
// after its end.
func TestAHandlerIsACopyWhileItsProgramRuns(t *testing.T) {
	h := newHome(t, "hooks: {}\n")
	s := openStore(lookup(h.environ()), false)
	plan := &manifest.Plan{Path: h.manifest, Dir: h.dir, Scope: manifest.Project}
	a := &manifest.Handler{Name: "a", Shell: "echo > started; while ! test -e end; do sleep 0.01; done", Timeout: time.Minute}
	over := make(chan handler.Output)
	go func() {
		over <- programs{environ: h.environ(), store: s}.Run(context.Background(), plan, a, hook.Event{Name: hook.Stop})
	}()
	for begin := time.Now(); time.Since(begin) < 20*time.Second; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(h.dir, "started")); err == nil {
			break
		}
	}
	room := func() (n int) {
		var release []func()
		for range state.MaxCopies + 1 {
			if r, ok := s.Acquire(time.Now(), plan.Path, "a"); ok {
				release = append(release, r)
			}
		}
		for _, r := range release {
			r()
		}
		return len(release)
	}
	if n := room(); n != state.MaxCopies-1 {
		t.Errorf("it runs, and %d more may run", n)
	}
	h.write(t, filepath.Join(h.dir, "end"), "")
	if out := <-over; out.StartErr != nil || out.Exit != 0 || out.TimedOut {
		t.Errorf("%+v", out)
	}
	if n := room(); n != state.MaxCopies {
		t.Errorf("it has ended, and %d may run", n)
	}
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// fill writes into a pipe until nothing more goes in, and returns how much did.
func fill(w *os.File) (n int64) {
	for _, size := range []int{4096, 1} {
		for {
			_ = w.SetWriteDeadline(time.Now().Add(20 * time.Millisecond))
			k, err := w.Write(make([]byte, size))
			n += int64(k)
			if err != nil {
				break
			}
		}
	}
	_ = w.SetWriteDeadline(time.Time{})
	return n
}
