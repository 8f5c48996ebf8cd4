package live

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Tally is somebody else's hook: it keeps each call's standard input and answers as it was told.
type Tally struct {
	dir    string
	script string
}

// Tally makes a hook in the sandbox. answer is a POSIX shell script that gets the payload on standard input
// and the label as $1; "" says nothing.
func (s *Sandbox) Tally(name, answer string) (*Tally, error) {
	t := &Tally{dir: filepath.Join(s.Root, "tally", name), script: filepath.Join(s.Root, "tally", name+".sh")}
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return nil, fmt.Errorf("failed to make a counting hook: %w", err)
	}
	answers := filepath.Join(s.Root, "tally", name+".answer.sh")
	if err := s.WriteFile(answers, answer+"\n"); err != nil {
		return nil, err
	}
	// A name that a lost race cannot share, and a move, so that a call is counted once and whole.
	return t, s.WriteFile(t.script, fmt.Sprintf(`#!/bin/sh
dir=%s
call=$(mktemp "$dir/$1.XXXXXX.new") || exit 1
cat > "$call"
mv "$call" "${call%%.new}"
exec sh %s "$1" < "${call%%.new}"
`, Quote(t.dir), Quote(answers)))
}

// Command is the command line to register; label is what the call is counted as.
func (t *Tally) Command(label string) string { return "sh " + Quote(t.script) + " " + Quote(label) }

// Count is how often the hook was called as label.
func (t *Tally) Count(label string) (int, error) {
	payloads, err := t.Payloads(label)
	return len(payloads), err
}

// Payloads are the standard inputs of the calls as label, in the order of their files' times.
func (t *Tally) Payloads(label string) ([]string, error) {
	entries, err := os.ReadDir(t.dir)
	if err != nil {
		return nil, fmt.Errorf("failed to count calls: %w", err)
	}
	type call struct {
		at   int64
		text string
	}
	var calls []call
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), label+".") || strings.HasSuffix(e.Name(), ".new") {
			continue
		}
		info, err1 := e.Info()
		text, err2 := os.ReadFile(filepath.Join(t.dir, e.Name()))
		if err := errors.Join(err1, err2); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("failed to read a call: %w", err)
		}
		calls = append(calls, call{info.ModTime().UnixNano(), string(text)})
	}
	slices.SortFunc(calls, func(a, b call) int { return int(a.at - b.at) })
	out := make([]string, len(calls))
	for i, c := range calls {
		out[i] = c.text
	}
	return out, nil
}
