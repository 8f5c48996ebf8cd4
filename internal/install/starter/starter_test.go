package starter

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/manifest"
	"github.com/hookspan/hookspan/internal/run"
)

func project(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Whatever the project, what is written is a manifest without a fault or a warning, and it guards .env.
func TestTheStarterFitsTheProject(t *testing.T) {
	tests := []struct {
		name        string
		files       map[string]string
		want, never []string
	}{
		{"nothing known", nil, []string{"# Stop:", "# PostToolUse:"}, []string{"\n  Stop:", "\n  PostToolUse:"}},
		{"Go with tests", map[string]string{"go.mod": "module x", "a/a_test.go": "package a"},
			[]string{"gofmt -w", "command: go test ./...", "\n  Stop:"}, nil},
		{"Go without tests", map[string]string{"go.mod": "module x"}, []string{"# Stop:", "go test ./..."}, []string{"\n  Stop:"}},
		{"npm", map[string]string{"package.json": `{"scripts":{"test":"vitest"},"devDependencies":{"prettier":"3"}}`},
			[]string{"prettier --write", "command: npm test", "\n  Stop:"}, nil},
		{"npm's default script", map[string]string{"package.json": `{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}`},
			[]string{"# Stop:"}, []string{"\n  Stop:"}},
		{"pnpm", map[string]string{"package.json": `{"scripts":{"test":"vitest"}}`, "pnpm-lock.yaml": ""}, []string{"pnpm test"}, nil},
		{"Python", map[string]string{"pyproject.toml": "[tool.ruff]\n[tool.pytest.ini_options]\n"}, []string{"ruff format", "python -m pytest"}, nil},
		{"Rust", map[string]string{"Cargo.toml": "", "tests/a.rs": ""}, []string{"rustfmt", "cargo test"}, nil},
		{"make", map[string]string{"Makefile": "all:\n\ttrue\ntest: all\n\ttrue\n"}, []string{"command: make test"}, nil},
		{"a broken package.json", map[string]string{"package.json": "{"}, []string{"# Stop:"}, nil},
	}
	for _, tt := range tests {
		text := Text(Look(project(t, tt.files)))
		p, problems := manifest.Parse("hookspan.yaml", []byte(text), run.Vocabulary{})
		if len(problems) > 0 || len(p.Warnings) > 0 {
			t.Errorf("%s: %v %v\n%s", tt.name, problems, p, text)
			continue
		}
		for _, part := range append(tt.want, "guard: protect-paths") {
			if !strings.Contains(text, part) {
				t.Errorf("%s: no %q in\n%s", tt.name, part, text)
			}
		}
		for _, part := range tt.never {
			if strings.Contains(text, part) {
				t.Errorf("%s: %q in\n%s", tt.name, part, text)
			}
		}
	}
}

func TestSecretsAreNamed(t *testing.T) {
	p := Look(project(t, map[string]string{".env": "", ".env.local": "", ".env.example": "", ".environment": ""}))
	if got := strings.Join(p.Secrets, " "); got != ".env .env.local" {
		t.Errorf("got %s", got)
	}
}

func TestAManifestIsNeverOverwritten(t *testing.T) {
	for _, name := range manifest.FileNames() {
		root := project(t, map[string]string{name: "mine"})
		path, err := Write(root, "new")
		if !errors.Is(err, ErrExists) || path != filepath.Join(root, name) {
			t.Errorf("%s: %s, %v", name, path, err)
		}
		if b, _ := os.ReadFile(filepath.Join(root, name)); string(b) != "mine" {
			t.Errorf("%s is %q", name, b)
		}
	}
	root := project(t, nil)
	if err := os.Symlink("nowhere", filepath.Join(root, "hookspan.yaml")); err != nil {
		t.Skip(err)
	}
	if _, err := Write(root, "new"); !errors.Is(err, ErrExists) {
		t.Errorf("a dangling link: %v", err)
	}
}
