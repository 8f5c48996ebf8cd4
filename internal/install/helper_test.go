package install

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/manifest"
	"github.com/hookspan/hookspan/internal/run"
)

// scratch is a machine with an empty home and a project in it.
func scratch(t testing.TB) Env {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	shop := filepath.Join(home, "shop")
	if err := os.MkdirAll(filepath.Join(shop, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return Env{Get: func(string) string { return "" }, OS: "linux", Home: home, Dir: shop, Project: shop,
		State: filepath.Join(home, ".local", "state", "hookspan"), Program: "/opt/tools/hookspan"}
}

func (e Env) write(t testing.TB, path, text string) {
	t.Helper()
	path = filepath.Join(e.Home, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (e Env) readFile(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(e.Home, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// tree is everything below the home but our own state.
func (e Env) tree(t testing.TB) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(e.Home, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(e.Home, path)
		if rel == ".local" {
			return fs.SkipDir
		}
		if d.IsDir() {
			found[rel] = "folder"
			return nil
		}
		b, err := os.ReadFile(path)
		found[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func mustInstall(t testing.TB, e Env, a *agent.Agent, m Manifests, o Options) []File {
	t.Helper()
	files, err := e.Install(context.Background(), a, m, o)
	if err != nil {
		t.Fatalf("install %s: %v", a.Name, err)
	}
	return files
}

func mustUninstall(t testing.TB, e Env, a *agent.Agent, o Options) []File {
	t.Helper()
	files, err := e.Uninstall(context.Background(), a, o)
	if err != nil {
		t.Fatalf("uninstall %s: %v", a.Name, err)
	}
	return files
}

// registrable lists the agents of which it is known where a registration goes. One of which that is
// known for one scope alone is a finding: no agent is so, and install would say that nothing is known.
func registrable(t testing.TB) []*agent.Agent {
	t.Helper()
	var list []*agent.Agent
	for _, a := range all.Agents() {
		switch s := a.Setup(); {
		case len(s.User) > 0 && len(s.Project) > 0:
			list = append(list, a)
		case len(s.User) > 0 || len(s.Project) > 0:
			t.Errorf("%s can be registered in one scope only", a.Name)
		}
	}
	if len(list) == 0 {
		t.Fatal("no agent can be registered")
	}
	return list
}

func plan(t testing.TB, text string) *manifest.Plan {
	t.Helper()
	p, problems := manifest.Parse("/shop/hookspan.yaml", []byte(text), run.Vocabulary{})
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	return p
}

const shopManifest = `hooks:
  PreToolUse:
    - matcher: Bash|Write|Edit
      hooks: [{ guard: protect-paths, paths: [".env"] }]
  PostToolUse:
    - matcher: "@edit"
      hooks: [{ command: 'gofmt -w "$HOOKSPAN_FILE"' }]
  Stop:
    - hooks: [{ command: go test ./..., gate: true }]
`

func scopes() []agent.Scope { return []agent.Scope{agent.ScopeUser, agent.ScopeProject} }
