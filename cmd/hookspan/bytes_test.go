package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// The tests of this file are for inputs that no text file can hold. The others stand in
// testdata/script/bad-*.txtar; docs/bad-input.md lists all of them.

// place is a home with a guard on .env files in force.
type place struct{ home, state string }

func newPlace(t *testing.T) place {
	t.Helper()
	p := place{home: t.TempDir()}
	p.state = filepath.Join(p.home, "state")
	dir := filepath.Join(p.home, "config", "hookspan")
	manifest := "hooks: {PreToolUse: [{hooks: [{guard: protect-paths, paths: [\".env\"]}]}]}\n"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "hookspan.yaml"), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p place) environ() []string {
	return []string{"HOME=" + p.home, "XDG_CONFIG_HOME=" + filepath.Join(p.home, "config"), "XDG_STATE_HOME=" + p.state, "PATH=" + os.Getenv("PATH")}
}

// answered is what an agent gets.
type answered struct {
	stdout, stderr string
	exit           int
	took           time.Duration
}

// run starts `hookspan run` as an agent does, with an environment made from nothing.
func (p place) run(t *testing.T, stdin io.Reader, args ...string) answered {
	t.Helper()
	cmd := exec.Command("hookspan", append([]string{"run"}, args...)...)
	return p.start(t, cmd, stdin)
}

func (p place) start(t *testing.T, cmd *exec.Cmd, stdin io.Reader) answered {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Dir = stdin, &stdout, &stderr, p.home
	cmd.Env = p.environ()
	start := time.Now()
	err := cmd.Run()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return answered{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode(), time.Since(start)}
}

// last is the last record of the journal, which must be one line of JSON.
func (p place) last(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(p.state, "hookspan", "last.json"))
	if err != nil {
		t.Fatalf("there is no journal line: %v", err)
	}
	if !json.Valid(b) || bytes.Count(bytes.TrimSpace(b), []byte("\n")) > 0 {
		t.Fatalf("the journal line is not one line of JSON: %q", b)
	}
	return string(b)
}

const (
	readEnv = `{"session_id":"s","cwd":"/shop","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"/shop/.env"},"tool_use_id":"t"}`
	begins  = `{"session_id":"s","hook_event_name":"PreToolUse","x":`
	mark    = "\xef\xbb\xbf"

	judged  = "is protected"       // the payload was understood, and the guard has looked at it
	refused = "could not read"     // it was not, and the guard wants that to be a no
	denied  = `Decision":"deny"`   // the words of a no
	silent  = "nothing is printed" // no opinion
)

