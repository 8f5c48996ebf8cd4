package all

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTheAgentOfThePageHoldsTheLaws: docs/adding-an-agent.md says that an agent is one folder and one
// line. Its agent is added to a copy of the tree just so, and held to what every agent is held to.
func TestTheAgentOfThePageHoldsTheLaws(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a copy of the tree")
	}
	root, dir := filepath.Join("..", "..", ".."), t.TempDir()
	page, err := os.ReadFile(filepath.Join(root, "docs", "adding-an-agent.md"))
	if err != nil {
		t.Fatal(err)
	}
	copyTree(t, root, dir)
	addFolder(t, dir, string(page))
	addLine(t, dir, string(page))

	// Without the paths in it, what the compiler made for one copy serves the next.
	cmd := exec.Command("go", "test", "-short", "-trimpath", "-buildvcs=false", "-vet=off",
		"-run", "^Test(Every|Encoders|Lower|Ask|Samples|An|AChanged|AMark|Gates|Unreadable|TheSame|Golden|ADryRun)|^TestScripts$/^install-agents$",
		"./internal/agent/all", "./internal/run", "./internal/session", "./internal/install", "./cmd/hookspan")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the page's agent breaks a law: %v\n%s", err, out)
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	for _, name := range []string{"cmd", "hook", "internal"} {
		if err := os.CopyFS(filepath.Join(to, name), os.DirFS(filepath.Join(from, name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum", "hookspan.go"} {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(to, name), string(text))
	}
}

// addFolder writes the files that the page shows under their names.
func addFolder(t *testing.T, dir, page string) {
	t.Helper()
	files := regexp.MustCompile("(?s)`(internal/agent/toy/[^`]+)`:\n\n```[a-z]+\n(.*?)```").FindAllStringSubmatch(page, -1)
	if len(files) < 2 {
		t.Fatalf("the page shows %d files, not a table and a recording", len(files))
	}
	for _, f := range files {
		put(t, filepath.Join(dir, filepath.FromSlash(f[1])), f[2])
	}
}

// addLine adds the page's line to the registry, and the import that it wants.
func addLine(t *testing.T, dir, page string) {
	t.Helper()
	line := regexp.MustCompile("(?s)In `internal/agent/all/all.go`[^\n]*\n\n```go\n(.*?)```").FindStringSubmatch(page)
	path := filepath.Join(dir, "internal", "agent", "all", "all.go")
	text, err := os.ReadFile(path)
	if err != nil || line == nil {
		t.Fatalf("there is no line for the registry on the page: %v", err)
	}
	if strings.Contains(string(text), "/internal/agent/toy\"") {
		return // somebody is following the page
	}
	const imports, list = "import (\n", "var entries = [...]entry{\n"
	added := strings.Replace(string(text), imports, imports+"\t\"github.com/hookspan/hookspan/internal/agent/toy\"\n", 1)
	end := strings.Index(added, list)
	end += strings.Index(added[end:], "\n}\n") + 1
	put(t, path, added[:end]+line[1]+added[end:])
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
