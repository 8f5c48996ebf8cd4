package trust

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
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
	if list := g.List(); len(list) != 1 || list[0].Path != placeOf(path) || list[0].When.IsZero() {
		t.Errorf("%+v", list)
	}
	if had, err := g.Revoke(path); !had || err != nil || g.Trusted(path, []byte("a")) {
		t.Errorf("revoked: %v %v", had, err)
	}
	if had, _ := g.Revoke(path); had {
		t.Error("revoked twice")
	}
}

// Relative commands of a manifest start in the folder that it was found in. So a repository that links
// to a trusted manifest beside it brings its own programs, and is not trusted.
func TestALinkToATrustedManifestIsNotTrusted(t *testing.T) {
	dir := t.TempDir()
	g := Open(state.Open(filepath.Join(dir, "state")))
	good := write(t, filepath.Join(dir, "good", "hookspan.yaml"), "a")
	for _, repo := range []string{"good", "evil"} {
		if err := os.MkdirAll(filepath.Join(dir, repo, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	evil := filepath.Join(dir, "evil", "hookspan.yaml")
	if err := os.Symlink("../good/hookspan.yaml", evil); err != nil {
		t.Skip(err)
	}
	if err := g.Grant(good, []byte("a")); err != nil {
		t.Fatal(err)
	}
	if g.Trusted(evil, []byte("a")) {
		t.Error("trusted through a link")
	}
	if SameCheckout(filepath.Join(dir, "good"), evil) {
		t.Error("in the same checkout through a link")
	}
	// The same folder by another way is the same place.
	alias := filepath.Join(dir, "alias")
	if err := os.Symlink("good", alias); err != nil {
		t.Fatal(err)
	}
	if path := filepath.Join(alias, "hookspan.yaml"); !g.Trusted(path, []byte("a")) || !SameCheckout(filepath.Join(dir, "good"), path) {
		t.Error("not trusted through a link to its folder")
	}
}

func TestGrantsOfManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	g := Open(state.Open(filepath.Join(dir, "state")))
	odd := []string{"a", "a\nb", "../a", "\x1b[2J", "b c", strings.Repeat("d", 200)}
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			path := filepath.Join(dir, "shop", odd[i%len(odd)], "hookspan.yaml")
			if err := g.Grant(path, []byte("x")); err != nil {
				// Another one may have replaced it, never by anything else.
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if list := g.List(); len(list) != len(odd) {
		t.Errorf("%d grants of %d: %+v", len(list), len(odd), list)
	}
	for _, o := range odd {
		path := filepath.Join(dir, "shop", o, "hookspan.yaml")
		if !g.Trusted(path, []byte("x")) || g.Trusted(path, []byte("y")) {
			t.Errorf("%q", o)
		}
	}
}

func TestWithoutAStateFolderNothingIsTrusted(t *testing.T) {
	file := write(t, filepath.Join(t.TempDir(), "file"), "")
	for _, place := range []string{"", filepath.Join(file, "state")} {
		g := Open(state.Open(place))
		if err := g.Grant(file, nil); err == nil {
			t.Errorf("%q: granted", place)
		}
		if had, err := g.Revoke(file); had || err != nil || g.Trusted(file, nil) || g.List() != nil {
			t.Errorf("%q: %v %v", place, had, err)
		}
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
	b, err := os.ReadFile(filepath.Join(dir, "state", folder, name(placeOf(path))))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "shop", "state", folder, name(placeOf(path))), string(b))
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
		{"a missing manifest's folder", at("main"), at("gone", "hookspan.yaml"), false},
		{"a checkout inside of a folder without one", at(), at("main", "hookspan.yaml"), false},
		{"a folder without one around a checkout", at("main"), at("hookspan.yaml"), false},
	} {
		if got := SameCheckout(tt.project, tt.manifest); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
