//go:build live

package live

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
)

// program is the pinned agent, or the end of the test where agents cannot be driven.
func program(t *testing.T, d *Driver) Program {
	t.Helper()
	if err := Available(); err != nil {
		if os.Getenv("HOOKSPAN_LIVE") == "require" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	cache, err := DefaultCache()
	if err != nil {
		t.Fatal(err)
	}
	p, err := cache.Program(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func report(t *testing.T, proofs []Proof, res *Result) {
	t.Helper()
	t.Logf("%s %s: exit %d after %.1f s, %d requests", res.Agent, res.Version, res.Exit, res.Took.Seconds(), len(res.Requests))
	for _, p := range proofs {
		if !p.OK {
			t.Errorf("%s: %s: %s", p.Name, p.Title, p.Detail)
		}
	}
	if t.Failed() {
		t.Logf("the end of what it printed: %s", short(res.Stderr+"\n"+res.Stdout))
	}
}

// TestStandIn shows that each agent fires its hooks and obeys them, in its own words, without hookspan:
// what fails here is the harness or the agent.
func TestStandIn(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range Drivers() {
		t.Run(d.Name, func(t *testing.T) {
			opts := Options{Program: program(t, d), Prepare: func(*Sandbox) error { return nil }}
			hooks := &Registration{Command: Quote(self) + " " + standInVerb + " " + d.Name, Plugin: []byte(standInPlugins[d.Name])}
			proofs, res, err := Prove(t.Context(), d, hooks, opts)
			if err != nil {
				t.Fatal(err)
			}
			report(t, proofs, res)
		})
	}
}

// TestWithoutHooksNothingIsProven shows that the proofs can fail: with no hook, every one of them does.
func TestWithoutHooksNothingIsProven(t *testing.T) {
	for _, d := range Drivers() {
		t.Run(d.Name, func(t *testing.T) {
			proofs, _, err := Prove(t.Context(), d, nil, Options{Program: program(t, d)})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range proofs {
				if p.OK {
					t.Errorf("%s is proven without any hook", p.Name)
				}
			}
		})
	}
}

// TestInstalledAgentsProveToo shows that an agent from PATH is driven as the pinned one is, and named by its
// own version.
func TestInstalledAgentsProveToo(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	d, err := Lookup("gemini")
	if err != nil {
		t.Fatal(err)
	}
	pinned := program(t, d)
	modules, _, _ := strings.Cut(pinned.Argv[len(pinned.Argv)-1], "@google")
	t.Setenv("PATH", filepath.Join(modules, ".bin")+":"+os.Getenv("PATH"))
	opts := Options{Prepare: func(*Sandbox) error { return nil }}
	if opts.Program, err = Installed(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	proofs, res, err := Prove(t.Context(), d, &Registration{Command: Quote(self) + " " + standInVerb + " gemini"}, opts)
	if err != nil {
		t.Fatal(err)
	}
	report(t, proofs, res)
	if res.Version != d.Version {
		t.Errorf("the version is %q, not %q", res.Version, d.Version)
	}
}

// TestPatch shows that the patch tools of those agents that have one are reached.
func TestPatch(t *testing.T) {
	for _, d := range Drivers() {
		if d.PatchModel == "" {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			script := Script{Call(Patch("*** Begin Patch\n*** Add File: new.txt\n+hello\n*** Update File: README.md\n@@\n-# shop\n+# store\n*** End Patch\n")), Say("Patched.")}
			res, err := Run(t.Context(), d, script, Options{Program: program(t, d)})
			if err != nil {
				t.Fatal(err)
			}
			if res.Files["new.txt"] != "hello\n" || res.Files["README.md"] != "# store\n" {
				t.Errorf("the patch was not applied: %q; the model was told %q", res.Files, res.News(1))
			}
		})
	}
}

// TestTallyCounts shows that a foreign hook's calls are counted, and what it says is obeyed.
func TestTallyCounts(t *testing.T) {
	d, err := Lookup("claude")
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSandbox(d, Options{Program: program(t, d)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	tally, err := s.Tally("foreign", `[ "$1" = PreToolUse ] && { echo "foreign says no" >&2; exit 2; }; exit 0`)
	if err != nil {
		t.Fatal(err)
	}
	hooks := object{}
	for _, ev := range []string{"PreToolUse", "PostToolUse", "Stop"} {
		hooks[ev] = []any{object{"hooks": []any{object{"type": "command", "command": tally.Command(ev)}}}}
	}
	if err := s.setJSON(".claude/settings.json", "hooks", hooks); err != nil {
		t.Fatal(err)
	}
	res, err := s.Run(t.Context(), Script{Call(Shell("true"), Shell("false")), Say("Done.")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for label, want := range map[string]int{"PreToolUse": 2, "PostToolUse": 0, "Stop": 1} {
		if n, err := tally.Count(label); n != want || err != nil {
			t.Errorf("%s was counted %d times, not %d (%v)", label, n, want, err)
		}
	}
	if !res.Contains(1, "foreign says no") {
		t.Errorf("the model was told %q", res.News(1))
	}
}

// TestTransparencySeesBothSides shows that the comparison is fair (a program that only passes on has the
// same effect) and that it can fail (one that says nothing has not).
func TestTransparencySeesBothSides(t *testing.T) {
	d, err := Lookup("claude")
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{Program: program(t, d)}
	dir := t.TempDir()
	pass, mute := filepath.Join(dir, "pass.sh"), filepath.Join(dir, "mute.sh")
	for path, text := range map[string]string{pass: `exec sh "$HOME/../handler.sh"`, mute: "exit 0"} {
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	c := Case{Event: "PreToolUse", Handler: "cat > /dev/null; echo no entry >&2; exit 2"}
	direct, through, err := Transparency(t.Context(), c, pass, opts)
	if err != nil {
		t.Fatal(err)
	}
	if diff := direct.Diff(through); diff != "" || direct.Ran {
		t.Errorf("passing on should change nothing, and a no should stop the call: ran %v, %s", direct.Ran, diff)
	}
	if _, through, err = Transparency(t.Context(), c, mute, opts); err != nil {
		t.Fatal(err)
	}
	if diff := direct.Diff(through); diff == "" || !through.Ran {
		t.Errorf("saying nothing should let the call run: ran %v, %q", through.Ran, diff)
	}
}

// hookspanProgram builds the product.
func hookspanProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hookspan")
	cmd := exec.Command("go", "build", "-o", path, "github.com/hookspan/hookspan/cmd/hookspan")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("failed to build hookspan: %v\n%s", err, out)
	}
	return path
}

// TestManifestIsObeyed shows that one manifest does the same in every agent, through a registration by
// hand; hooks that are code are made by the adapter, or else by `hookspan install`.
func TestManifestIsObeyed(t *testing.T) {
	hookspan := hookspanProgram(t)
	for _, d := range Drivers() {
		t.Run(d.Name, func(t *testing.T) {
			hooks := &Registration{Command: Quote(hookspan) + " run " + d.Name}
			opts := Options{Program: program(t, d)}
			switch s := all.Get(d.Name).Setup(); {
			case s.Bridge != nil:
				hooks.Plugin = s.Bridge(agent.Bridge{Program: hookspan})
			case d.Plugin:
				hooks = nil
				opts.Prepare = func(s *Sandbox) error {
					if err := InstallProofs(s); err != nil {
						return err
					}
					_, err := s.Exec(t.Context(), hookspan, "install", "--agent", d.Name, "--scope", "user")
					return err
				}
			}
			proofs, res, err := Prove(t.Context(), d, hooks, opts)
			if err != nil {
				t.Fatal(err)
			}
			report(t, proofs, res)
		})
	}
}
