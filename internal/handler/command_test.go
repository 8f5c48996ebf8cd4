//go:build unix

package handler

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hookspan/hookspan/hook"
)

// slack is for a machine that does other things as well.
const slack = 500 * time.Millisecond

var gate = hook.Event{Name: hook.PreToolUse}

func TestRunHandsOverInputAndTakesOutput(t *testing.T) {
	big := strings.Repeat("0123456789abcdef", 60_000) // more than a pipe holds, less than the limit
	c := playing(t, "echo")
	c.Stdin = []byte(big)
	out := c.Run(t.Context())
	if string(out.Stdout) != big || out.Exit != 0 || out.StartErr != nil || out.TimedOut || out.TooMuch || out.Took <= 0 {
		t.Errorf("exit %d, %d bytes, %+v", out.Exit, len(out.Stdout), out.StartErr)
	}
}

func TestRunWithoutInput(t *testing.T) {
	if out := playing(t, "count").Run(t.Context()); string(out.Stdout) != "0" {
		t.Errorf("%+v", out)
	}
}

// A program that does not read its input, or closes it, is no failure, however much there is.
func TestUnreadInputIsNoFailure(t *testing.T) {
	for _, part := range []string{"say:done", "deaf"} {
		c := playing(t, part)
		c.Stdin = make([]byte, 8<<20)
		out := c.Run(t.Context())
		if out.Exit != 0 || len(out.Stdout) != 4 || out.Took > 10*time.Second {
			t.Errorf("%s: %+v", part, out)
		}
	}
}

func TestShell(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		shell  string
		exit   int
		stdout string
	}{
		{`printf '%s' "$GREETING"; pwd >&2; exit 3`, 3, "hello"},
		{"./nothing.sh", 127, ""},
		{"no-such-program-here", 127, ""},
		{"./plain", 126, ""},
		{"kill -9 $$", 137, ""},
		{"cat", 0, "in"},
	}
	if err := os.WriteFile(filepath.Join(dir, "plain"), []byte("#!/bin/sh\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		c := Command{Shell: tt.shell, Dir: dir, Env: []string{"GREETING=hello", "PATH=" + os.Getenv("PATH")}, Timeout: 20 * time.Second, Stdin: []byte("in")}
		out := c.Run(t.Context())
		if out.Exit != tt.exit || string(out.Stdout) != tt.stdout {
			t.Errorf("%s: exit %d, stdout %q, %v", tt.shell, out.Exit, out.Stdout, out.StartErr)
		}
		if _, err := c.Answer(gate, out); (err != nil) != (tt.exit != 0) {
			t.Errorf("%s: error %v", tt.shell, err)
		}
	}
}

func TestWhatCannotBeStarted(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("plain", "#!/bin/sh\n", 0o644)
	write("orphan", "#!/no/such/interpreter\n", 0o755)
	write("text", "hello\n", 0o755)
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		c    Command
		want string
	}{
		{Command{Argv: []string{"./gone"}, Dir: dir}, "gone does not exist"},
		{Command{Argv: []string{"./plain"}, Dir: dir}, "is not executable (chmod +x"},
		{Command{Argv: []string{"./folder"}, Dir: dir}, "is a folder, not a program"},
		{Command{Argv: []string{"./orphan"}, Dir: dir}, "names an interpreter in its first line that does not exist"},
		{Command{Argv: []string{"./text"}, Dir: dir}, "is not a program"},
		{Command{Argv: []string{"plain"}, Env: []string{"PATH=.:" + dir}, Dir: dir}, "there is no program plain on PATH"},
		{Command{Argv: []string{"folder"}, Env: []string{"PATH=" + dir}}, "there is no program folder on PATH"},
		{Command{Shell: "true", Dir: dir + "/gone"}, "the working folder " + dir + "/gone does not exist"},
		{Command{Shell: "true", Dir: dir + "/plain"}, "the working folder"},
		{Command{Argv: []string{}}, "it names no program"},
		{Command{Argv: []string{strings.Repeat("x", 4<<20), "/bin/true"}, Dir: dir}, "there is no program"},
		{Command{Argv: []string{"/bin/true", strings.Repeat("x", 4<<20)}}, "argument list too long"},
	}
	for _, tt := range tests {
		out := tt.c.Run(t.Context())
		if out.StartErr == nil || !strings.Contains(out.StartErr.Error(), tt.want) {
			t.Errorf("%.60q: %v, want %q", tt.c.Argv, out.StartErr, tt.want)
		}
		if d, err := tt.c.Answer(gate, out); err != out.StartErr || !d.Silent() {
			t.Errorf("%.60q: %+v, %v", tt.c.Argv, d, err)
		}
	}
}

