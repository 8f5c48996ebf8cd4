package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
)

// prefix is what the names of sessions' folders begin with.
const prefix = "with-"

// pidFile holds the processes for which the folder is: ours and the agent's.
const pidFile = ".pids"

// folder makes the session's folder, mode 0700: in the folder that the system empties at log-out, or among
// hookspan's own. Not in the system's temporary folder, where everybody may write: Gemini CLI refuses a
// file below such a folder, and a name there may be taken by others.
func (q Request) folder(way *agent.Way) (string, error) {
	root := way.Layer != nil && way.Layer.Root
	if root && q.Env.OS == "windows" {
		return "", impossible(q.Agent, q.With.Not)
	}
	var last error
	for _, parent := range q.parents() {
		if last = os.MkdirAll(parent, 0o700); last != nil {
			continue
		}
		sweep(parent)
		if root && !roots(parent) {
			continue
		}
		dir, err := os.MkdirTemp(parent, prefix)
		if last = err; err == nil {
			return dir, note(dir, os.Getpid())
		}
	}
	if last == nil {
		return "", impossible(q.Agent, q.With.Not)
	}
	return "", fmt.Errorf("failed to make a private folder for the session: %w", last)
}

// parents are where sessions' folders may lie.
func (q Request) parents() []string {
	var list []string
	if dir := q.Env.Get("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		list = append(list, filepath.Join(dir, "hookspan"))
	}
	return append(list, filepath.Join(q.Env.State, "with"))
}

// note adds a process to those for which the folder is.
func note(dir string, pid int) error {
	f, err := os.OpenFile(filepath.Join(dir, pidFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("failed to note whose folder it is: %w", err)
	}
	_, err = fmt.Fprintln(f, pid)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// sweep removes folders of sessions that were killed: none of their processes is alive.
func sweep(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		dir := filepath.Join(parent, e.Name())
		if strings.HasPrefix(e.Name(), prefix) && e.IsDir() && abandoned(dir) {
			_ = os.RemoveAll(dir) // the next session tries again
		}
	}
}

// abandoned reports whether a session's folder has no process any more. One without a note is being made
// just now.
func abandoned(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, pidFile))
	pids := strings.Fields(string(text))
	if err != nil || len(pids) == 0 {
		return false
	}
	for _, p := range pids {
		pid, err := strconv.Atoi(p)
		if err != nil || alive(pid) {
			return false
		}
	}
	return true
}
