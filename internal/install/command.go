package install

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
)

// Name is the program's name, by which entries are known as ours.
const Name = "hookspan"

// line returns the command line that starts us for an event, for a shell.
func (e Env) line(a *agent.Agent, s *agent.Setup, scope agent.Scope, native string, sh agent.Shell) (string, error) {
	tail := " run " + a.Name + " " + native
	if scope == agent.ScopeProject {
		if s.Checkout != "" {
			tail += " --project " + s.Checkout
		}
		return shared(tail, sh), nil
	}
	program, err := quote(filepath.ToSlash(e.Program), sh)
	if err != nil {
		return "", err
	}
	for _, c := range s.Literal {
		if strings.ContainsRune(e.Program, c) {
			return "", fmt.Errorf("failed to register %s: %s replaces %q in settings before a shell sees it; move the program to a path without it", e.Program, a.Title, c)
		}
	}
	return program + tail, nil
}

// shared is the line for a file that others get as well. Where they have no hookspan it does nothing
// and succeeds: exit 127 blocks every call in Gemini and Copilot. It is one simple command, since Cursor
// may hand the payload to the last command of a list, and starts sh itself, since Cursor and Codex take
// the account's own shell.
func shared(tail string, sh agent.Shell) string {
	if sh == agent.PowerShell {
		return "if (Get-Command " + Name + " -ErrorAction SilentlyContinue) { " + Name + tail + "; exit $LASTEXITCODE }"
	}
	return "sh -c 'command -v " + Name + " >/dev/null 2>&1 || exit 0; exec " + Name + tail + "'"
}

// quote writes a path as a word of a shell; without quotes where it needs none, since some versions of
// some agents lose them.
func quote(path string, sh agent.Shell) (string, error) {
	if strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", fmt.Errorf("failed to register %q: there is a control character in the path; move the program", path)
	}
	if !strings.ContainsFunc(path, special) {
		return path, nil
	}
	switch sh {
	case agent.PowerShell:
		return "& '" + strings.ReplaceAll(path, "'", "''") + "'", nil
	case agent.Cmd:
		if strings.ContainsAny(path, `"%`) {
			return "", fmt.Errorf("failed to register %s: cmd.exe cannot be told a path with %% or a quote in it; move the program", path)
		}
		return `"` + path + `"`, nil
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'", nil
}

// special reports whether a character may mean something to a shell.
func special(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("/._-+:,@=", r))
}
