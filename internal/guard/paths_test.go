package guard

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/manifest"
)

func protect(access string, paths ...string) *manifest.Handler {
	h := &manifest.Handler{Guard: "protect-paths", Options: []manifest.Option{{Key: "paths", Values: paths}}}
	if access != "" {
		h.Options = append(h.Options, manifest.Option{Key: "access", Values: []string{access}})
	}
	return h
}

func call(kind hook.Kind, files ...hook.File) hook.Event {
	return hook.Event{Name: hook.PreToolUse, Cwd: "/p", Tool: &hook.Tool{Kind: kind, Files: files}}
}

func TestProtectPaths(t *testing.T) {
	env := []string{".env", ".env.*", "!.env.example"}
	for _, tt := range []struct {
		name   string
		h      *manifest.Handler
		ev     hook.Event
		denied bool
	}{
		{"reads it", protect("", env...), call(hook.KindRead, hook.File{Path: "/p/.env", Op: hook.OpRead}), true},
		{"in a sub-folder", protect("", env...), call(hook.KindRead, hook.File{Path: "/p/web/.env.local", Op: hook.OpRead}), true},
		{"the example", protect("", env...), call(hook.KindRead, hook.File{Path: "/p/.env.example", Op: hook.OpRead}), false},
		{"another file", protect("", env...), call(hook.KindEdit, hook.File{Path: "/p/env.go", Op: hook.OpUpdate}), false},
		{"outside the project", protect("", env...), call(hook.KindRead, hook.File{Path: "/other/.env", Op: hook.OpRead}), true},
		{"only writes are refused", protect("write", env...), call(hook.KindRead, hook.File{Path: "/p/.env", Op: hook.OpRead}), false},
		{"a delete is a write", protect("write", env...), call(hook.KindEdit, hook.File{Path: "/p/.env", Op: hook.OpDelete}), true},
		{"moved onto it", protect("write", env...), call(hook.KindEdit, hook.File{Path: "/p/a", MovedTo: "/p/.env", Op: hook.OpMove}), true},
		{"one of many", protect("", env...), call(hook.KindEdit, hook.File{Path: "/p/a", Op: hook.OpUpdate}, hook.File{Path: "/p/.env", Op: hook.OpUpdate}), true},
		{"with dots in the path", protect("", env...), call(hook.KindRead, hook.File{Path: "/p/web/../.env", Op: hook.OpRead}), true},
		{"below a folder", protect("", "secrets/"), call(hook.KindRead, hook.File{Path: "/p/secrets/a/b.txt", Op: hook.OpRead}), true},
		{"a pattern with a slash is relative to the project", protect("", "config/*.key"), call(hook.KindRead, hook.File{Path: "/p/config/a.key", Op: hook.OpRead}), true},
		{"and only there", protect("", "config/*.key"), call(hook.KindRead, hook.File{Path: "/p/x/config/a.key", Op: hook.OpRead}), false},
		{"two stars", protect("", "**/config/*.key"), call(hook.KindRead, hook.File{Path: "/p/x/config/a.key", Op: hook.OpRead}), true},
		{"absolute", protect("", "/etc/passwd"), call(hook.KindRead, hook.File{Path: "/etc/passwd", Op: hook.OpRead}), true},
		{"a relative path that nobody placed", protect("", env...), call(hook.KindRead, hook.File{Path: ".env", Op: hook.OpRead}), true},
		{"no file", protect("", env...), call(hook.KindShell), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := Rules{}.Check(tt.h, tt.ev, "/p")
			if err != nil || (d.Verdict == hook.Deny) != tt.denied || d.Verdict == hook.Allow {
				t.Fatalf("%v %q %v", d.Verdict, d.Reason, err)
			}
		})
	}
}

func TestAProjectInAFolderOfThatNameIsNotProtectedAsAWhole(t *testing.T) {
	ev := call(hook.KindRead, hook.File{Path: "/home/secrets/shop/a.go", Op: hook.OpRead})
	if d, _ := (Rules{}).Check(protect("", "secrets"), ev, "/home/secrets/shop"); d.Verdict != hook.NoOpinion {
		t.Fatal(d.Reason)
	}
}

func TestALinkDoesNotLeadAroundTheGuard(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".env"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".env", filepath.Join(dir, "harmless.txt")); err != nil {
		t.Skip(err)
	}
	ev := call(hook.KindRead, hook.File{Path: filepath.Join(dir, "harmless.txt"), Op: hook.OpRead})
	if d, _ := (Rules{}).Check(protect("", ".env"), ev, dir); d.Verdict != hook.Deny {
		t.Fatal("the link was followed past the guard")
	}
}

// checked tells which inputs of a tool are not as they should be, refused or let through.
func checked(t *testing.T, h *manifest.Handler, kind hook.Kind, inputs map[string]bool) {
	t.Helper()
	for input, denied := range inputs {
		ev := call(kind)
		ev.Tool.Input = []byte(input)
		if d, err := (Rules{}).Check(h, ev, "/p"); err != nil || (d.Verdict == hook.Deny) != denied {
			t.Errorf("%s %s: %v %q %v", kind, input, d.Verdict, d.Reason, err)
		}
	}
}

