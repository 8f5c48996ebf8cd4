package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/agent/all"
)

func (e Env) with(vars map[string]string) Env {
	e.Get = func(name string) string { return vars[name] }
	return e
}

// A variable moves an agent's folder; a blank one does not, a tilde in one is refused.
func TestFoldersOfAgentsMoveWithTheirVariables(t *testing.T) {
	e := scratch(t)
	for _, tt := range []struct{ agent, variable, value, want string }{
		{"claude", "CLAUDE_CONFIG_DIR", "/my conf/claude", "/my conf/claude/settings.json"},
		{"claude", "CLAUDE_CONFIG_DIR", " ", e.Home + "/.claude/settings.json"},
		{"codex", "CODEX_HOME", "/c", "/c/hooks.json"},
		{"codex", "CODEX_HOME", "", e.Home + "/.codex/hooks.json"},
		{"copilot", "COPILOT_HOME", "/c", "/c/hooks/hookspan.json"},
		{"gemini", "GEMINI_CLI_HOME", "/g", "/g/.gemini/settings.json"},
		{"qwen", "QWEN_HOME", "/q", "/q/settings.json"},
		{"droid", "FACTORY_HOME_OVERRIDE", "/f", "/f/.factory/hooks.json"},
		{"cursor", "CURSOR_CONFIG_DIR", "/c", "/c/hooks.json"},
		{"opencode", "XDG_CONFIG_HOME", "/x", "/x/opencode/plugins/hookspan.js"},
		{"pi", "PI_CODING_AGENT_DIR", "/p", "/p/extensions/hookspan.ts"},
	} {
		a := all.Get(tt.agent)
		if a == nil {
			t.Errorf("there is no %s", tt.agent)
			continue
		}
		s := a.Setup()
		got, err := e.with(map[string]string{tt.variable: tt.value}).Path(s.User[0].Path)
		if err != nil || got != tt.want {
			t.Errorf("%s with %s=%q: %s, %v; want %s", tt.agent, tt.variable, tt.value, got, err, tt.want)
		}
	}
	_, err := e.with(map[string]string{"CODEX_HOME": "~/codex"}).Path("${CODEX_HOME:-~/.codex}/hooks.json")
	if err == nil || !strings.Contains(err.Error(), "CODEX_HOME") {
		t.Errorf("a literal tilde: %v", err)
	}
}

func TestRootIsTheNearestCheckout(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "apps", "web")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := Root(deep); got != deep {
		t.Errorf("without git: %s", got)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: elsewhere\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := Root(deep); got != dir {
		t.Errorf("in a worktree: %s", got)
	}
}

func TestAnAgentIsUsedWhereItsFolderOrProgramIs(t *testing.T) {
	e := scratch(t)
	s := all.Get("qwen").Setup()
	if why := e.Uses(&s); why != "" {
		t.Errorf("empty home: %s", why)
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "qwen"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if why := e.with(map[string]string{"PATH": bin}).Uses(&s); why != filepath.Join(bin, "qwen") {
		t.Errorf("on PATH: %q", why)
	}
	e.write(t, ".qwen/x", "")
	if why := e.Uses(&s); why != "~/.qwen" {
		t.Errorf("with its folder: %q", why)
	}
}
