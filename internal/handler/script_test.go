//go:build unix

package handler

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// scripts is a folder with scripts of each kind, one of them in a folder on PATH.
func scripts(t *testing.T) string {
	dir := t.TempDir()
	for _, name := range []string{"here.py", "here.sh", "here.js", "here.rb", "here.pl", "here.php", "with blank.py", "bin/tool"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestMissingScript(t *testing.T) {
	dir := scripts(t)
	env := []string{"CLAUDE_PROJECT_DIR=" + dir, "HOOKSPAN_X=gone", "BLANK=a b", "EMPTY=", "HOME=" + dir, "PATH=" + dir + "/bin"}
	tests := []struct {
		shell string
		want  string // the missing script; "" = nothing to say
	}{
		{"python3 gone.py", "gone.py"},
		{"python3 here.py", ""},
		{"python3 -u -X dev -Wignore -W error gone.py --flag", "gone.py"},
		{"python3 -uB here.py", ""},
		{"/usr/bin/python3.12 gone.py", "gone.py"},
		{"py -3.12 gone.py", "gone.py"},
		{"python3 -m gone.py", ""},
		{"python3 -c 'import gone'", ""},
		{"python3 -um gone", ""},
		{"python3 - gone.py", ""},
		{"python3 --unknown gone.py", ""},
		{"python3 -Z gone.py", ""},
		{"python3", ""},
		{"python3-config gone.py", ""},
		{`python3 "$CLAUDE_PROJECT_DIR/gone.py"`, dir + "/gone.py"},
		{`python3 "$CLAUDE_PROJECT_DIR"/here.py`, ""},
		{`python3 ${CLAUDE_PROJECT_DIR}/gone.py`, dir + "/gone.py"},
		{`python3 "with blank.py"`, ""},
		{`python3 with\ blank.py`, ""},
		{`python3 'gone $HOOKSPAN_X.py'`, "gone $HOOKSPAN_X.py"},
		{`python3 $HOOKSPAN_X.py`, "gone.py"},
		{`python3 $BLANK.py`, ""},
		{`python3 "$BLANK.py"`, "a b.py"},
		{`python3 $EMPTY here.py`, ""},
		{`python3 $UNSET gone.py`, "gone.py"},
		{"python3 $1", ""},
		{"python3 *.py", ""},
		{"python3 ~/gone.py", dir + "/gone.py"},
		{"python3 ~/here.py", ""},
		{"python3 ~other/gone.py", ""},
		{"python3 $(cat name)", ""},
		{"python3 `cat name`", ""},
		{"python3 ${X:-gone.py}", ""},
		{"python3 gone.py 2>/dev/null", "gone.py"},
		{"python3 gone.py >log 2>&1 <in", "gone.py"},
		{"python3 2>/dev/null gone.py", "gone.py"},
		{"python3 <<EOF\ngone\nEOF", ""},
		{"python3 gone.py # check", "gone.py"},
		{"python3 gone.py\n", "gone.py"},
		{"python3 \\\n  gone.py", "gone.py"},
		{"python3 gone.py || true", ""},
		{"cd x && python3 gone.py", ""},
		{"python3 gone.py; true", ""},
		{"python3 gone.py & wait", ""},
		{"python3 gone.py\ntrue", ""},
		{"python3 'gone.py", ""},
		{"X=1 Y='a b' python3 gone.py", "gone.py"},
		{"exec python3 gone.py", "gone.py"},
		{"env python3 gone.py", "gone.py"},
		{"/usr/bin/env -S python3 -u gone.py", "gone.py"},
		{"env X=1 python3 gone.py", "gone.py"},
		{"env -i python3 gone.py", ""},
		{"timeout 10 python3 gone.py", "gone.py"},
		{"timeout -k 1 10 python3 gone.py", ""},
		{"nohup exec env python3 gone.py", "gone.py"},
		{"uv run python gone.py", "gone.py"},
		{"poetry run python here.py", ""},
		{"uv pip gone.py", ""},

		{"sh gone.sh", "gone.sh"},
		{"sh ./here.sh", ""},
		{"bash -euo pipefail gone.sh", "gone.sh"},
		{"bash -eu -o pipefail +x here.sh", ""},
		{"bash --norc -- gone.sh", "gone.sh"},
		{"bash --rcfile gone here.sh", ""},
		{"sh -c 'gone.sh'", ""},
		{"bash -lc gone.sh", ""},
		{"sh -s gone.sh", ""},
		{"sh tool", ""},
		{"sh ./tool", "./tool"},
		{"sh -", ""},

		{"node gone.js", "gone.js"},
		{"node here.js", ""},
		{"node gone", ""},
		{"node --no-warnings --require x gone.mjs", "gone.mjs"},
		{"node -e gone.js", ""},
		{"bun run gone.ts", "gone.ts"},
		{"bun run build", ""},
		{"bun gone.ts", "gone.ts"},
		{"deno run -A --allow-read=. gone.ts", "gone.ts"},
		{"deno run https://example.com/x.ts", ""},
		{"deno test gone.ts", ""},
		{"ruby -w gone.rb", "gone.rb"},
		{"ruby -I lib here.rb", ""},
		{"ruby -S gone.rb", ""},
		{"perl -w -Mstrict gone.pl", "gone.pl"},
		{"perl -Ilib -T here.pl", ""},
		{"perl -ne gone.pl", ""},
		{"php -f gone.php", "gone.php"},
		{"php here.php", ""},
		{"php -r gone.php", ""},
		{"lua gone.lua", "gone.lua"},
		{"pwsh -NoProfile -File gone.ps1", "gone.ps1"},
		{"powershell.exe -ExecutionPolicy Bypass -file here.py", ""},
		{"pwsh -Command gone.ps1", ""},
		{"pwsh -File -", ""},

		{"", ""},
		{"./gone.sh", ""},
		{"make gone", ""},
		{"if python3 gone.py", ""},
		{"$X gone.py", ""},
	}
	for _, tt := range tests {
		c := Command{Shell: tt.shell, Dir: dir, Env: env}
		got, missing := c.MissingScript()
		if got != tt.want || missing != (tt.want != "") {
			t.Errorf("%q: %q, %v; want %q", tt.shell, got, missing, tt.want)
		}
	}
}

func TestMissingScriptOfWords(t *testing.T) {
	dir := scripts(t)
	tests := []struct {
		argv []string
		want string
	}{
		{[]string{"python3", "gone $X.py"}, "gone $X.py"},
		{[]string{"python3", "with blank.py"}, ""},
		{[]string{"python3", dir + "/here.py/below"}, ""}, // not a plain "no such file": the system decides
		{[]string{"X=1", "python3", "gone.py"}, ""},
		{[]string{"env", "X=1", "python3", "gone.py"}, "gone.py"},
		{[]string{}, ""},
		{nil, ""},
	}
	for _, tt := range tests {
		got, _ := Command{Argv: tt.argv, Dir: dir}.MissingScript()
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.argv, got, tt.want)
		}
	}
}