func TestProgramFromItsOwnPath(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), []byte("#!/bin/sh\necho mine\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	c := Command{Argv: []string{"mine"}, Env: []string{"PATH=/nowhere:" + dir}, Timeout: 20 * time.Second}
	if out := c.Run(t.Context()); string(out.Stdout) != "mine\n" {
		t.Errorf("%+v", out)
	}
	c = Command{Argv: []string{"./mine"}, Dir: dir, Timeout: 20 * time.Second}
	if out := c.Run(t.Context()); string(out.Stdout) != "mine\n" {
		t.Errorf("relative to its folder: %+v", out)
	}
}

// waitGone fails unless all processes whose ids stand in the file end.
func waitGone(t *testing.T, file string, want int) {
	t.Helper()
	ids, _ := os.ReadFile(file)
	if n := len(strings.Fields(string(ids))); n != want {
		t.Errorf("%d programs were there, want %d", n, want)
	}
	for _, s := range strings.Fields(string(ids)) {
		id, _ := strconv.Atoi(s)
		for end := time.Now().Add(5 * time.Second); alive(id); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Errorf("process %d goes on", id)
				syscall.Kill(id, syscall.SIGKILL)
				break
			}
		}
	}
}

// alive reports whether a process runs; one that waits for its parent does not.
func alive(id int) bool {
	if syscall.Kill(id, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(id) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

// A handler that hangs and ignores SIGTERM ends within its timeout, with its children.
func TestTimeoutEndsTheWholeGroupInTime(t *testing.T) {
	for _, timeout := range []time.Duration{1500 * time.Millisecond, 2500 * time.Millisecond} {
		file := filepath.Join(t.TempDir(), "ids")
		c := playing(t, "hang:parent,"+file)
		c.Timeout = timeout
		out := c.Run(t.Context())
		if !out.TimedOut || out.Took > timeout+slack || out.Took < timeout*8/10 {
			t.Errorf("timed out %v after %s of %s", out.TimedOut, out.Took, timeout)
		}
		if _, err := c.Answer(gate, out); err == nil || !strings.Contains(err.Error(), "did not end within") {
			t.Errorf("error %v", err)
		}
		waitGone(t, file, 2)
	}
}

// The answer of a handler that had to be stopped does not count.
func TestTimeoutVoidsTheAnswer(t *testing.T) {
	c := Command{Shell: `echo '{"decision":"approve"}'; sleep 60`, Timeout: 300 * time.Millisecond}
	out := c.Run(t.Context())
	if d, err := c.Answer(gate, out); err == nil || !d.Silent() {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestSIGTERMComesFirst(t *testing.T) {
	dir := t.TempDir()
	c := Command{Shell: `trap ': > told; exit 0' TERM; sleep 60 & wait`, Dir: dir, Timeout: 2 * time.Second}
	out := c.Run(t.Context())
	if _, err := os.Stat(dir + "/told"); err != nil || !out.TimedOut {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestContextEndsTheRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ids")
	c := playing(t, "hang:parent,"+file)
	ctx, cancel := context.WithCancel(t.Context())
	var given time.Time
	go func() {
		for n := 0; n < 2; time.Sleep(5 * time.Millisecond) {
			ids, _ := os.ReadFile(file)
			n = len(strings.Fields(string(ids)))
		}
		given = time.Now()
		cancel()
	}()
	out := c.Run(ctx)
	if late := time.Since(given); !out.TimedOut || late > 200*time.Millisecond+slack {
		t.Errorf("%s after the end of the context, %+v", late, out)
	}
	waitGone(t, file, 2)
	if out := c.Run(ctx); out.StartErr == nil {
		t.Errorf("started without time: %+v", out)
	}

	const whole = 1500 * time.Millisecond
	ctx, cancel = context.WithTimeout(t.Context(), whole)
	defer cancel()
	c = playing(t, "hang:"+file+"2")
	if out := c.Run(ctx); !out.TimedOut || out.Took > whole+slack {
		t.Errorf("the context's deadline: %s, %v", out.Took, out.TimedOut)
	}
	waitGone(t, file+"2", 1)
}

// A child that keeps stdout open holds up nobody, and lives on.
func TestChildLeftBehindGoesOn(t *testing.T) {
	dir := t.TempDir()
	c := Command{Shell: `(sleep 0.7; touch alive) & echo out; exit 0`, Dir: dir, Timeout: 20 * time.Second}
	out := c.Run(t.Context())
	if string(out.Stdout) != "out\n" || out.TimedOut || out.Took > 600*time.Millisecond {
		t.Errorf("%q after %s", out.Stdout, out.Took)
	}
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(dir + "/alive"); err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the child did not live on")
		}
	}
}

func TestTooMuchOutputIsAFailure(t *testing.T) {
	c := playing(t, "noisy")
	out := c.Run(t.Context())
	_, err := c.Answer(gate, out)
	if !out.TooMuch || len(out.Stdout) != maxStdout || err == nil || !strings.Contains(err.Error(), "more than 1 MiB") {
		t.Errorf("%v, %d bytes, %v", out.TooMuch, len(out.Stdout), err)
	}
	c = playing(t, "full")
	if out := c.Run(t.Context()); out.TooMuch || len(out.Stdout) != maxStdout {
		t.Errorf("just as much as allowed: %v, %d bytes", out.TooMuch, len(out.Stdout))
	}
	c = playing(t, "noisyerr")
	out = c.Run(t.Context())
	if out.TooMuch || len(out.Stderr) != keepStderr || !strings.Contains(string(out.Stderr), "the end") {
		t.Errorf("stderr: %v, %d bytes", out.TooMuch, len(out.Stderr))
	}
	if _, err := c.Answer(gate, out); err == nil || len(err.Error()) > 1000 || !strings.Contains(err.Error(), "the end") {
		t.Errorf("error of %d bytes", len(err.Error()))
	}
}

// A crash is a failure also where its exit code is that of a no: Go's panic leaves with 2.
func TestCrashesAndSignals(t *testing.T) {
	c := playing(t, "crash")
	out := c.Run(t.Context())
	if out.Exit != 2 || !strings.Contains(string(out.Stderr), "goroutine 1") {
		t.Errorf("a panic: %+v", out)
	}
	for part, want := range map[string]hook.Verdict{"kill": hook.NoOpinion, "kill:allow": hook.NoOpinion, "kill:deny": hook.Deny} {
		c := playing(t, part)
		out := c.Run(t.Context())
		d, err := c.Answer(gate, out)
		if out.Signal != "killed" || out.Exit != 137 || d.Verdict != want || (err == nil) != (want == hook.Deny) {
			t.Errorf("%s: %+v, %v, %+v", part, d, err, out)
		}
	}
}

func TestStreamsOfAProgramBlock(t *testing.T) {
	if out := playing(t, "streams").Run(t.Context()); string(out.Stdout) != "false false false " {
		t.Errorf("non-blocking: %s", out.Stdout)
	}
}

// The program has a session of its own: no terminal to stop at, a group to end.
func TestOwnSession(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	out := Command{Shell: `read -r _ _ _ _ group session _ < /proc/self/stat; echo $group $session $$`, Timeout: 20 * time.Second}.Run(t.Context())
	f := strings.Fields(string(out.Stdout))
	if len(f) != 3 || f[0] != f[1] || f[0] != f[2] {
		t.Errorf("%q %q", out.Stdout, out.Stderr)
	}
}

func TestNothingIsLeftOpen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	count := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	Command{Shell: "true", Timeout: 20 * time.Second}.Run(t.Context())
	files, routines := count(), runtime.NumGoroutine()
	for range 20 {
		Command{Shell: "sleep 5 & exit 0", Timeout: 20 * time.Second}.Run(t.Context())
		Command{Argv: []string{"/no/such"}}.Run(t.Context())
	}
	time.Sleep(100 * time.Millisecond)
	if now := count(); now > files+2 {
		t.Errorf("%d files open, %d before", now, files)
	}
	if now := runtime.NumGoroutine(); now > routines+2 {
		t.Errorf("%d goroutines, %d before", now, routines)
	}
}

func TestDecide(t *testing.T) {
	c := Command{Shell: "echo no >&2; exit 2", Timeout: 20 * time.Second}
	d, out, err := c.Decide(t.Context(), gate)
	if d.Verdict != hook.Deny || d.Reason != "no" || !d.ByExit || out.Exit != 2 || err != nil {
		t.Errorf("%+v, %+v, %v", d, out, err)
	}
	c = Command{Shell: "python3 gone.py", Dir: t.TempDir(), Timeout: 20 * time.Second}
	d, out, err = c.Decide(t.Context(), gate)
	if !d.Silent() || err == nil || !errors.Is(out.StartErr, err) || err.Error() != "the script gone.py does not exist" {
		t.Errorf("%+v, %+v, %v", d, out, err)
	}
}

func BenchmarkRunTrue(b *testing.B) {
	for b.Loop() {
		Command{Argv: []string{"/bin/true"}, Timeout: time.Minute}.Run(b.Context())
	}
}

func BenchmarkRunShell(b *testing.B) {
	for b.Loop() {
		Command{Shell: "exit 0", Timeout: time.Minute, Stdin: []byte("{}")}.Run(b.Context())
	}
}