func utf16Of(text string, big bool, marks int) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(strings.Repeat("\ufeff", marks) + text)) {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

// TestEveryInputGetsItsAnswerAndItsLine holds the table of docs/bad-input.md: what arrives, what is
// answered, and what the journal says. No row may cost more than two seconds.
func TestEveryInputGetsItsAnswerAndItsLine(t *testing.T) {
	big := func(n int) string { return begins + `"` + strings.Repeat("x", n) + `"}` }
	bigRead := strings.Replace(readEnv, `"session_id"`, `"content":"`+strings.Repeat("x", 8<<20)+`","session_id"`, 1)
	for _, c := range []arrival{
		{"nothing", "", silent, `"error":"failed to read JSON: empty`, nil},
		{"nothing, with the event in the command", "", refused, "empty", []string{"claude", "PreToolUse"}},
		{"blanks", " \r\n\t", silent, "empty", nil},
		{"a mark alone", mark, silent, "empty", nil},
		{"zero bytes", "\x00\x00\x00\x00", silent, `"error":"failed to read JSON`, nil},
		{"null", "null", silent, `"error":"failed to read JSON: syntax`, nil},
		{"an array", "[" + readEnv + "]", refused, "syntax", nil},
		{"a number", "7", silent, "syntax", nil},
		{"an empty object", "{}", silent, "has no hook_event_name", nil},
		{"text", "hello", silent, "syntax", nil},
		{"a byte order mark", mark + readEnv, judged, "byte order marks in front of the input", nil},
		{"two byte order marks", mark + mark + readEnv, judged, "byte order marks", nil},
		{"UTF-16", string(utf16Of(readEnv, false, 1)), judged, "the input was UTF-16", nil},
		{"UTF-16, big end first", string(utf16Of(readEnv, true, 1)), judged, "UTF-16", nil},
		{"UTF-16 without a mark", string(utf16Of(readEnv, false, 0)), judged, "UTF-16", nil},
		{"UTF-16 cut in a character", string(utf16Of(readEnv, false, 1)[:61]), silent, "truncated", nil},
		{"invalid UTF-8 in a text", strings.Replace(readEnv, `"s"`, "\"\xff\xfe\"", 1), judged, "broken characters in the input were replaced", nil},
		{"invalid UTF-8 outside of texts", begins + "\xff}", refused, "encoding", nil},
		{"half an emoji, escaped", strings.Replace(readEnv, `"s"`, `"\ud83d"`, 1), judged, `"session":`, nil},
		{"half an emoji, the other half", strings.Replace(readEnv, `"s"`, `"\udc00\ud83d"`, 1), judged, `"session":`, nil},
		{"a second document", readEnv + "\n" + readEnv, refused, "something stood behind the input", nil},
		{"text behind it", readEnv + " done", refused, "something stood behind the input", nil},
		{"blanks behind it", readEnv + " \r\n\n", judged, `"verdict":"deny"`, nil},
		{"8 MiB", bigRead, judged, `"verdict":"deny"`, nil},
		{"more than 32 MiB", big(33 << 20), refused, "too big", nil},
		{"deep", begins + strings.Repeat(`[`, 600) + strings.Repeat(`]`, 600) + "}", refused, "too deep", nil},
		{"very deep", begins + strings.Repeat(`{"a":`, 1<<20), refused, "too deep", nil},
		{"a key twice", strings.Replace(readEnv, `"cwd":"/shop"`, `"tool_name":"Bash"`, 1), refused, "duplicate", nil},
		{"a key twice, once escaped", strings.Replace(readEnv, `"cwd":"/shop"`, `"tool\u005fname":"Bash"`, 1), refused, "duplicate", nil},
		{"a key in other letters", strings.Replace(readEnv, `"tool_name"`, `"Tool_Name"`, 1), silent, `"verdict":"none"`, nil},
		{"cut", readEnv[:90], refused, "truncated", nil},
		{"cut before the event", readEnv[:20], silent, "truncated", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.args == nil {
				c.args = []string{"claude"}
			}
			p := newPlace(t)
			got := p.run(t, strings.NewReader(c.stdin), c.args...)
			c.check(t, got)
			if line := p.last(t); !strings.Contains(line, c.journal) {
				t.Errorf("the journal does not say %q: %.2000s", c.journal, line)
			}
		})
	}
}

// arrival is a row of the table.
type arrival struct {
	name, stdin, answer, journal string
	args                         []string // nil = claude
}

// check holds an answer to its outcome. Exit code 2 is never one: Claude's no stands in the JSON.
func (c arrival) check(t *testing.T, got answered) {
	t.Helper()
	switch {
	case got.exit != 0 || got.stderr != "":
		t.Errorf("exit code %d, stderr %q", got.exit, got.stderr)
	case c.answer == silent && got.stdout != "":
		t.Errorf("nothing should be said, and %q was", got.stdout)
	case c.answer != silent && (!strings.Contains(got.stdout, c.answer) || !strings.Contains(got.stdout, denied)):
		t.Errorf("it should be a no that says %q, and %q was said", c.answer, got.stdout)
	case got.took > 5*time.Second:
		t.Errorf("it took %s", got.took)
	}
}

// TestOpenInputIsNotAwaited: a complete object is enough, its parts may be seconds apart, and where
// nothing comes the run ends by itself, as after any other input that cannot be read.
func TestOpenInputIsNotAwaited(t *testing.T) {
	for _, c := range []struct {
		name    string
		parts   []string
		pause   time.Duration
		atMost  time.Duration
		want    arrival
		journal string
	}{
		{"left open", []string{readEnv}, 0, 2 * time.Second, arrival{answer: judged}, `"verdict":"deny"`},
		{"in two parts", []string{readEnv[:70], readEnv[70:]}, 2500 * time.Millisecond, 5 * time.Second, arrival{answer: judged}, `"verdict":"deny"`},
		{"half of a character", []string{begins + "\"\xc3", "\xa4\"}"}, time.Second, 3 * time.Second, arrival{answer: silent}, `"verdict":"none"`},
		{"nothing", nil, 0, 12 * time.Second, arrival{answer: silent}, "deadline"},
		{"half of it", []string{readEnv[:90]}, 0, 12 * time.Second, arrival{answer: refused}, "deadline"},
		{"half of it, the command names an event with a limit of 1 s", []string{readEnv[:20]}, 0, 6 * time.Second,
			arrival{answer: silent, args: []string{"codex", "SessionEnd"}}, "deadline"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			in, out, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			defer out.Close() // only behind the end of the run: it is left open
			go func() {
				for i, part := range c.parts {
					if i > 0 {
						time.Sleep(c.pause)
					}
					_, _ = out.WriteString(part)
				}
			}()
			if c.want.args == nil {
				c.want.args = []string{"claude"}
			}
			got := p.run(t, in, c.want.args...)
			if got.took > c.atMost {
				t.Errorf("it took %s", got.took)
			}
			got.took = 0
			c.want.check(t, got)
			if line := p.last(t); !strings.Contains(line, c.journal) {
				t.Errorf("the journal does not say %q: %s", c.journal, line)
			}
		})
	}
}

