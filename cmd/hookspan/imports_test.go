package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
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
		if rest, ok := strings.CutPrefix(room, "internal/agent/"); ok && rest != "all" {
			may, known = rooms["internal/agent/*"], true
		}
		if !known {
			continue
		}
		for _, path := range words[1:] {
			if ours, ok := strings.CutPrefix(path, own); ok && !slices.Contains(strings.Fields(may), ours) {
				t.Errorf("%s must not import %s", room, ours)
			}
		}
	}
}
