package starter

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookspan/hookspan/internal/manifest"
)

// Text is a manifest for a project.
func Text(p Project) string {
	var b strings.Builder
	b.WriteString("# Hooks for every coding agent. `hookspan try PreToolUse --path .env` shows what they do.\n")
	b.WriteString("hooks:\n")
	b.WriteString("  PreToolUse:\n    - matcher: \"@read|@edit|@search\"\n      hooks:\n")
	b.WriteString("        - guard: protect-paths # what a tool names; files that a shell command reads are not seen\n")
	b.WriteString("          paths: [\".env\", \".env.*\", \"!.env.example\", \"!.env.sample\", \"!.env.template\"]\n")
	formats(&b, p)
	gate(&b, p)
	return b.String()
}

func formats(b *strings.Builder, p Project) {
	if len(p.Formats) == 0 {
		b.WriteString("\n  # Format what was edited:\n  # PostToolUse:\n  #   - matcher: \"@edit\"\n  #     hooks: [{ command: 'your-formatter \"$HOOKSPAN_FILE\"' }]\n")
		return
	}
	b.WriteString("\n  PostToolUse:\n    - matcher: \"@edit\" # every tool that edits, in every agent\n      hooks:\n")
	for _, f := range p.Formats {
		fmt.Fprintf(b, "        - command: 'case \"$HOOKSPAN_FILE\" in *.%s) %s ;; esac'\n", strings.Join(f.Endings, "|*."), f.Command)
	}
}

func gate(b *strings.Builder, p Project) {
	test := p.Test
	mark := ""
	if !p.Certain {
		mark = "# "
	}
	if test == "" {
		test = "your-tests"
	}
	b.WriteString("\n")
	if p.Certain {
		b.WriteString("  # A failing test sends the agent back to work, three times at most.\n")
	} else {
		b.WriteString("  # A gate: while the tests fail the agent goes on working, three times at most.\n")
	}
	for _, line := range []string{"Stop:", "  - hooks:", "      - command: " + test, "        gate: true", "        max_continues: 3", "        timeout: 300"} {
		b.WriteString("  " + mark + line + "\n")
	}
}

// ErrExists says that the project has a manifest already.
var ErrExists = errors.New("the project has a manifest already")

// Write makes the manifest in a project's root and returns its path. It never touches a file that is there:
// then the error is ErrExists, and the path is that file's.
func Write(root, text string) (path string, err error) {
	if found := manifest.Find(root); len(found) > 0 {
		return found[0], ErrExists
	}
	path = filepath.Join(root, manifest.FileNames()[0])
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return path, ErrExists
	}
	if err != nil {
		return path, fmt.Errorf("failed to write the manifest: %w", err)
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(path)
		return path, fmt.Errorf("failed to write the manifest: %w", err)
	}
	return path, nil
}