// TestNoInputAtAll: a closed standard input, and one that cannot be read, are inputs that say nothing.
func TestNoInputAtAll(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("sh starts it")
	}
	for name, redirection := range map[string]string{"closed": "<&-", "a folder": "< /"} {
		p := newPlace(t)
		got := p.start(t, exec.Command("sh", "-c", "exec hookspan run claude "+redirection), nil)
		arrival{answer: silent}.check(t, got)
		if line := p.last(t); !strings.Contains(line, `"error":"failed to read JSON`) {
			t.Errorf("%s: the journal says %s", name, line)
		}
	}
}

// TestTheAnswerHasNowhereToGo: a full or closed output is no crash and no exit code 2, and the journal
// tells that the answer did not arrive.
func TestTheAnswerHasNowhereToGo(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	for _, redirection := range []string{"> /dev/full", ">&-", "> /dev/full 2>&1", ">&- 2>&-", "2> /dev/full"} {
		p := newPlace(t)
		got := p.start(t, exec.Command("sh", "-c", "exec hookspan run claude "+redirection), strings.NewReader(readEnv))
		if got.exit == 2 {
			t.Errorf("%s: it left with 2", redirection)
		}
		line := p.last(t)
		full := strings.HasPrefix(redirection, "> /dev/full") // a closed one is opened as /dev/null by Go
		if lost := strings.Contains(line, "failed to write the answer"); lost != full {
			t.Errorf("%s: the journal says %s", redirection, line)
		}
		if !strings.Contains(line, `"verdict":"deny"`) {
			t.Errorf("%s: the verdict is not in the journal: %s", redirection, line)
		}
	}
}

// TestTheAgentIsGone: an agent that was ended while a handler ran reads no answer. That is for the journal too.
func TestTheAgentIsGone(t *testing.T) {
	p := newPlace(t)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out.Close()
	cmd := exec.Command("hookspan", "run", "claude")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(readEnv), in, in
	cmd.Env = p.environ()
	if err := cmd.Run(); err != nil {
		t.Errorf("it left with %v", err)
	}
	if line := p.last(t); !strings.Contains(line, "failed to write the answer") || !strings.Contains(line, `"verdict":"deny"`) {
		t.Errorf("the journal says %s", line)
	}
}

// TestWrongTypesAreAbsentFields: each member of a payload, in each wrong type, costs that field and
// nothing else: no crash, no exit code 2, and a line in the journal.
func TestWrongTypesAreAbsentFields(t *testing.T) {
	var whole map[string]json.RawMessage
	if err := json.Unmarshal([]byte(readEnv), &whole); err != nil {
		t.Fatal(err)
	}
	p := newPlace(t)
	for key := range whole {
		for _, wrong := range []string{`null`, `7`, `true`, `[[]]`, `{"a":{}}`, `"x"`, `-1e999`} {
			odd := map[string]json.RawMessage{}
			for k, v := range whole {
				odd[k] = v
			}
			odd[key] = json.RawMessage(wrong)
			var b bytes.Buffer
			b.WriteByte('{')
			sep := ""
			for k, v := range odd {
				fmt.Fprintf(&b, "%s%q:%s", sep, k, v)
				sep = ","
			}
			b.WriteByte('}')
			got := p.run(t, &b, "claude")
			if got.exit != 0 || got.stderr != "" || got.stdout != "" && !strings.Contains(got.stdout, denied) {
				t.Errorf("%s = %s: exit code %d, %q, %q", key, wrong, got.exit, got.stdout, got.stderr)
			}
			if p.last(t); key == "session_id" || key == "cwd" || key == "tool_use_id" {
				if !strings.Contains(got.stdout, judged) {
					t.Errorf("%s = %s: the file is still named, and was not protected: %q", key, wrong, got.stdout)
				}
			}
		}
	}
}
