package install

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
)

// lived is a home in which each agent has hooks of others already, laid out as people do.
func lived(t testing.TB) Env {
	e := scratch(t)
	claude := "{\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": [\r\n\t\t\t{ \"matcher\": \"Bash\", \"hooks\": [{\"type\":\"command\",\"command\":\"echo hookspan run claude\"}] }\r\n\t\t]\r\n\t},\r\n\t\"n\": 1.0\r\n}"
	e.write(t, ".claude/settings.json", claude)
	e.write(t, "shop/.claude/settings.json", claude)
	e.write(t, ".codex/config.toml", "model = \"m\" # mine\n\n[hooks]\nStop = [{ hooks = [{ type = \"command\", command = \"late\" }] }]\n")
	e.write(t, ".gemini/settings.json", "// mine\n{\"hooks\": {\"AfterAgent\": []}, \"ui\": {}}\n")
	e.write(t, ".qwen/settings.json", "{}")
	e.write(t, ".factory/hooks.json", "{\n  \"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"a\"}]}]\n}\n")
	e.write(t, ".factory/settings.json", "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"b\"}]}]}}\n")
	e.write(t, ".cursor/hooks.json", "{\"version\":1,\"hooks\":{\"preToolUse\":[{\"command\":\"a\"}]}}\n")
	e.write(t, ".copilot/hooks/team.json", "{\"version\": 1, \"hooks\": {}}\n")
	e.write(t, ".copilot/hooks/hookspan.json", "{\"version\": 1, \"hooks\": {}}\n") // somebody else has the name
	e.write(t, ".gemini/config/hooks.json", "{\"team\": {\"Stop\": [{\"command\": \"x\"}]}}\n")
	e.write(t, ".config/opencode/plugins/team.js", "export const A = async () => ({})\n")
	return e
}

// Install and uninstall together change nothing; a second install changes nothing either.
func TestUninstallUndoesInstallToTheByte(t *testing.T) {
	for _, make := range []func(testing.TB) Env{scratch, lived} {
		for _, scope := range scopes() {
			for _, a := range registrable(t) {
				e := make(t)
				m := Manifests{Project: plan(t, shopManifest)}
				before := e.tree(t)
				mustInstall(t, e, a, m, Options{Scope: scope})
				first := e.tree(t)
				if !e.Registered(a, scope) || e.Registered(a, 1-scope) {
					t.Errorf("%s %s: Registered does not tell what is there", a.Name, scope)
				}
				if maps.Equal(before, first) {
					t.Errorf("%s %s: install changed nothing", a.Name, scope)
				}
				for _, f := range mustInstall(t, e, a, m, Options{Scope: scope}) {
					if f.Changed {
						t.Errorf("%s %s: the second install changed %s", a.Name, scope, f.Path)
					}
				}
				mustUninstall(t, e, a, Options{Scope: scope})
				if after := e.tree(t); !maps.Equal(before, after) {
					t.Errorf("%s %s: after uninstall %v, before install %v", a.Name, scope, after, before)
				}
			}
		}
	}
}

// All agents in one home, in any order of leaving.
func TestAgentsThatShareFoldersLeaveNothing(t *testing.T) {
	e := scratch(t)
	before := e.tree(t)
	agents := registrable(t)
	for _, a := range agents {
		mustInstall(t, e, a, Manifests{}, Options{})
	}
	for _, i := range []int{3, 0, 2, 1} {
		mustUninstall(t, e, agents[i], Options{})
	}
	for _, a := range agents[4:] {
		mustUninstall(t, e, a, Options{})
	}
	if after := e.tree(t); !maps.Equal(before, after) {
		t.Errorf("left: %v", after)
	}
}

func TestADryRunTouchesNothing(t *testing.T) {
	e := lived(t)
	before := e.tree(t)
	for _, a := range registrable(t) {
		for _, f := range mustInstall(t, e, a, Manifests{}, Options{DryRun: true}) {
			if !f.Changed || string(f.Before) == string(f.After) {
				t.Errorf("%s: shows no change of %s", a.Name, f.Path)
			}
		}
	}
	if after := e.tree(t); !maps.Equal(before, after) {
		t.Error("a file has changed")
	}
	if _, err := os.Stat(e.State); err == nil {
		t.Error("a dry run made the state folder")
	}
}

// A program that has moved is followed in place: no entry of the old place stays, none is there twice.
func TestAMovedProgramIsFollowedInPlace(t *testing.T) {
	for _, a := range registrable(t) {
		e := lived(t)
		before := e.tree(t)
		mustInstall(t, e, a, Manifests{}, Options{})
		e.Program = "/new place/hookspan"
		files := mustInstall(t, e, a, Manifests{}, Options{})
		for _, f := range files {
			text := string(f.After)
			if strings.Contains(text, "/opt/tools") || !strings.Contains(text, "/new place/hookspan") {
				t.Errorf("%s: %s", a.Name, text)
			}
		}
		mustUninstall(t, e, a, Options{})
		if after := e.tree(t); !maps.Equal(before, after) {
			t.Errorf("%s: after uninstall %v", a.Name, after)
		}
	}
}

// A user's own time limit stays; the user's narrower matcher stays; a second copy of ours goes.
func TestWhatTheUserTunedStays(t *testing.T) {
	e := scratch(t)
	a := all.Get("claude")
	mustInstall(t, e, a, Manifests{}, Options{})
	path := filepath.Join(e.Home, ".claude/settings.json")
	text := strings.Replace(e.readFile(t, ".claude/settings.json"), "\"timeout\": 600", "\"timeout\": 7", -1)
	e.write(t, ".claude/settings.json", text)
	if files := mustInstall(t, e, a, Manifests{}, Options{}); files[0].Changed {
		t.Errorf("install changed %s", path)
	}
	e.Program = "/new/hookspan"
	mustInstall(t, e, a, Manifests{}, Options{})
	if got := e.readFile(t, ".claude/settings.json"); strings.Count(got, "\"timeout\": 7") == 0 || strings.Contains(got, "/opt/tools") {
		t.Error(got)
	}
	mustUninstall(t, e, a, Options{})
	if got := e.tree(t)[".claude/settings.json"]; strings.Contains(got, "hookspan") {
		t.Error(got)
	}
}

// Of a group that is shared with others only our handler goes, with the state folder or without it.
func TestASharedGroupLosesOnlyOurHandler(t *testing.T) {
	for _, lost := range []bool{false, true} {
		e := scratch(t)
		a := all.Get("claude")
		mustInstall(t, e, a, Manifests{}, Options{})
		text := strings.Replace(e.readFile(t, ".claude/settings.json"), `"hooks": [`, `"hooks": [{"type": "command", "command": "mine"}, `, 1)
		e.write(t, ".claude/settings.json", text)
		if lost {
			if err := os.RemoveAll(e.State); err != nil {
				t.Fatal(err)
			}
		}
		mustUninstall(t, e, a, Options{})
		if got := e.readFile(t, ".claude/settings.json"); strings.Contains(got, "hookspan") || !strings.Contains(got, `"command": "mine"`) {
			t.Errorf("state lost %v: %s", lost, got)
		}
	}
}

// A refusal names file and line and leaves all files of the agent as they were.
func TestARefusalLeavesEveryFile(t *testing.T) {
	e := lived(t)
	e.write(t, ".factory/settings.json", "{\n  \"hooks\": {\"Stop\": {}}\n}\n")
	before := e.tree(t)
	_, err := e.Install(context.Background(), all.Get("droid"), Manifests{}, Options{})
	if err == nil || !strings.Contains(err.Error(), ".factory/settings.json:2:") {
		t.Errorf("got %v", err)
	}
	if after := e.tree(t); !maps.Equal(before, after) {
		t.Error("a file has changed")
	}
}

// A project's registration follows its manifest on every machine, also where the ledger knows nothing.
func TestAProjectsRegistrationFollowsItsManifest(t *testing.T) {
	for _, lost := range []bool{false, true} {
		for _, name := range []string{"claude", "codex", "cursor"} {
			e, a, o := scratch(t), all.Get(name), Options{Scope: agent.ScopeProject}
			mustInstall(t, e, a, Manifests{Project: plan(t, shopManifest)}, o)
			if lost {
				if err := os.RemoveAll(e.State); err != nil {
					t.Fatal(err)
				}
			}
			less := Manifests{Project: plan(t, "hooks: {PreToolUse: [{matcher: Read, hooks: [{command: x}]}]}")}
			got := mustInstall(t, e, a, less, o)
			fresh := scratch(t)
			want := mustInstall(t, fresh, a, less, o)
			if string(got[0].After) != string(want[0].After) && !lost {
				t.Errorf("%s: %s", name, got[0].After)
			}
			if text := string(got[0].After); strings.Contains(text, "top ") || !strings.Contains(text, "ToolUse") {
				t.Errorf("%s, lost %v: %s", name, lost, text)
			}
		}
	}
}

// Of two faults the one in the text is told, not the mark in front of it.
func TestAFaultBehindAByteOrderMarkIsTold(t *testing.T) {
	e := scratch(t)
	for text, want := range map[string]string{"\ufeff{}": "hooks.json:1:", "\ufeff{\n\n\"a\": }": "hooks.json:3:"} {
		e.write(t, ".codex/hooks.json", text)
		if _, err := e.Install(context.Background(), all.Get("codex"), Manifests{}, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAProjectThatIsTheHomeIsRefused(t *testing.T) {
	e := scratch(t)
	e.Project = e.Home
	if _, err := e.Install(context.Background(), all.Get("claude"), Manifests{}, Options{Scope: agent.ScopeProject}); err == nil {
		t.Error("the user's own settings were taken for a project's")
	}
}

// A link out of the home is followed only when that was said.
func TestALinkOutOfTheHomeNeedsAWord(t *testing.T) {
	e := scratch(t)
	out := filepath.Join(t.TempDir(), "settings.json")
	if err := os.WriteFile(out, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(e.Home, ".claude"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(out, filepath.Join(e.Home, ".claude/settings.json")); err != nil {
		t.Skip(err)
	}
	a := all.Get("claude")
	_, err := e.Install(context.Background(), a, Manifests{}, Options{})
	if err == nil || !strings.Contains(err.Error(), "--follow-links") {
		t.Fatalf("got %v", err)
	}
	mustInstall(t, e, a, Manifests{}, Options{FollowLinks: true})
	mustUninstall(t, e, a, Options{})
	if b, _ := os.ReadFile(out); string(b) != "{}\n" {
		t.Errorf("got %q", b)
	}
}

// What is kept to undo is for nobody else's eyes.
func TestTheLedgerIsPrivate(t *testing.T) {
	e := lived(t)
	mustInstall(t, e, all.Get("claude"), Manifests{}, Options{})
	err := filepath.WalkDir(e.State, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %o", path, info.Mode().Perm())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Each agent's carriers are files that its table of places says are read.
func TestCarriersAreFilesThatTheAgentReads(t *testing.T) {
	e := scratch(t)
	for _, a := range registrable(t) {
		s := a.Setup()
		for _, scope := range scopes() {
			for _, c := range s.Carriers(scope) {
				path, err := e.Path(c.Path)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.ContainsFunc(a.Places(), func(p agent.Place) bool { return p.Read && p.Scope == scope && e.covers(t, p.Path, path) }) {
					t.Errorf("%s: no place says that %s is read", a.Name, c.Path)
				}
			}
		}
	}
}

// covers reports whether a place is the file, or the folder or pattern that takes it in.
func (e Env) covers(t *testing.T, place, path string) bool {
	t.Helper()
	head, _, glob := strings.Cut(place, "*")
	at, err := e.Path(head)
	if err != nil {
		t.Fatal(err)
	}
	if glob || strings.HasSuffix(place, "/") {
		return strings.HasPrefix(path, at+string(filepath.Separator))
	}
	return at == path
}
