package live

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/fakemodel"
)

// agentSandbox is a sandbox of a real driver with a program that is never started.
func agentSandbox(t *testing.T, name string) *Sandbox {
	t.Helper()
	d, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return sandbox(t, d)
}

func TestDriversAreWhole(t *testing.T) {
	for _, d := range Drivers() {
		if d.Name == "" || d.Title == "" || d.Package == "" || d.Version == "" || d.Command == "" || len(d.Executables) == 0 || len(d.Events) == 0 ||
			d.Configure == nil || d.Environ == nil || d.Args == nil || d.Register == nil || d.Tool == nil || d.Answer == nil ||
			len(d.Raises()) == 0 || d.Plugin != (witnessPlugins[d.Name] != "") {
			t.Errorf("something is missing of %+v", d)
		}
		for _, e := range d.Executables {
			if strings.HasSuffix(e, "js") && d.Node == "" {
				t.Errorf("%s: %s needs a Node.js", d.Name, e)
			}
		}
		if found, err := Lookup(d.Name); err != nil || found.Title != d.Title {
			t.Errorf("Lookup(%q): %v, %v", d.Name, found, err)
		}
	}
	if _, err := Lookup("emacs"); err == nil || !strings.Contains(err.Error(), "claude, codex, gemini") {
		t.Errorf("an unknown agent: %v", err)
	}
}

// TestEveryAgentTranslatesTheScriptOfTheProofs and names its tools.
func TestEveryAgentTranslatesTheScriptOfTheProofs(t *testing.T) {
	for _, d := range Drivers() {
		s := sandbox(t, d)
		if _, err := fakemodel.New(proofScript(), s.tool); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
		_, err := fakemodel.New(Script{Call(Patch("*** Begin Patch\n*** End Patch\n"))}, s.tool)
		if (err == nil) != (d.PatchModel != "") {
			t.Errorf("%s: patch model %q, but %v", d.Name, d.PatchModel, err)
		}
	}
}

func TestCodexEditsByPatch(t *testing.T) {
	s := agentSandbox(t, "codex")
	for want, a := range map[string]Action{
		"*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch\n":                Write("a.txt", "one\ntwo\n"),
		"*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n-two\n+three\n*** End Patch\n": Edit("a.txt", "one\ntwo", "three"),
		"*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n":                         Patch("*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n"),
		"*** Begin Patch\n*** Update File: a.txt\n@@\n-" + "\n+ä\n*** End Patch\n":         Edit("a.txt", "\n", "ä"),
	} {
		if call, err := s.tool(a); err != nil || call.Free != want || call.Name != "apply_patch" {
			t.Errorf("got %+v, %v; want %q", call, err, want)
		}
	}
}

