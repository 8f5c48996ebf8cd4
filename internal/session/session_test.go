package session

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/wire"
)

// machine is a home with an agent's program on PATH.
func machine(t *testing.T, vars map[string]string, programs ...string) install.Env {
	t.Helper()
	root := t.TempDir()
	env := install.Env{OS: "linux", Home: filepath.Join(root, "home"), State: filepath.Join(root, "state"), Program: filepath.Join(root, "bin", "hookspan")}
	env.Project = filepath.Join(env.Home, "shop")
	env.Dir = env.Project
	env.Get = func(name string) string {
		if v, ok := vars[name]; ok {
			return v
		}
		return map[string]string{"PATH": filepath.Join(root, "bin"), "HOME": env.Home}[name]
	}
	for _, p := range append(programs, "hookspan") {
		file(t, filepath.Join(root, "bin", p), "#!/bin/sh\necho "+p+"\n", 0o755)
	}
	return env
}

func file(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func request(t *testing.T, name string, env install.Env, args ...string) Request {
	t.Helper()
	a := all.Get(name)
	if a == nil || a.Setup == nil {
		t.Skipf("there is no agent %s", name)
	}
	return Request{Agent: a, With: Of(name), Env: env, Environ: []string{"PATH=" + env.Get("PATH"), "LANG=C"}, Args: args}
}

// What to type instead is install, where install knows the agent's places.
func TestEveryAgentHasAWayOrSaysWhyNot(t *testing.T) {
	for _, a := range all.Agents() {
		name, w, s := a.Name, a.With(), a.Setup()
		installs := len(s.User)+len(s.Project) > 0
		if len(w.Ways) == 0 && (w.Not == "" || installs != strings.Contains(w.Not, "hookspan install --agent "+name)) {
			t.Errorf("%s: neither a way nor what to type instead: %q", name, w.Not)
		}
		for _, way := range w.Ways {
			if len(way.Clash) > 0 && len(w.Ways) == 1 && w.Not == "" {
				t.Errorf("%s: a clash has no words", name)
			}
		}
	}
}

func TestArgumentsStayAsTheyAreAndInOrder(t *testing.T) {
	given := []string{"-p", "--", "a b", "", "--settings-not", "$HOME", "ü"}
	for _, name := range []string{"claude", "codex", "copilot", "droid", "opencode", "pi", "qwen"} {
		t.Run(name, func(t *testing.T) {
			env := machine(t, nil, name)
			s, err := Prepare(request(t, name, env, given...))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if n := len(s.Args) - len(given); n < 0 || strings.Join(s.Args[n:], "\x00") != strings.Join(given, "\x00") {
				t.Errorf("the arguments are %q", s.Args)
			}
		})
	}
}

func TestNothingIsWrittenOutsideTheFolderAndItGoes(t *testing.T) {
	for _, name := range []string{"claude", "codex", "copilot", "droid", "opencode", "pi", "qwen"} {
		t.Run(name, func(t *testing.T) {
			env := machine(t, nil, name)
			s, err := Prepare(request(t, name, env))
			if err != nil {
				t.Fatal(err)
			}
			if s.Dir != "" {
				if info, err := os.Stat(s.Dir); err != nil || info.Mode().Perm() != 0o700 {
					t.Errorf("the folder is %v (%v)", info.Mode(), err)
				}
			}
			if _, err := os.Stat(env.Home); !os.IsNotExist(err) {
				t.Errorf("something was written below the home: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			left, _ := filepath.Glob(filepath.Join(env.State, "*", "*"))
			if len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

func TestClaudeGivesWayToThePersonsSettings(t *testing.T) {
	env := machine(t, nil, "claude")
	for _, args := range [][]string{{"--settings", "mine.json"}, {"-p", "--settings={}"}} {
		s, err := Prepare(request(t, "claude", env, args...))
		if err != nil {
			t.Fatal(err)
		}
		if s.Args[0] != "--plugin-dir" {
			t.Errorf("the arguments are %q", s.Args)
		}
		hooks := parsed(t, filepath.Join(s.Dir, "hooks", "hooks.json"))
		if hooks.Path("hooks", "PreToolUse").Kind() != wire.Array {
			t.Error("the plugin has no PreToolUse")
		}
		s.Close()
	}
}

func TestClashesAreRefusedWithWhatToDo(t *testing.T) {
	for name, args := range map[string][]string{
		"droid": {"exec", "--settings", "x.json"},
		"codex": {"exec", "-c", `hooks.Stop=[]`},
	} {
		env := machine(t, nil, name)
		if _, err := Prepare(request(t, name, env, args...)); err == nil || !strings.Contains(err.Error(), "your own arguments") {
			t.Errorf("%s: %v", name, err)
		}
	}
	env := machine(t, nil, "codex")
	s, err := Prepare(request(t, "codex", env, "-c", "model=\"m\"", "--", "-c", "hooks.x"))
	if err != nil {
		t.Errorf("other settings are no clash: %v", err)
	} else {
		s.Close()
	}
}

func TestMissingProgramIsNamed(t *testing.T) {
	env := machine(t, nil)
	_, err := Prepare(request(t, "claude", env))
	if err == nil || !strings.Contains(err.Error(), `no program "claude" on PATH`) {
		t.Error(err)
	}
}

// The owner of the machine has settings; they stay in force, comments and all, and the file beside them
// is still found.
func TestSettingsOfTheMachineAreCarriedOver(t *testing.T) {
	dir := t.TempDir()
	policy := filepath.Join(dir, "settings.json")
	file(t, policy, "{\n  // by the owner\n  \"tools\": {\"exclude\": [\"web_fetch\"]},\n  \"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"audit\"}]}]}\n}\n", 0o644)
	env := machine(t, map[string]string{"QWEN_CODE_SYSTEM_SETTINGS_PATH": policy}, "qwen")
	s, err := Prepare(request(t, "qwen", env))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	text, err := os.ReadFile(filepath.Join(s.Dir, "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"// by the owner", `"exclude": ["web_fetch"]`, `"audit"`, "hookspan run qwen"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	set := strings.Join(s.Set, "\n")
	if !strings.Contains(set, "QWEN_CODE_SYSTEM_DEFAULTS_PATH="+filepath.Join(dir, "system-defaults.json")) {
		t.Errorf("the variables are %s", set)
	}
}

func TestBrokenSettingsOfTheMachineAreNoReasonToDropThem(t *testing.T) {
	policy := filepath.Join(t.TempDir(), "settings.json")
	file(t, policy, "{\n  \"tools\": [\n", 0o644)
	env := machine(t, map[string]string{"QWEN_CODE_SYSTEM_SETTINGS_PATH": policy}, "qwen")
	if s, err := Prepare(request(t, "qwen", env)); err == nil || !strings.Contains(err.Error(), policy) {
		t.Errorf("%v, %v", s, err)
	}
	if left, _ := filepath.Glob(filepath.Join(env.State, "*", "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestOwnPluginsOfOpenCodeStay(t *testing.T) {
	env := machine(t, map[string]string{"OPENCODE_CONFIG_CONTENT": `{"model":"m","plugin":["mine"]}`}, "opencode")
	s, err := Prepare(request(t, "opencode", env))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, text, _ := strings.Cut(strings.Join(s.Set, "\n"), "OPENCODE_CONFIG_CONTENT=")
	v, err := wire.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var plugins []string
	for p := range v.Get("plugin").Elems() {
		plugins = append(plugins, p.Str())
	}
	if len(plugins) != 2 || plugins[0] != "mine" || !strings.HasSuffix(plugins[1], "hookspan.js") || v.Get("model").Str() != "m" {
		t.Errorf("the variable is %s", text)
	}
}

// Gemini CLI reads a settings file of the machine from folders of root alone.
func TestGeminiIsRefusedBelowAFolderOfOthers(t *testing.T) {
	env := machine(t, nil, "gemini") // below the temporary folder, where everybody may write
	_, err := Prepare(request(t, "gemini", env))
	if err == nil || !strings.Contains(err.Error(), "hookspan install --agent gemini") {
		t.Error(err)
	}
}

func TestFoldersOfKilledSessionsAreRemoved(t *testing.T) {
	env := machine(t, nil, "claude")
	parent := filepath.Join(env.State, "with")
	file(t, filepath.Join(parent, prefix+"dead", pidFile), "999999999\n", 0o600)
	file(t, filepath.Join(parent, prefix+"agent", pidFile), "999999999\n"+strconv.Itoa(os.Getpid())+"\n", 0o600)
	file(t, filepath.Join(parent, prefix+"new", "settings.json"), "{}", 0o600)
	s, err := Prepare(request(t, "claude", env))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for name, want := range map[string]bool{"dead": false, "agent": true, "new": true} {
		if _, err := os.Stat(filepath.Join(parent, prefix+name)); (err == nil) != want {
			t.Errorf("%s is there: %v", name, err == nil)
		}
	}
}

func TestOptionsAreSeenAsTheAgentSeesThem(t *testing.T) {
	for _, c := range []struct {
		args   string
		option string
		want   bool
	}{
		{"--settings x", "--settings", true},
		{"--settings=x", "--settings", true},
		{"--settings-dir x", "--settings", false},
		{"-- --settings x", "--settings", false},
		{"-c hooks.Stop=[]", "-c hooks.", true},
		{"-c model=1", "-c hooks.", false},
		{"-c", "-c hooks.", false},
		{"-chooks.Stop=[]", "-c hooks.", true},
		{"-c=hooks.Stop=[]", "-c hooks.", true},
		{"--color hooks.x", "-c hooks.", false},
		{"--config=hooks.a=1", "--config hooks.", true},
	} {
		if got := given(strings.Fields(c.args), c.option); got != c.want {
			t.Errorf("%s in %q: %v", c.option, c.args, got)
		}
	}
}

func TestVariablesAreReplacedNotRepeated(t *testing.T) {
	got := with([]string{"A=1", "B=2", "A=3"}, []string{"A=4"})
	if strings.Join(got, " ") != "B=2 A=4" {
		t.Errorf("%q", got)
	}
}

func parsed(t *testing.T, path string) wire.Value {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	v, err := wire.Parse([]byte(strings.TrimSpace(string(text))))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
