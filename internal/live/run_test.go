package live

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// scriptAgent is an agent that runs one shell script.
func scriptAgent(script string) *Driver {
	return &Driver{Name: "sh", Title: "a shell", Command: "shell-agent",
		Configure: func(*Sandbox) error { return nil },
		Environ:   func(s *Sandbox) []string { return []string{"MODEL=" + s.URL} },
		Args:      func(_ *Sandbox, prompt string) []string { return []string{"-c", script, "sh", prompt} },
		Answer:    strings.TrimSpace,
	}
}

func shell() Options { return Options{Program: Program{Argv: []string{"/bin/sh"}}} }

func needIsolation(t *testing.T) {
	t.Helper()
	if err := Isolation(); err != nil {
		if os.Getenv("HOOKSPAN_LIVE") == "require" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

func run(t *testing.T, d *Driver, script Script, opts Options) *Result {
	t.Helper()
	res, err := Run(t.Context(), d, script, opts)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestAnAgentReachesTheModelAndNothingElse(t *testing.T) {
	needIsolation(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	d := scriptAgent(Quote(self) + ` ask-model "$MODEL/v1/chat/completions" '{"tools":[{"function":{"name":"x"}}],"messages":[{"content":"'"$1"'"}]}'
		tail -n +3 /proc/net/dev`)
	res := run(t, d, Script{Say("hello there")}, shell())
	if res.Exit != 0 || !strings.Contains(res.Stdout, "hello there") {
		t.Fatalf("exit %d, printed %q %q", res.Exit, res.Stdout, res.Stderr)
	}
	if len(res.Requests) != 1 || !res.Contains(0, DefaultPrompt) || res.Contains(1, "") || res.News(1) != nil {
		t.Errorf("the model was asked %+v", res.Requests)
	}
	for line := range strings.Lines(res.Stdout) {
		if name, _, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.HasPrefix(line, "{") && name != "lo" {
			t.Errorf("there is a network interface %s", name)
		}
	}
}

// TestWithTheNetworkOnTheModelIsReachedToo, for systems that cannot cut it.
func TestWithTheNetworkOnTheModelIsReachedToo(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	opts := shell()
	opts.Network = true
	d := scriptAgent(Quote(self) + ` ask-model "$MODEL/v1/messages" '{"tools":[{"name":"x"}]}'; setsid sh -c 'sleep 97; : mark-of-the-network' > /dev/null 2>&1 &`)
	res := run(t, d, Script{Say("hello there")}, opts)
	if res.Exit != 0 || !strings.Contains(res.Stdout, "hello there") || len(res.Requests) != 1 {
		t.Errorf("exit %d, printed %q %q", res.Exit, res.Stdout, res.Stderr)
	}
	if left := processes(t, "mark-of-the-network"); left != "" {
		t.Errorf("a process survived: %s", left)
	}
}

func TestTheEnvironmentIsMadeFromNothing(t *testing.T) {
	needIsolation(t)
	t.Setenv("ANTHROPIC_API_KEY", "a-real-key")
	t.Setenv("HTTP_PROXY", "http://proxy.example")
	res := run(t, scriptAgent("env | cut -d= -f1 | sort; cat"), nil, shell())
	want := []string{"GIT_CONFIG_NOSYSTEM", "HOME", "LANG", "LOGNAME", "MODEL", "PATH", "PWD", "SHELL", "TERM", "TMPDIR", "USER",
		"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"}
	got := slices.DeleteFunc(strings.Fields(res.Stdout), func(s string) bool { return s == "_" || s == "SHLVL" || s == "OLDPWD" })
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestNothingSurvivesARun shows that what an agent leaves in the background ends with the run, however it
// has detached itself, and that nothing is left on the disk.
func TestNothingSurvivesARun(t *testing.T) {
	needIsolation(t)
	t.Setenv("TMPDIR", t.TempDir())
	res := run(t, scriptAgent("(setsid sh -c 'sleep 97; : mark-of-this-test' > /dev/null 2>&1 &); mkdir -p ../x/y; chmod 500 ../x/y ../x; exit 3"), nil, shell())
	if res.Exit != 3 || res.TimedOut || res.Signal != "" {
		t.Errorf("exit %d, timed out %v, signal %q", res.Exit, res.TimedOut, res.Signal)
	}
	if left := processes(t, "mark-of-this-test"); left != "" {
		t.Errorf("a process survived: %s", left)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 0 {
		t.Errorf("left on the disk: %v", left)
	}
}

func TestATimeLimitKillsTheWholeTree(t *testing.T) {
	needIsolation(t)
	opts := shell()
	opts.Timeout = 400 * time.Millisecond
	res := run(t, scriptAgent("echo begun; (sh -c 'sleep 97; : mark-of-the-limit') & sh -c 'sleep 98; : mark-of-the-limit'"), nil, opts)
	if !res.TimedOut || res.Signal != "killed" || res.Exit != -1 || res.Stdout != "begun\n" || res.Took > 20*time.Second {
		t.Errorf("timed out %v, signal %q, exit %d, printed %q, after %s", res.TimedOut, res.Signal, res.Exit, res.Stdout, res.Took)
	}
	if left := processes(t, "mark-of-the-limit"); left != "" {
		t.Errorf("a process survived: %s", left)
	}
}

func TestACancelledRunEnds(t *testing.T) {
	needIsolation(t)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	res, err := Run(ctx, scriptAgent("sleep 97"), nil, shell())
	if err != nil || !res.TimedOut || res.Took > 20*time.Second {
		t.Errorf("result %+v, error %v", res, err)
	}
}

func TestAProgramThatCannotStartIsAnError(t *testing.T) {
	needIsolation(t)
	_, err := Run(t.Context(), scriptAgent(""), nil, Options{Program: Program{Argv: []string{"/nonexistent/agent"}}})
	if err == nil || !strings.Contains(err.Error(), "failed to run a shell: failed to start /nonexistent/agent") {
		t.Errorf("got %v", err)
	}
	if _, err = Run(t.Context(), scriptAgent(""), nil, Options{}); err == nil || !strings.Contains(err.Error(), "no program given") {
		t.Errorf("got %v", err)
	}
	if _, err = Run(t.Context(), scriptAgent(""), Script{{}}, shell()); err == nil || !strings.Contains(err.Error(), "turn 0") {
		t.Errorf("got %v", err)
	}
}

// TestExecIsUnderTheConditionsOfARun, with the agent on PATH under its own name.
func TestExecIsUnderTheConditionsOfARun(t *testing.T) {
	needIsolation(t)
	s := sandbox(t, scriptAgent(""))
	out, err := s.Exec(t.Context(), "/bin/sh", "-c", `shell-agent -c 'echo "$HOME"'; grep -c : /proc/net/dev`)
	if err != nil || out != s.Home+"\n1\n" {
		t.Errorf("printed %q, %v", out, err)
	}
	if out, err := s.Exec(t.Context(), "shell-agent", "-c", "echo found"); err != nil || out != "found\n" {
		t.Errorf("printed %q, %v", out, err)
	}
	_, err = s.Exec(t.Context(), "/bin/sh", "-c", "echo on both; echo outputs >&2; exit 9")
	if err == nil || !strings.Contains(err.Error(), "exit code 9") || !strings.Contains(err.Error(), "on both") || !strings.Contains(err.Error(), "outputs") {
		t.Errorf("got %v", err)
	}
}

func TestFilesAreWhatTheProjectHolds(t *testing.T) {
	needIsolation(t)
	res := run(t, scriptAgent("mkdir -p a/b; printf x > a/b/c.txt; ln -s /etc/passwd link"), nil, shell())
	if len(res.Files) != 2 || res.Files["a/b/c.txt"] != "x" || res.Files["README.md"] == "" {
		t.Errorf("got %q", res.Files)
	}
}

func TestOnlyTheEndOfTheOutputIsKept(t *testing.T) {
	var out tail
	for _, piece := range []string{strings.Repeat("a", maxOutput-1), "bc", strings.Repeat("d", 10)} {
		if n, err := out.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Fatalf("wrote %d, %v", n, err)
		}
	}
	if got := out.String(); len(got) != maxOutput || !strings.HasSuffix(got, "abcdddddddddd") {
		t.Errorf("kept %d bytes, the end is %q", len(got), got[len(got)-20:])
	}
	_, _ = out.Write([]byte(strings.Repeat("e", maxOutput+5)))
	if got := out.String(); len(got) != maxOutput || strings.Contains(got, "d") {
		t.Errorf("kept %d bytes", len(got))
	}
}

// processes are the command lines that contain mark.
func processes(t *testing.T, mark string) string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var out string
	for _, f := range files {
		text, _ := os.ReadFile(f) // gone is fine
		if strings.Contains(string(text), mark) {
			out += strings.ReplaceAll(string(text), "\x00", " ") + "\n"
		}
	}
	return out
}

// sandbox makes one that the test removes.
func sandbox(t *testing.T, d *Driver) *Sandbox {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	s, err := NewSandbox(d, shell())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