func TestScriptGoneIsRecognisedBehindTheRun(t *testing.T) {
	dir := scripts(t)
	tests := []struct {
		stderr string
		want   string
	}{
		{"python3: can't open file '/x/gone.py': [Errno 2] No such file or directory\n", "/x/gone.py"},
		{"/usr/bin/python3.12: can't open file 'gone.py': [Errno 2] No such file", "gone.py"},
		{"sh: 0: cannot open gone.sh: No such file", "gone.sh"},
		{"/a b/guard.sh: 3: .: cannot open ./lib.sh: No such file", "./lib.sh"},
		{"sh: can't open 'gone.sh': No such file or directory", "gone.sh"},
		{"Can't open perl script \"gone.pl\": No such file or directory", "gone.pl"},
		{"error: Failed to spawn: `gone.py`\n  Caused by: No such file or directory (os error 2)", "gone.py"},
		{"warning: x\npython3: can't open file 'gone.py': [Errno 2]", "gone.py"},
		{"python3: can't open file 'here.py': [Errno 13] Permission denied", ""},
		{"You can't open file 'gone.py' here", ""},
		{"blocked: the tool says: can't open file 'gone.py'", ""},
		{"cannot open ", ""},
		{"no rm here", ""},
		{"", ""},
	}
	c := Command{Dir: dir}
	for _, tt := range tests {
		out := Output{Exit: 2, Stderr: []byte(tt.stderr)}
		got, gone := c.scriptGone(out)
		if got != tt.want || gone != (tt.want != "") {
			t.Errorf("%q: %q, want %q", tt.stderr, got, tt.want)
		}
		if _, err := c.Answer(gate, out); (err != nil) != (tt.want != "") {
			t.Errorf("%q: %v", tt.stderr, err)
		}
		out.Exit = 1
		if _, gone := c.scriptGone(out); gone {
			t.Errorf("%q with exit code 1", tt.stderr)
		}
	}
}

