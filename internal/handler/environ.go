package handler

import (
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/hookspan/hookspan/hook"
)

// The variables that a handler finds.
const (
	varEvent = "HOOKSPAN_EVENT"
	varFile  = "HOOKSPAN_FILE"
	varChain = "HOOKSPAN_CHAIN"
	varLocks = "GIT_OPTIONAL_LOCKS"
)

// Environ builds a handler's environment from base, the agent's:
//
//   - CLAUDE_PROJECT_DIR and PROJECT_DIR, CLAUDE_PLUGIN_ROOT and PLUGIN_ROOT, both spellings, where
//     the event tells the folder; else what base has stays;
//   - HOOKSPAN_EVENT, the event's name, and HOOKSPAN_FILE, the file of the tool call where it is
//     exactly one (a move has two); inherited ones never stay;
//   - HOOKSPAN_CHAIN, the handlers that we run inside, the new one included (see [Chain]);
//   - GIT_OPTIONAL_LOCKS=0 unless base sets it: `git status` in a handler must not write the index
//     while someone commits.
//
// With allow (not nil, it may be empty) only the variables named there are taken from base, and
// those without which programs cannot be started: PATH and HOME, on Windows also SystemRoot,
// ComSpec, PATHEXT, TEMP, TMP and USERPROFILE.
//
// Nothing here decides anything for hookspan itself: a repository's settings can set variables.
func Environ(base []string, ev hook.Event, chain []string, allow []string) []string {
	ours := own(ev, chain)
	env := make([]string, 0, len(base)+len(ours)+1)
	locks := false
	for _, entry := range base {
		name := nameOf(entry)
		switch {
		case sets(ours, name):
			continue
		case sameName(name, varLocks):
			locks = true
		case allow != nil && !passes(allow, name):
			continue
		}
		env = append(env, entry)
	}
	if !locks {
		env = append(env, varLocks+"=0")
	}
	for _, v := range ours {
		if v.set {
			env = append(env, v.name+"="+v.value)
		}
	}
	return env
}

// variable is one that we answer for: it is set, or it is kept away.
type variable struct {
	name, value string
	set         bool
}

func own(ev hook.Event, chain []string) []variable {
	file, one := onlyFile(ev.Tool)
	vars := []variable{
		{varEvent, string(ev.Name), true},
		{varFile, file, one},
		{varChain, joinChain(chain), len(chain) > 0},
	}
	if ev.Project != "" {
		vars = append(vars, variable{"CLAUDE_PROJECT_DIR", ev.Project, true}, variable{"PROJECT_DIR", ev.Project, true})
	}
	if ev.Plugin != "" {
		vars = append(vars, variable{"CLAUDE_PLUGIN_ROOT", ev.Plugin, true}, variable{"PLUGIN_ROOT", ev.Plugin, true})
	}
	return vars
}

// onlyFile is the file of a tool call that touches one path, however often.
func onlyFile(t *hook.Tool) (string, bool) {
	if t == nil || len(t.Files) == 0 {
		return "", false
	}
	path := t.Files[0].Path
	for _, f := range t.Files {
		if f.Path != path || f.MovedTo != "" && f.MovedTo != path {
			return "", false
		}
	}
	return path, path != ""
}

func sets(vars []variable, name string) bool {
	return slices.ContainsFunc(vars, func(v variable) bool { return sameName(v.name, name) })
}

func passes(allow []string, name string) bool {
	same := func(other string) bool { return sameName(other, name) }
	if slices.ContainsFunc(allow, same) || same("PATH") || same("HOME") {
		return true
	}
	return runtime.GOOS == "windows" &&
		slices.ContainsFunc([]string{"SystemRoot", "ComSpec", "PATHEXT", "TEMP", "TMP", "USERPROFILE"}, same)
}

// nameOf is the name of an entry NAME=VALUE. Windows has entries such as "=C:=C:\shop".
func nameOf(entry string) string {
	if i := strings.IndexByte(entry[min(1, len(entry)):], '='); i >= 0 {
		return entry[:i+1]
	}
	return entry
}

func sameName(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// lookEnv reads a variable of the program's environment; the last entry counts.
func (c Command) lookEnv(name string) string {
	value, _ := c.lookupEnv(name)
	return value
}

func (c Command) lookupEnv(name string) (string, bool) {
	env := c.Env
	if env == nil {
		env = os.Environ()
	}
	for _, entry := range slices.Backward(env) {
		if n := nameOf(entry); sameName(n, name) && len(n) < len(entry) {
			return entry[len(n)+1:], true
		}
	}
	return "", false
}

// joinChain writes handlers' names as one value: commas between, "," and "%" in names as %2C, %25.
func joinChain(names []string) string {
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = strings.NewReplacer("%", "%25", ",", "%2C", "\x00", "").Replace(name)
	}
	return strings.Join(parts, ",")
}

// Chain reads the value of HOOKSPAN_CHAIN: the names of the handlers that this process runs inside,
// outermost first. It serves to run no handler inside itself, and nothing else.
func Chain(value string) []string {
	if value == "" {
		return nil
	}
	parts := strings.Split(value, ",")
	for i, part := range parts {
		parts[i] = strings.NewReplacer("%2C", ",", "%25", "%").Replace(part)
	}
	return parts
}
