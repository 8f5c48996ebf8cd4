package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/manifest"
	"github.com/hookspan/hookspan/internal/run"
	"github.com/hookspan/hookspan/internal/support"
)

// same compares a generated page with the one in docs; HOOKSPAN_UPDATE=1 writes it.
func same(t *testing.T, name, want string) {
	t.Helper()
	path := filepath.Join("..", "..", "docs", name)
	if os.Getenv("HOOKSPAN_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Errorf("docs/%s is not what the tables say; HOOKSPAN_UPDATE=1 go test ./cmd/hookspan writes it anew", name)
	}
}

func TestSupportPageIsWhatTheTablesSay(t *testing.T) {
	same(t, "support.md", support.Markdown(all.Agents()))
}

func TestSchemaIsWhatTheTypesSay(t *testing.T) {
	same(t, "hookspan.schema.json", strings.TrimRight(string(manifest.Schema(run.Vocabulary{})), "\n")+"\n")
}

// What the documents show as a manifest is one.
func TestManifestsInTheDocumentsAreValid(t *testing.T) {
	fence := regexp.MustCompile("(?s)```yaml\n(.*?)```")
	for _, doc := range []string{"README.md", "docs/manifest.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", doc))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
			if plan, problems := manifest.Parse(doc, []byte(m[1]), run.Vocabulary{}); plan == nil {
				t.Errorf("%s: %v\n%s", doc, problems, m[1])
			}
		}
	}
}

// Every verb is in the help, and explains itself.
func TestEveryVerbExplainsItself(t *testing.T) {
	for _, v := range verbs() {
		var out, errOut strings.Builder
		c := &console{in: strings.NewReader(""), out: &out, err: &errOut}
		if v.name == "version" || v.name == "completion" {
			continue
		}
		if code := v.run(c, []string{"--help"}); code != exitOK || !strings.Contains(out.String(), "hookspan "+v.name) {
			t.Errorf("%s --help: %d %q %q", v.name, code, out.String(), errOut.String())
		}
		out.Reset()
		if code := v.run(c, []string{"--nonsense"}); code != exitUsage {
			t.Errorf("%s --nonsense: %d", v.name, code)
		}
	}
}
