package starter

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Project is what was seen of a project.
type Project struct {
	Languages []string
	Formats   []Format
	Test      string   // the command that runs the tests; "" = none was found
	Certain   bool     // that command is there and has something to run
	Secrets   []string // names of files in the root that hold secrets
}

// Format is a formatter for files with these endings. Command formats the one file $HOOKSPAN_FILE.
type Format struct {
	Endings []string
	Command string
}

// bounds of the search for test files.
const (
	maxDepth   = 4
	maxEntries = 5000
)

// maxRead bounds a file that is looked into, in bytes.
const maxRead = 1 << 20

// Look reads a project's root.
func Look(root string) Project {
	l := looker{root: root}
	l.secrets()
	l.golang()
	l.node()
	l.python()
	l.rust()
	l.make()
	return l.p
}

type looker struct {
	root string
	p    Project
}

func (l *looker) has(name string) bool {
	_, err := os.Stat(filepath.Join(l.root, name))
	return err == nil
}

func (l *looker) read(name string) string {
	info, err := os.Stat(filepath.Join(l.root, name))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxRead {
		return ""
	}
	b, err := os.ReadFile(filepath.Join(l.root, name))
	if err != nil {
		return ""
	}
	return string(b)
}

func (l *looker) found(language, command string, endings ...string) {
	l.p.Languages = append(l.p.Languages, language)
	if command != "" {
		l.p.Formats = append(l.p.Formats, Format{endings, command})
	}
}

// test notes a test command. The first certain one counts, else the first.
func (l *looker) test(command string, certain bool) {
	if l.p.Test == "" || certain && !l.p.Certain {
		l.p.Test, l.p.Certain = command, certain
	}
}

func (l *looker) secrets() {
	entries, _ := os.ReadDir(l.root)
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() && (name == ".env" || strings.HasPrefix(name, ".env.") && !public(name)) {
			l.p.Secrets = append(l.p.Secrets, name)
		}
	}
}

func public(name string) bool {
	return slices.Contains([]string{"example", "sample", "template", "dist"}, strings.TrimPrefix(name, ".env."))
}

func (l *looker) golang() {
	if !l.has("go.mod") {
		return
	}
	l.found("Go", `gofmt -w "$HOOKSPAN_FILE"`, "go")
	l.test("go test ./...", l.any(func(name string) bool { return strings.HasSuffix(name, "_test.go") }))
}

// node reads package.json.
func (l *looker) node() {
	text := l.read("package.json")
	if text == "" {
		return
	}
	var pkg struct {
		Scripts         map[string]string
		Dependencies    map[string]any
		DevDependencies map[string]any
	}
	if json.Unmarshal([]byte(text), &pkg) != nil {
		return
	}
	uses := func(name string) bool {
		_, dep := pkg.Dependencies[name]
		_, dev := pkg.DevDependencies[name]
		return dep || dev
	}
	switch {
	case uses("prettier"):
		l.found("JavaScript", `npx --no-install prettier --write "$HOOKSPAN_FILE"`, "js", "jsx", "ts", "tsx", "css", "json")
	case uses("@biomejs/biome"):
		l.found("JavaScript", `npx --no-install biome format --write "$HOOKSPAN_FILE"`, "js", "jsx", "ts", "tsx", "json")
	default:
		l.found("JavaScript", "")
	}
	script := pkg.Scripts["test"]
	l.test(l.runner()+" test", script != "" && !strings.Contains(script, "no test specified"))
}

// runner is the package manager whose lock file is there.
func (l *looker) runner() string {
	switch {
	case l.has("pnpm-lock.yaml"):
		return "pnpm"
	case l.has("yarn.lock"):
		return "yarn"
	case l.has("bun.lockb"), l.has("bun.lock"):
		return "bun run"
	}
	return "npm"
}

func (l *looker) python() {
	project := l.read("pyproject.toml")
	if project == "" && !l.has("setup.py") && !l.has("requirements.txt") {
		return
	}
	switch {
	case strings.Contains(project, "[tool.ruff") || l.has("ruff.toml"):
		l.found("Python", `ruff format "$HOOKSPAN_FILE"`, "py")
	case strings.Contains(project, "[tool.black"):
		l.found("Python", `black -q "$HOOKSPAN_FILE"`, "py")
	default:
		l.found("Python", "")
	}
	configured := strings.Contains(project, "[tool.pytest") || l.has("pytest.ini")
	l.test("python -m pytest -q", configured)
}

func (l *looker) rust() {
	if !l.has("Cargo.toml") {
		return
	}
	l.found("Rust", `rustfmt "$HOOKSPAN_FILE"`, "rs")
	l.test("cargo test", l.has("tests"))
}

// make looks for a target named test.
func (l *looker) make() {
	for line := range strings.Lines(l.read("Makefile")) {
		if strings.HasPrefix(line, "test:") {
			l.test("make test", true)
			return
		}
	}
}

// any reports whether a file of such a name lies in the project, near the root.
func (l *looker) any(match func(name string) bool) bool {
	seen, found := 0, false
	_ = filepath.WalkDir(l.root, func(path string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case err != nil:
			return fs.SkipDir
		case seen > maxEntries:
			return fs.SkipAll
		case d.IsDir() && path != l.root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || l.deep(path)):
			return fs.SkipDir
		case !d.IsDir() && match(d.Name()):
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

func (l *looker) deep(path string) bool {
	rel, err := filepath.Rel(l.root, path)
	return err != nil || strings.Count(rel, string(filepath.Separator)) >= maxDepth
}
