package live

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// npmStandIn puts an npm on PATH that does what script says with the folder $dir and the package $pkg.
func npmStandIn(t *testing.T, script string) Cache {
	t.Helper()
	bin := t.TempDir()
	text := "#!/bin/sh\nwhile [ $# -gt 1 ]; do [ \"$1\" = --prefix ] && dir=$2; shift; done\npkg=$1\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(bin, "npm"), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	var log strings.Builder
	t.Cleanup(func() { t.Log(log.String()) })
	return Cache{Dir: filepath.Join(t.TempDir(), "agents"), Log: &log}
}

func agentPackage() *Driver {
	return &Driver{Name: "x", Title: "X", Package: "@x/x", Version: "1.2.3", Executables: []string{"@x/none", "@x/x/bin/x"}}
}

func TestAPackageIsInstalledOnce(t *testing.T) {
	c := npmStandIn(t, `echo "$pkg" >> "$dir/../count"; mkdir -p "$dir/node_modules/@x/x/bin"; : > "$dir/node_modules/@x/x/bin/x"`)
	for range 3 {
		p, err := c.Program(t.Context(), agentPackage())
		if err != nil {
			t.Fatal(err)
		}
		if want := filepath.Join(c.Dir, "x-1.2.3", "node_modules", "@x", "x", "bin", "x"); p.Argv[0] != want || p.Version != "1.2.3" {
			t.Errorf("got %+v", p)
		}
	}
	if text, err := os.ReadFile(filepath.Join(c.Dir, "count")); err != nil || string(text) != "@x/x@1.2.3\n" {
		t.Errorf("npm was asked for %q, %v", text, err)
	}
	if left, _ := filepath.Glob(filepath.Join(c.Dir, "*.new-*")); left != nil {
		t.Errorf("left %q", left)
	}
}

func TestAFailedInstallationLeavesNothingAndSaysWhy(t *testing.T) {
	for script, want := range map[string]string{
		"echo E404 no such package >&2; exit 1": "E404 no such package",
		"exit 0":                                "this platform may not be supported",
	} {
		c := npmStandIn(t, script)
		if _, err := c.Program(t.Context(), agentPackage()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", script, err)
		}
		if left, _ := os.ReadDir(c.Dir); len(left) != 0 {
			t.Errorf("%q left %v", script, left)
		}
	}
	c := npmStandIn(t, "exit 1")
	t.Setenv("PATH", t.TempDir())
	if _, err := c.Program(t.Context(), agentPackage()); err == nil || !strings.Contains(err.Error(), "install Node.js with npm") {
		t.Errorf("without npm: %v", err)
	}
}

func TestANodeThatIsNewEnoughIsUsed(t *testing.T) {
	c := npmStandIn(t, `mkdir -p "$dir/node_modules/@x/x/bin" "$dir/node_modules/node/bin"; : > "$dir/node_modules/@x/x/bin/x.js"; : > "$dir/node_modules/node/bin/node"`)
	bin := strings.SplitN(os.Getenv("PATH"), ":", 2)[0]
	d := agentPackage()
	d.Executables, d.Node = []string{"@x/x/bin/x.js"}, "22.19.0"
	for version, want := range map[string]string{
		"v22.19.0":  filepath.Join(bin, "node"),
		"v24.0.0":   filepath.Join(bin, "node"),
		"v22.9.1":   filepath.Join(c.Dir, "node-"+nodeVersion, "node_modules", "node", "bin", "node"),
		"gibberish": filepath.Join(c.Dir, "node-"+nodeVersion, "node_modules", "node", "bin", "node"),
	} {
		if err := os.WriteFile(filepath.Join(bin, "node"), []byte("#!/bin/sh\necho "+version+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		p, err := c.Program(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Argv) != 2 || p.Argv[0] != want || p.Path[0] != filepath.Dir(want) {
			t.Errorf("%s: %+v", version, p)
		}
	}
}

func TestInstalledIsWhatStandsOnPath(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "claude"), []byte("#!/bin/sh\necho '9.8.7 (Claude Code)'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	d, err := Lookup("claude")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Installed(t.Context(), d)
	if err != nil || p.Argv[0] != filepath.Join(bin, "claude") {
		t.Fatalf("%+v, %v", p, err)
	}
	needIsolation(t)
	s, err := NewSandbox(d, Options{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if v, err := s.Version(t.Context()); v != "9.8.7" || err != nil {
		t.Errorf("version %q, %v", v, err)
	}
	t.Setenv("PATH", "/usr/bin:/bin")
	d.Command = "no-such-agent"
	if _, err := Installed(t.Context(), d); err == nil || !strings.Contains(err.Error(), `no "no-such-agent" on PATH`) {
		t.Errorf("got %v", err)
	}
}

func TestVersionsAreComparedByNumbers(t *testing.T) {
	for _, c := range []struct {
		v, least string
		want     bool
	}{
		{"22.19.0", "22.19.0", false}, {"22.9.0", "22.19.0", true}, {"22.19", "22.19.0", false}, {"21.99.99", "22.0.0", true},
		{"23.0.0-rc.1", "22.19.0", false}, {"", "1", true}, {"22.19.1", "22.19", false},
	} {
		if got := older(c.v, c.least); got != c.want {
			t.Errorf("older(%q, %q) = %v", c.v, c.least, got)
		}
	}
}

func TestDefaultCacheIsTheOneThatIsNamed(t *testing.T) {
	t.Setenv("HOOKSPAN_AGENT_CACHE", "/some/where")
	if c, err := DefaultCache(); err != nil || c.Dir != "/some/where" {
		t.Errorf("%+v, %v", c, err)
	}
	t.Setenv("HOOKSPAN_AGENT_CACHE", "")
	t.Setenv("XDG_CACHE_HOME", "/cache")
	t.Setenv("HOME", "/home/nobody")
	if c, err := DefaultCache(); err != nil || !strings.HasSuffix(c.Dir, filepath.Join("hookspan", "agents")) {
		t.Errorf("%+v, %v", c, err)
	}
}