func TestSearchToolsNameFilesToo(t *testing.T) {
	checked(t, protect("", ".env"), hook.KindSearch, map[string]bool{
		`{"pattern":"KEY","path":".env"}`:                  true,
		`{"pattern":"KEY","paths":["src","/p/.env"]}`:      true,
		`{"pattern":"KEY","path":"src"}`:                   false,
		`{"pattern":"\\.env"}`:                             false,
		`not json`:                                         false,
		`{"pattern":"KEY","path":"/p/.env","more":[1]}`:    true,
		`{"Query":"KEY","SearchPath":"/p/.env"}`:           true, // a key that no table knows
		`{"Query":".env","SearchPath":"/p"}`:               false,
		`{"SearchDirectory":"/p","Includes":["a",".env"]}`: true,
	})
}

// A search whose file pattern is meant for protected files finds nothing else; a broad one is let go.
func TestSearchesForProtectedFilesAreRefused(t *testing.T) {
	env := []string{".env", ".env.*", "!.env.example", "*.pem", "secrets/", "config/*.key"}
	refused := map[string]bool{
		".env": true, ".env*": true, "**/.env": true, "**/.env*": true, "/p/.env*": true, ".en*": true, ".e?v": true, ".env.l*": true,
		"web/**/.env.*": true, "*.{ts,env}": true, "*.ts,.env": true, "{.env,a.ts}": true, "*.pem": true, "server*.pem": true,
		"secrets/**": true, "**/secrets/**/*.txt": true, "config/*.key": true,
		"*": false, "**": false, "**/*": false, "*.*": false, ".*": false, "**/*.ts": false, "*.json": false, "src/**": false, "!.env": false,
		"!.env*": false, "env*": false, ".env.example": false, "*.key": false, "s*.go": false, "other/*.key": false, "{": false, "}{": false, "": false,
	}
	inputs := map[string]bool{`{"glob":"*.key","path":"config"}`: true}
	for glob, denied := range refused {
		inputs[fmt.Sprintf(`{"pattern":"KEY","glob":%q}`, glob)] = denied
	}
	checked(t, protect("", env...), hook.KindSearch, inputs)
	checked(t, protect("write", env...), hook.KindSearch, map[string]bool{`{"glob":".env*"}`: false, `{"path":".env"}`: false})
}

// A guard can only refuse, whatever it is shown.
func FuzzGuardsOnlyRefuse(f *testing.F) {
	f.Add(".env", "/p/.env", "/p")
	f.Add("**/[", "../../x", "")
	f.Add("!", "/", "/")
	f.Fuzz(func(t *testing.T, pattern, path, base string) {
		ev := call(hook.KindEdit, hook.File{Path: path, Op: hook.OpUpdate})
		d, err := Rules{}.Check(protect("", pattern), ev, base)
		again, _ := Rules{}.Check(protect("", pattern), ev, base)
		if err != nil || d.Verdict != hook.NoOpinion && d.Verdict != hook.Deny || d.Verdict != again.Verdict || d.Input != nil {
			t.Fatalf("%v %v", d, err)
		}
		search := call(hook.KindSearch)
		search.Tool.Input = fmt.Appendf(nil, `{"glob":%q,"in":[{"path":%q}]}`, path, base)
		if d, err := (Rules{}).Check(protect("", pattern), search, base); err != nil || d.Verdict != hook.NoOpinion && d.Verdict != hook.Deny {
			t.Fatalf("%v %v", d, err)
		}
	})
}

func TestALinkToAFileThatIsNotThereYetDoesNotLeadAroundTheGuard(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(".env", filepath.Join(dir, "notes.txt")); err != nil {
		t.Skip(err)
	}
	ev := call(hook.KindWrite, hook.File{Path: filepath.Join(dir, "notes.txt"), Op: hook.OpCreate})
	if d, _ := (Rules{}).Check(protect("", ".env"), ev, dir); d.Verdict != hook.Deny {
		t.Fatal("the file behind the link is .env")
	}
}

func TestSpellingsThatAgentsRewrite(t *testing.T) {
	t.Setenv("HOME", "/home/dev")
	for path, denied := range map[string]bool{
		"/p/@.env": true, "/p/file:/p/%2Eenv": true, "/p/~/.ssh/id": true, "/p/a\u00a0b.key": true,
		"/p/%2Eenv": false, "/p/@README": false, "/p/file.go": false,
	} {
		ev := call(hook.KindRead, hook.File{Path: path, Op: hook.OpRead})
		if d, _ := (Rules{}).Check(protect("", ".env", "~/.ssh", "a b.key"), ev, "/p"); (d.Verdict == hook.Deny) != denied {
			t.Errorf("%q: %v", path, d.Verdict)
		}
	}
}

func TestToolsThatNobodyKnowsAreSeenByTheirKeys(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 100) + `{"path":".env"}` + strings.Repeat("}", 100)
	checked(t, protect("", ".env"), hook.KindMCP, map[string]bool{
		`{"path":"/p/.env"}`: true, `{"target_file":".env"}`: true, `{"paths":["a","/p/.env"]}`: true,
		`{"text":"/p/.env"}`: false, `{"path":"/p/a.go"}`: false, `{"profile":".env"}`: false,
		`{"ServerName":"fs","ToolName":"read","Arguments":{"path":".env"}}`: true,
		`{"args":{"path":".env"}}`: true, `{"files":[{"path":"a"},{"path":".env"}]}`: true, `{"a":[[{"b":{"uri":"file:///p/.env"}}]]}`: true,
		`{"args":{"glob":"**/.env*"}}`: true, `{"args":{"text":".env","list":[".env"],"more":{"query":".env"}}}`: false,
		deep: false,
	})
}
