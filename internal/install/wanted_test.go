package install

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
)

var update = flag.Bool("update", false, "write the golden files anew")

func checkOurs(t *testing.T, e Env, program string, a *agent.Agent) {
	t.Helper()
	s := a.Setup()
	for _, scope := range scopes() {
		entries, err := e.Wanted(a, Want{Scope: scope})
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		for _, en := range entries {
			for _, k := range en.keys {
				got, ok := Starts(k.line, names(a, &s))
				want := program
				if scope == agent.ScopeProject {
					want = Name
				}
				if !ok || got.Program != want || got.Native != en.Native || got.Project != (scope == agent.ScopeProject && s.Checkout != "") {
					t.Errorf("%s %s: %q is read as %+v, %v", a.Name, scope, k.line, got, ok)
				}
			}
		}
	}
}

// What is written into an empty home, agent by agent.
func TestGoldenRegistrations(t *testing.T) {
	for _, a := range registrable(t) {
		for _, scope := range scopes() {
			e := scratch(t)
			m := Manifests{Project: plan(t, shopManifest)}
			for _, f := range mustInstall(t, e, a, m, Options{Scope: scope}) {
				rel, _ := filepath.Rel(e.Home, f.Path)
				if a.Setup().Layout == agent.Generated {
					continue // its own package tests the code
				}
				name := filepath.Join("testdata", "golden", a.Name+"-"+scope.String()+filepath.Ext(f.Path))
				text := "# " + rel + "\n" + string(f.After)
				if *update {
					if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(name)
				if err != nil || string(want) != text {
					t.Errorf("%s %s writes %s\n%s", a.Name, scope, rel, text)
				}
			}
		}
	}
}

// Hot events and those whose registration changes the agent are never registered by themselves.
func TestNoHotOrDangerousEventIsRegistered(t *testing.T) {
	e := scratch(t)
	for _, a := range registrable(t) {
		entries, err := e.Wanted(a, Want{})
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) == 0 {
			t.Errorf("%s: nothing is registered", a.Name)
		}
		for _, en := range entries {
			if r := a.Row(en.Native); r == nil || r.Hot != "" || r.Danger != "" {
				t.Errorf("%s: %s is registered", a.Name, en.Native)
			}
		}
	}
}

// Codex rejects a file with a fraction in a time limit, Antigravity too.
func TestWholeSecondsWhereAFractionVoidsTheFile(t *testing.T) {
	e := scratch(t)
	for _, name := range []string{"codex", "antigravity"} {
		entries, err := e.Wanted(all.Get(name), Want{})
		if err != nil {
			t.Fatal(err)
		}
		for _, en := range entries {
			if strings.Contains(string(en.JSON), `"timeout":0`) || strings.Contains(strings.SplitAfter(string(en.JSON), `"timeout":`)[1], ".") {
				t.Errorf("%s %s: %s", name, en.Native, en.JSON)
			}
		}
	}
}

// Cursor cuts // and /* out of strings.
func TestNoCommentMarksInCursorsStrings(t *testing.T) {
	e := scratch(t)
	e.Program = "/opt/a*/*b/hookspan"
	entries, err := e.Wanted(all.Get("cursor"), Want{})
	if err != nil {
		t.Fatal(err)
	}
	for _, en := range entries {
		if strings.Contains(string(en.JSON), "/*") || strings.Contains(string(en.JSON), "//") {
			t.Errorf("%s", en.JSON)
		}
		var h struct{ Command string }
		if err := json.Unmarshal(en.JSON, &h); err != nil || h.Command != en.Command {
			t.Errorf("%s reads as %q, want %q (%v)", en.JSON, h.Command, en.Command, err)
		}
	}
}

// Gemini and Qwen expand variables in settings, inside quotes too.
func TestAPathThatTheAgentWouldChangeIsRefused(t *testing.T) {
	e := scratch(t)
	e.Program = "/opt/$HOME/hookspan"
	if _, err := e.Wanted(all.Get("gemini"), Want{}); err == nil || !strings.Contains(err.Error(), "move the program") {
		t.Errorf("got %v", err)
	}
	if _, err := e.Wanted(all.Get("claude"), Want{}); err != nil {
		t.Error(err)
	}
}

