package codex

import (
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/patch"
)

// patchInShell returns the files that a command touches by a patch in a here-document:
//
//	apply_patch <<'EOF'
//	cd DIR && apply_patch <<'EOF'
//
// Codex carries these two out as a patch instead of starting a shell, while hooks see a command. A
// command that merely holds the text of a patch touches nothing by it.
func patchInShell(command, cwd string) []hook.File {
	first, body, ok := strings.Cut(strings.TrimLeft(command, " \t\r\n"), "\n")
	if !ok {
		return nil
	}
	dir := cwd
	if rest, ok := strings.CutPrefix(first, "cd "); ok {
		to, run, ok := strings.Cut(rest, "&&")
		if !ok {
			return nil
		}
		dir, first = agent.Absolute(cwd, unquoted(strings.TrimSpace(to))), strings.TrimLeft(run, " \t")
	}
	name, marker, ok := strings.Cut(first, "<<")
	if name = strings.TrimSpace(name); !ok || name != "apply_patch" && name != "applypatch" || strings.TrimSpace(marker) == "" {
		return nil
	}
	// A malformed patch still names files, and a guard must see them.
	files, _ := patch.Parse(body)
	for i := range files {
		f := &files[i]
		f.Path, f.MovedTo = agent.Absolute(dir, f.Path), agent.Absolute(dir, f.MovedTo)
	}
	return files
}

// unquoted is a shell word without the quotes around it.
func unquoted(word string) string {
	if n := len(word); n >= 2 && (word[0] == '\'' || word[0] == '"') && word[n-1] == word[0] {
		return word[1 : n-1]
	}
	return word
}
