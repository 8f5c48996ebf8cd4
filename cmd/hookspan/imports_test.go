package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/agent/all"
)

// What agents start is paid at every tool call of every user, and must not be able to open a
// connection. This is the whole list of what may be linked, besides ours.
var allowed = []string{
	"github.com/bmatcuk/doublestar/v4",
	"github.com/goccy/go-yaml/ast", "github.com/goccy/go-yaml/internal/errors", "github.com/goccy/go-yaml/lexer",
	"github.com/goccy/go-yaml/parser", "github.com/goccy/go-yaml/printer", "github.com/goccy/go-yaml/scanner",
	"github.com/goccy/go-yaml/token",
	"github.com/gofrs/flock",
	"github.com/pelletier/go-toml/v2", "github.com/pelletier/go-toml/v2/internal/parserbridge",
	"github.com/pelletier/go-toml/v2/internal/tracker", "github.com/pelletier/go-toml/v2/unstable",
	"golang.org/x/sys/unix",
}

// forbidden must not be linked, whoever imports it.
var forbidden = []string{"net", "net/http", "net/url", "crypto/tls", "crypto/sha256", "crypto/rand", "math/big",
	"text/template", "html/template", "log/slog", "log", "testing", "plugin"}

func TestImportsOfTheHookPath(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{else}}std {{.ImportPath}}{{end}}", ".").Output()
	if err != nil {
		t.Skipf("go list is not available: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		path := strings.TrimSpace(line)
		if std, ok := strings.CutPrefix(path, "std "); ok {
			if slices.Contains(forbidden, std) {
				t.Errorf("hookspan links %s", std)
			}
			continue
		}
		if !strings.HasPrefix(path, "github.com/hookspan/hookspan/") && !slices.Contains(allowed, path) {
			t.Errorf("hookspan links %s, which nobody has agreed to", path)
		}
	}
}

// Rooms: what each may import of ours. Data goes one way.
var rooms = map[string]string{
	"hook":             "internal/wire",
	"internal/wire":    "",
	"internal/patch":   "hook",
	"internal/agent":   "hook internal/wire internal/patch",
	"internal/agent/*": "hook internal/wire internal/patch internal/agent internal/sha256",
	"internal/engine":  "hook internal/wire internal/patch internal/handler internal/manifest",
	"internal/guard":   "hook internal/wire internal/manifest",
	"internal/handler": "hook internal/wire",
	"internal/state":   "internal/wire internal/redact internal/regular internal/sha256",
	"internal/trust":   "internal/state internal/sha256",
	"internal/redact":  "internal/wire",
	"internal/splice":  "internal/sha256",
	"internal/sha256":  "",
	"internal/regular": "",
}

// agentsRoom holds the registry, all, and one folder an agent.
const agentsRoom = "internal/agent"

func TestRoomsImportOnlyWhatTheyMay(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "github.com/hookspan/hookspan/...").Output()
	if err != nil {
		t.Skipf("go list is not available: %v", err)
	}
	const own = "github.com/hookspan/hookspan/"
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		room := strings.TrimPrefix(words[0], own)
		may, known := rooms[room]
		if rest, ok := strings.CutPrefix(room, agentsRoom+"/"); ok && rest != "all" {
			may, known = rooms["internal/agent/*"], true
		}
		for _, imported := range words[1:] {
			ours, ok := strings.CutPrefix(imported, own)
			switch {
			case !ok:
			case known && !slices.Contains(strings.Fields(may), ours):
				t.Errorf("%s must not import %s", room, ours)
			case path.Dir(ours) == agentsRoom && path.Base(ours) != "all" && room != agentsRoom+"/all":
				t.Errorf("%s must not import %s: agents are known by their registry alone", room, ours)
			}
		}
	}
}

// What is known about one agent stands in its own folder. So nothing elsewhere may ask which agent it is;
// it asks the agent's tables. The drivers and the scripted model of the live tests are about single
// agents and compare nothing either.
func TestNothingOutsideItsFolderAsksForAnAgentByName(t *testing.T) {
	asks := asking(all.Names())
	files := sources(t, "../..")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		line := 0
		for code := range strings.Lines(string(text)) {
			if line++; asks.MatchString(code) {
				t.Errorf("%s:%d asks for an agent by its name: %s", file, line, strings.TrimSpace(code))
			}
		}
	}
	if len(files) < 100 {
		t.Errorf("only %d files were read", len(files))
	}
}

// sources lists the Go files of the module outside of the agents' room, without tests.
func sources(t *testing.T, root string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch name := d.Name(); {
		case d.IsDir() && (filepath.ToSlash(file) == root+"/"+agentsRoom || name == "testdata" || name == ".git"):
			return filepath.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			files = append(files, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// asking finds a line of Go that compares something with an agent's name: ==, != and EqualFold, a case, and
// a map that is looked up by it.
func asking(names []string) *regexp.Regexp {
	name := "[\"`](" + strings.Join(names, "|") + ")[\"`]"
	return regexp.MustCompile(`[=!]= *` + name + `|` + name + ` *[=!]=|\bcase\b[^:]*` + name + `|EqualFold\([^)]*` + name + `|^\s*` + name + `: *(func|\{|\[)`)
}

func TestAskingForAnAgentIsSeen(t *testing.T) {
	asks := asking([]string{"claude", "pi"})
	for line, want := range map[string]bool{
		`if a.Name == "claude" {`: true, `if "pi" != a.Name {`: true, "case `pi`:": true, `case "x", "claude":`: true,
		`"pi": func() {},`: true, `strings.EqualFold(name, "claude")`: true,
		`fs.String("agent", "claude", "")`: false, `case "pie":`: false, `Name: "claude",`: false, `return []string{"claude", "pi"}`: false,
	} {
		if asks.MatchString(line) != want {
			t.Errorf("%s: %v", line, !want)
		}
	}
}