func TestStrictIsSaidOnlyWhereTheAgentHasAWordForIt(t *testing.T) {
	e := scratch(t)
	for name, key := range map[string]string{"claude": `"onFailure":"block"`, "cursor": `"failClosed":true`} {
		entries, err := e.Wanted(all.Get(name), Want{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		for _, en := range entries {
			if strings.Contains(string(en.JSON), key) {
				said++
			}
		}
		if said == 0 || said == len(entries) {
			t.Errorf("%s: %d of %d entries have %s", name, said, len(entries), key)
		}
	}
}

// A project's registration has the events and tools that its manifest needs, rounded up.
func TestNeedsAreRoundedUp(t *testing.T) {
	tests := []struct {
		agent, manifest, event, matcher string
		missing                         bool
	}{
		{"claude", "PreToolUse: [{matcher: Bash, hooks: [{command: x}]}]", "PreToolUse", "Bash", false},
		{"claude", "PreToolUse: [{matcher: Bash, hooks: [{command: x}]}]", "Stop", "", true},
		{"claude", "PreToolUse: [{hooks: [{command: x}]}]", "PreToolUse", "", false},
		{"claude", "PreToolUse: [{matcher: 'mcp__.*', hooks: [{command: x}]}]", "PreToolUse", "", false},
		{"claude", "PreToolUse: [{matcher: Bash, hooks: [{command: x, agents: [codex]}]}]", "PreToolUse", "", true},
		{"codex", "PreToolUse: [{matcher: Bash, hooks: [{command: x}]}]", "PreToolUse", "", false},
		{"gemini", "PostToolUse: [{matcher: Write, hooks: [{command: x}]}]", "AfterTool", "^(write_file)$", false},
		{"gemini", "PostToolUseFailure: [{hooks: [{command: x}]}]", "AfterTool", "", false},
	}
	e := scratch(t)
	for _, tt := range tests {
		a := all.Get(tt.agent)
		entries, err := e.Wanted(a, Want{Scope: agent.ScopeProject, Needs: NeedsOf(a, plan(t, "hooks: {"+tt.manifest+"}"))})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(entries, func(en Entry) bool { return en.Native == tt.event })
		if tt.missing != (i < 0) || i >= 0 && entries[i].Matcher != tt.matcher {
			t.Errorf("%s, %s: %s is %d of %v", tt.agent, tt.manifest, tt.event, i, entries)
		}
	}
}

// A generated file has one list of tools for all events: one event that is needed for all tools makes it all.
func TestTheToolsOfAGeneratedFileAreThoseOfAllEvents(t *testing.T) {
	a := all.Get("opencode")
	some := NeedsOf(a, plan(t, "hooks: {PreToolUse: [{matcher: Bash, hooks: [{command: x}]}], Stop: [{hooks: [{command: x}]}]}"))
	if got := some.tools(); len(got) != 1 || got[0] != "bash" {
		t.Errorf("got %v", got)
	}
	wide := NeedsOf(a, plan(t, "hooks: {PreToolUse: [{hooks: [{command: x}]}], PostToolUse: [{matcher: Write, hooks: [{command: x}]}]}"))
	if got := wide.tools(); got != nil {
		t.Errorf("got %v", got)
	}
}

// A handler that can never run in an agent is told; one that is there to refuse is a fault.
func TestDeadHandlers(t *testing.T) {
	p := plan(t, `hooks:
  PermissionRequest: [{hooks: [{command: x, name: ask}]}]
  PreToolUse: [{matcher: Grep, hooks: [{guard: protect-paths, paths: [".env"], name: grep}]}]
  Stop: [{hooks: [{command: x, name: end}]}]
`)
	got := map[string]bool{}
	for _, d := range DeadIn(all.Get("codex"), p) {
		if !d.Partly {
			got[d.Handler] = d.Guards
		}
	}
	if guards, dead := got["grep"]; !dead || !guards || len(got) != 1 {
		t.Errorf("codex: %v", got)
	}
	got = map[string]bool{}
	for _, d := range DeadIn(all.Get("gemini"), p) {
		got[d.Handler] = d.Guards
	}
	if guards, dead := got["ask"]; !dead || guards || len(got) != 1 {
		t.Errorf("gemini: %v", got)
	}
}

// A gate that does not run in some mode is told, and is no fault.
func TestAGateThatMissesAModeIsTold(t *testing.T) {
	p := plan(t, "hooks: {Stop: [{hooks: [{command: x, gate: true, name: end}]}]}")
	list := DeadIn(all.Get("cursor"), p)
	if len(list) != 1 || !list[0].Partly || list[0].Guards || !strings.Contains(list[0].Why, "-p") {
		t.Errorf("got %+v", list)
	}
}