// TestRegistrationsStandWhereAgentsLook holds each agent's file, shape and unit of time.
func TestRegistrationsStandWhereAgentsLook(t *testing.T) {
	group := func(handler string) string { return `[{"hooks":[` + handler + `]}]` }
	for name, c := range map[string]struct{ event, file, key, want string }{
		"claude":  {"PreToolUse", ".claude/settings.json", "hooks", group(`{"type":"command","command":"'/a b' run","timeout":30}`)},
		"codex":   {"PreToolUse", ".codex/hooks.json", "hooks", group(`{"type":"command","command":"'/a b' run","timeout":30}`)},
		"gemini":  {"BeforeTool", ".gemini/settings.json", "hooks", group(`{"type":"command","command":"'/a b' run","timeout":30000}`)},
		"copilot": {"preToolUse", ".copilot/hooks/hookspan.json", "hooks", `[{"type":"command","bash":"'/a b' run preToolUse","timeoutSec":30}]`},
		"droid":   {"PreToolUse", ".factory/settings.json", "hooks", group(`{"type":"command","command":"'/a b' run","timeout":30}`)},
		"qwen":    {"PreToolUse", ".qwen/settings.json", "hooks", group(`{"type":"command","command":"'/a b' run","timeout":30}`)},
	} {
		s := agentSandbox(t, name)
		before := members(t, s, c.file)
		if err := s.Register(Registration{Command: Quote("/a b") + " run", Events: []string{c.event}}); err != nil {
			t.Fatal(err)
		}
		after := members(t, s, c.file)
		var want any
		if err := json.Unmarshal([]byte(`{"`+c.event+`":`+c.want+`}`), &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(after[c.key], want) {
			t.Errorf("%s: got %v, want %v", name, after[c.key], want)
		}
		for k, v := range before {
			if !reflect.DeepEqual(after[k], v) {
				t.Errorf("%s: %s was lost", name, k)
			}
		}
	}
}

func members(t *testing.T, s *Sandbox, file string) object {
	t.Helper()
	out := object{}
	text, err := os.ReadFile(filepath.Join(s.Home, file))
	if os.IsNotExist(err) {
		return out
	}
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPluginsAreWrittenAsTheyAre(t *testing.T) {
	for name, file := range map[string]string{"opencode": ".config/opencode/plugins/hookspan.js", "pi": ".pi/agent/extensions/hookspan.js"} {
		s := agentSandbox(t, name)
		if err := s.Register(Registration{Plugin: []byte("// <code> \x00\n")}); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(filepath.Join(s.Home, file)); err != nil || string(text) != "// <code> \x00\n" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestARegistrationThatAnAgentCannotTakeIsRefused(t *testing.T) {
	if err := agentSandbox(t, "pi").Register(Registration{Command: "x"}); err == nil || !strings.Contains(err.Error(), "hooks are code") {
		t.Errorf("got %v", err)
	}
	if err := agentSandbox(t, "claude").Register(Registration{Plugin: []byte("x")}); err == nil || !strings.Contains(err.Error(), "no command line") {
		t.Errorf("got %v", err)
	}
}

// TestCodexHashesAreItsOwn: the hashes are those that Codex 0.171.0 listed for these definitions.
func TestCodexHashesAreItsOwn(t *testing.T) {
	for _, c := range []struct{ event, command, want string }{
		{"PreToolUse", "true", "sha256:3e090fb4b9152d9fb4888d607c0cdda92da53888edba81069641afa35ead0d00"},
		{"SessionEnd", "'/a b/hookspan' run codex <ä>", "sha256:43231c28be888a025bae2258b5cc56821f9320a26e3b7a631f5fd85e0791cc84"},
	} {
		d := codex()
		if got, err := codexHash(c.event, d.codexHandler(Registration{Command: c.command})(c.event)); got != c.want || err != nil {
			t.Errorf("%s: got %s, %v", c.event, got, err)
		}
	}
}

func TestCodexTrustsTheRegistration(t *testing.T) {
	s := agentSandbox(t, "codex")
	if err := s.Register(Registration{Command: "true", Events: []string{"PreToolUse"}}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(s.Home, ".codex", "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"[hooks.state.\"" + s.Home + "/.codex/hooks.json:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:3e090fb4b9152d9fb4888d607c0cdda92da53888edba81069641afa35ead0d00\"\n",
		"[projects.\"" + s.Project + "\"]\ntrust_level = \"trusted\"\n",
		"base_url = \"" + s.URL + "/v1\"\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("config.toml lacks %q:\n%s", want, text)
		}
	}
}

func TestTheModelIsTold(t *testing.T) {
	for _, d := range Drivers() {
		opts := shell()
		opts.Model = "some-model"
		s, err := NewSandbox(d, opts)
		if err != nil {
			t.Fatal(err)
		}
		told := strings.Join(s.Environ(), "\n") + strings.Join(d.Args(s, "p"), "\n") + configuration(t, s)
		if !strings.Contains(told, "some-model") {
			t.Errorf("%s never hears of the model", d.Name)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// configuration is every file in the home, joined.
func configuration(t *testing.T, s *Sandbox) string {
	t.Helper()
	var out strings.Builder
	if err := filepath.WalkDir(s.Home, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		out.Write(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestClaudeAnswerIsTheResult(t *testing.T) {
	out := "{\"type\":\"system\"}\nnoise\n{\"type\":\"result\",\"result\":\"All\\ndone\"}\n"
	if got := claudeAnswer(out); got != "All\ndone" {
		t.Errorf("got %q", got)
	}
}
