package manifest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("hooks:\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestManifestsUpToTheGitRootCount(t *testing.T) {
	root := t.TempDir()
	repo := filepath.Join(root, "repo")
	write(t, filepath.Join(root, "hookspan.yaml")) // above the git root: never read
	top := write(t, filepath.Join(repo, "hookspan.yaml"))
	web := write(t, filepath.Join(repo, "apps", "web", "hookspan.yml"))
	write(t, filepath.Join(repo, "apps", "web", "hookspan.json")) // one of a folder counts
	deep := filepath.Join(repo, "apps", "web", "src")
	for _, dir := range []string{filepath.Join(repo, ".git"), deep, filepath.Join(repo, "apps", "hookspan.yaml")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ dir, nearest, all string }{
		{repo, top, top},
		{filepath.Join(repo, "apps"), top, top}, // a folder of that name is no manifest
		{filepath.Join(repo, "apps", "web"), web, top + " " + web},
		{deep + "/", web, top + " " + web},
		{"", "", ""},
		{"repo", "", ""},
		{filepath.Join(root, "gone"), "", ""},
	} {
		if got := strings.Join(Find(c.dir), " "); got != c.nearest {
			t.Errorf("Find(%s) = %s, want %s", c.dir, got, c.nearest)
		}
		if got := strings.Join(FindAll(c.dir), " "); got != c.all {
			t.Errorf("FindAll(%s) = %s, want %s", c.dir, got, c.all)
		}
	}
}

func TestALinkedWorktreeIsAGitRoot(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "hookspan.yaml"))
	write(t, filepath.Join(root, "tree", ".git"))
	if got := Find(filepath.Join(root, "tree")); len(got) != 0 {
		t.Errorf("found %v", got)
	}
}

func TestWithoutAGitRootOnlyTheFolderIsSearched(t *testing.T) {
	root := t.TempDir()
	own := write(t, filepath.Join(root, "a", "hookspan.yaml"))
	noGit := func(p string) (fs.FileInfo, error) { // whatever lies above the test's folder
		if filepath.Base(p) == ".git" {
			return nil, fs.ErrNotExist
		}
		return os.Stat(p)
	}
	if got := findAll(filepath.Join(root, "a"), noGit); len(got) != 1 || got[0] != own {
		t.Errorf("found %v", got)
	}
	if got := findAll(filepath.Join(root, "a", "b"), noGit); len(got) != 0 {
		t.Errorf("found %v", got)
	}
}

func TestUserPathIsTheXDGFolders(t *testing.T) {
	for _, c := range []struct {
		goos string
		env  map[string]string
		want string
	}{
		{"linux", map[string]string{"XDG_CONFIG_HOME": "/x/cfg", "HOME": "/home/dev"}, "/x/cfg/hookspan/hookspan.yaml"},
		{"linux", map[string]string{"HOME": "/home/dev"}, "/home/dev/.config/hookspan/hookspan.yaml"},
		{"linux", map[string]string{"XDG_CONFIG_HOME": "rel", "HOME": "/home/dev"}, "/home/dev/.config/hookspan/hookspan.yaml"},
		{"darwin", map[string]string{"HOME": "/Users/dev"}, "/Users/dev/.config/hookspan/hookspan.yaml"},
		{"windows", map[string]string{"APPDATA": "/c/Users/dev/AppData/Roaming", "HOME": "/x"}, "/c/Users/dev/AppData/Roaming/hookspan/hookspan.yaml"},
		{"linux", map[string]string{}, ""},
		{"linux", map[string]string{"HOME": "rel"}, ""},
		{"windows", map[string]string{}, ""},
	} {
		if got := userPath(c.goos, func(k string) string { return c.env[k] }); got != filepath.FromSlash(c.want) {
			t.Errorf("%s %v: %q, want %q", c.goos, c.env, got, c.want)
		}
	}
}

func TestReadTakesRegularFilesAndABoundedPart(t *testing.T) {
	dir := t.TempDir()
	big := filepath.Join(dir, "big")
	if err := os.WriteFile(big, make([]byte, 3*MaxSize), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := Read(big); err != nil || len(b) != MaxSize+1 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if b, err := Read(write(t, filepath.Join(dir, "hookspan.yaml"))); err != nil || string(b) != "hooks:\n" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := Read(filepath.Join(dir, "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Read(dir); err == nil {
		t.Error("a folder was read")
	}
}