// The real interpreters of this machine, with a script that does not exist: whatever they say and
// however they leave, it is no no.
func TestRealInterpretersWithoutScript(t *testing.T) {
	for _, command := range []string{"sh gone.sh", "sh -c 'sh gone.sh'", ". ./gone.sh", "bash gone.sh", "dash gone.sh",
		"python3 gone.py", "cd / && python3 gone.py", "perl gone.pl", "true && perl gone.pl", "node gone.js", "true && node gone.js", "ruby gone.rb", "php gone.php"} {
		c := Command{Shell: command, Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}, Timeout: 30 * time.Second}
		d, out, err := c.Decide(t.Context(), gate)
		if err == nil || !d.Silent() {
			t.Errorf("%s: %+v, exit %d %s", command, d, out.Exit, out.Stderr)
		}
	}
}

// What is reported as missing is what the real shell would look for: the words of a command line
// are split as sh splits them.
func FuzzWordsAreThoseOfTheShell(f *testing.F) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		f.Skip("there is no sh")
	}
	for _, s := range []string{`a "b c" 'd'"e" \f`, `$A "${A}x" "$B" $C y`, "x # y", `~/x "\$A" '\'`, "a 2>/dev/null b", `"" '' $D x`, `a\\b "c\d"`, `$ "$" $1 "$@"`, "$0", "''~", "$D~"} {
		f.Add(s)
	}
	env := map[string]string{"A": "val", "B": "two words", "C": "x", "D": "", "HOME": "/home/dev"}
	look := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	list := []string{"PATH=" + os.Getenv("PATH")}
	for k, v := range env {
		list = append(list, k+"="+v)
	}
	f.Fuzz(func(t *testing.T, text string) {
		// Only text that cannot be anything but arguments: nothing runs but printf.
		if strings.Trim(text, safe) != "" {
			t.Skip()
		}
		words, ok := splitWords("x "+text, look)
		if !ok {
			return
		}
		want := ""
		for _, w := range words[1:] {
			if !w.known {
				return
			}
			want += "[" + w.text + "]"
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, sh, "-c", "set -f; test $# -eq 0 || exit 9; p() { for w; do printf '[%s]' \"$w\"; done; }; p "+text)
		cmd.Env, cmd.Dir = list, t.TempDir()
		out, err := cmd.Output()
		if exit := new(exec.ExitError); errors.As(err, &exit) {
			t.Fatalf("sh refuses %q, which has the words %s", text, want)
		}
		if string(out) != want {
			t.Errorf("%q: words %s, sh has %s", text, want, out)
		}
	})
}

const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 \t_./-+=:,@%^~#$\"'\\{}"
