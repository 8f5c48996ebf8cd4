package install

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/sha256"
	"github.com/hookspan/hookspan/internal/splice"
)

// record is what the ledger knows of one file that carries a registration.
type record struct {
	Agent   string       `json:"agent"`
	Scope   string       `json:"scope"`
	Path    string       `json:"path"`   // as it was named
	Target  string       `json:"target"` // links followed
	Undo    splice.Undo  `json:"undo"`
	Pending *splice.Undo `json:"pending,omitempty"` // of a write that has begun
	Own     bool         `json:"own,omitempty"`     // a generated file, made by us
	Holes   []hole       `json:"holes,omitempty"`   // empty groups that uninstall has left
	Filled  []hole       `json:"filled,omitempty"`  // those that were there before this install
	Empty   bool         `json:"empty,omitempty"`   // of a trust record: nothing was trusted before
}

// hole is an empty group in the place of ours: without it the groups behind it would lose their trust.
type hole struct {
	Event string `json:"event"`
	Index int    `json:"index"`
}

// ledger is the folder of records. Its methods are called under the install lock.
type ledger struct{ dir string }

func (e Env) ledger() ledger { return ledger{filepath.Join(e.State, "install")} }

// lock keeps installs and uninstalls apart from each other. What a process that was killed held is
// free again.
func (e Env) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(e.State, 0o700); err != nil {
		return nil, fmt.Errorf("failed to make the state folder, where what is needed to undo is kept: %w", err)
	}
	return splice.Lock(ctx, filepath.Join(e.State, "locks", "install.lock"))
}

func (l ledger) file(agentName string, scope agent.Scope, target string) string {
	sum := sha256.Sum256([]byte(agentName + "\x00" + scope.String() + "\x00" + target))
	return filepath.Join(l.dir, hex.EncodeToString(sum[:16])+".json")
}

// load returns the record of a file, nil if there is none. now is what stands in the file: it tells
// whether a write that was begun has happened.
func (l ledger) load(agentName string, scope agent.Scope, target string, now []byte) (*record, error) {
	r, err := l.read(l.file(agentName, scope, target))
	if r == nil || err != nil {
		return nil, err
	}
	if r.Pending != nil && r.Pending.Applied(now) {
		r.Undo = *r.Pending
	}
	r.Pending = nil
	if r.Undo.After == "" && !r.Own && len(r.Holes) == 0 {
		return nil, nil // begun and never done
	}
	return r, nil
}

// knows reports whether an install of the file was begun, whether it got to an end or not.
func (l ledger) knows(agentName string, scope agent.Scope, target string) bool {
	_, err := os.Lstat(l.file(agentName, scope, target))
	return err == nil
}

func (l ledger) read(path string) (*record, error) {
	b, err := os.ReadFile(path)
	if isNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("failed to read what is needed to undo: %w", err)
	}
	var r record
	if json.Unmarshal(b, &r) != nil {
		return nil, nil // damaged: what is ours is still known by what it starts
	}
	return &r, nil
}

// all lists the records of an agent and scope.
func (l ledger) all(agentName string, scope agent.Scope) []record {
	paths, _ := filepath.Glob(filepath.Join(l.dir, "*.json"))
	var list []record
	for _, p := range paths {
		if r, err := l.read(p); err == nil && r != nil && r.Agent == agentName && r.Scope == scope.String() {
			list = append(list, *r)
		}
	}
	return list
}

func (l ledger) save(r *record, scope agent.Scope) error {
	return l.write(l.file(r.Agent, scope, r.Target), r)
}

func (l ledger) drop(r *record, scope agent.Scope) error {
	if err := os.Remove(l.file(r.Agent, scope, r.Target)); err != nil && !isNotExist(err) {
		return fmt.Errorf("failed to forget what has been undone: %w", err)
	}
	return nil
}

// write puts a file of the ledger in place in one step, safe against a loss of power.
func (l ledger) write(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("failed to note what is needed to undo: %w", err)
	}
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return fmt.Errorf("failed to note what is needed to undo: %w", err)
	}
	f, err := os.CreateTemp(l.dir, ".new-*") // mode 0600
	if err != nil {
		return fmt.Errorf("failed to note what is needed to undo: %w", err)
	}
	_, err = f.Write(b)
	if synced := f.Sync(); err == nil {
		err = synced
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("failed to note what is needed to undo: %w", err)
	}
	return nil
}

// clean removes what a process that was killed has left. The caller holds the lock, so nobody writes.
func (l ledger) clean() {
	left, _ := filepath.Glob(filepath.Join(l.dir, ".new-*"))
	for _, p := range left {
		_ = os.Remove(p)
	}
}

const foldersFile = "folders"

// noteFolders remembers folders that are about to be made.
func (l ledger) noteFolders(made []string) error {
	if len(made) == 0 {
		return nil
	}
	known := l.folders()
	for _, dir := range made {
		if !slices.Contains(known, dir) {
			known = append(known, dir)
		}
	}
	return l.write(filepath.Join(l.dir, foldersFile), known)
}

func (l ledger) folders() []string {
	var known []string
	if b, err := os.ReadFile(filepath.Join(l.dir, foldersFile)); err == nil {
		_ = json.Unmarshal(b, &known)
	}
	return known
}

// sweep removes the folders that installs made and that are empty by now, the innermost first.
func (l ledger) sweep() error {
	known := l.folders()
	if len(known) == 0 {
		return nil
	}
	byDepth := slices.Clone(known)
	slices.SortFunc(byDepth, func(a, b string) int {
		return strings.Count(b, string(filepath.Separator)) - strings.Count(a, string(filepath.Separator))
	})
	for _, dir := range byDepth {
		splice.RemoveFolders([]string{dir})
	}
	left := slices.DeleteFunc(known, func(dir string) bool {
		_, err := os.Lstat(dir)
		return isNotExist(err)
	})
	return l.write(filepath.Join(l.dir, foldersFile), left)
}
