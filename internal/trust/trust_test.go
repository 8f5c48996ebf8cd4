package trust

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookspan/hookspan/internal/state"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTrustIsForTheseBytesAtThisPlace(t *testing.T) {
	dir := t.TempDir()
	g := Open(state.Open(filepath.Join(dir, "state")))
	path := write(t, filepath.Join(dir, "shop", "hookspan.yaml"), "a")
	copied := write(t, filepath.Join(dir, "worktree", "hookspan.yaml"), "a")
	if g.Trusted(path, []byte("a")) {
		t.Fatal("trusted before anybody said so")
	}
	if err := g.Grant(path, []byte("a")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, path, text string
		want             bool
	}{
		{"the same", path, "a", true},
		{"changed", path, "b", false},
		{"the same bytes in another checkout", copied, "a", false},
	} {
		if got := g.Trusted(tt.path, []byte(tt.text)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	link := filepath.Join(dir, "link.yaml")
	if os.Symlink(path, link) == nil && !g.Trusted(link, []byte("a")) {
		t.Error("a link to the file is the file")
	}
	if list := g.List(); len(list) != 1 || list[0].Path != real(path) || list[0].When.IsZero() {
		t.Errorf("%+v", list)
	}
	if had, err := g.Revoke(path); !had || err != nil || g.Trusted(path, []byte("a")) {
		t.Errorf("revoked: %v %v", had, err)
	}
	if had, _ := g.Revoke(path); had {
		t.Error("revoked twice")
	}
}

func TestAGrantThatARepositoryBringsCountsForNothing(t *testing.T) {
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "shop", "hookspan.yaml"), "a")
	good := Open(state.Open(filepath.Join(dir, "state")))
	if err := good.Grant(path, []byte("a")); err != nil {
		t.Fatal(err)
	}
	// A repository ships the same file; git cannot ship its mode.
	b, err := os.ReadFile(filepath.Join(dir, "state", folder, name(real(path))))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "shop", "state", folder, name(real(path))), string(b))
	if Open(state.Open(filepath.Join(dir, "shop", "state"))).Trusted(path, []byte("a")) {
		t.Fatal("a shipped grant was believed")
	}
}

func TestSameCheckout(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"main/.git", "main/web", "bare"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "main", "trees", "pr", ".git"), "gitdir: ../../.git/worktrees/pr")
	at := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	for _, tt := range []struct {
		name, project, manifest string
		want                    bool
	}{
		{"the root", at("main"), at("main", "hookspan.yaml"), true},
		{"a sub-folder registered", at("main", "web"), at("main", "hookspan.yaml"), true},
		{"a worktree is another checkout", at("main"), at("main", "trees", "pr", "hookspan.yaml"), false},
		{"and the other way round", at("main", "trees", "pr"), at("main", "hookspan.yaml"), false},
		{"no checkout, the same folder", at("bare"), at("bare", "hookspan.yaml"), true},
		{"no checkout, another folder", at("bare"), at("hookspan.yaml"), false},
		{"a missing folder", at("gone"), at("main", "hookspan.yaml"), false},
	} {
		if got := SameCheckout(tt.project, tt.manifest); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
