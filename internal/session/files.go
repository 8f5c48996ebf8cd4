package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/splice"
	"github.com/hookspan/hookspan/internal/wire"
)

// files writes everything that a way wants into the session's folder.
func (q Request) files(s *Session, way *agent.Way, entries []install.Entry) error {
	text, err := q.hooks(way, entries)
	if err != nil {
		return err
	}
	if err := write(filepath.Join(s.Dir, filepath.FromSlash(way.Hooks.Path)), text); err != nil {
		return err
	}
	for _, f := range way.Files {
		if err := write(filepath.Join(s.Dir, filepath.FromSlash(f.Path)), []byte(f.Text)); err != nil {
			return err
		}
	}
	return nil
}

// write makes a file that only its owner reads, and folders that only its owner enters.
func write(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("failed to make the session's files: %w", err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return fmt.Errorf("failed to make the session's files: %w", err)
	}
	return nil
}

// hooks is the text of the file that carries the registration.
func (q Request) hooks(way *agent.Way, entries []install.Entry) ([]byte, error) {
	if c := way.Hooks; c.Format == agent.JavaScript || c.Format == agent.TypeScript {
		return q.Env.Document(q.Agent, install.Want{Scope: agent.ScopeUser, Extra: q.Extra})
	}
	name, before, err := q.before(way)
	if err != nil {
		return nil, err
	}
	doc, err := splice.Parse(name, before, formatOf(way.Hooks))
	if err != nil {
		return nil, fmt.Errorf("failed to carry over the settings of this machine: %w", err)
	}
	for _, need := range way.Hooks.Needs {
		if err := doc.Require(splice.At(need.Key), []byte(need.JSON)); err != nil {
			return nil, err
		}
	}
	for _, en := range entries {
		if err := doc.Append(splice.At(way.Hooks.At...).Key(en.Native), en.JSON); err != nil {
			return nil, fmt.Errorf("failed to add the hooks to the settings of this machine: %w", err)
		}
	}
	return doc.Bytes(), nil
}

// before is the settings file of the machine that the session's stands in for; no text if there is none.
func (q Request) before(way *agent.Way) (name string, text []byte, err error) {
	if way.Layer == nil {
		return way.Hooks.Path, nil, nil
	}
	name = q.layer(way.Layer)
	text, err = os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return name, nil, nil
	}
	if err != nil {
		return name, nil, fmt.Errorf("failed to carry over the settings of this machine: %w", err)
	}
	return name, text, nil
}

// layer is where the agent looks for the machine's settings now.
func (q Request) layer(l *agent.Layer) string {
	if path := q.Env.Get(l.Var); path != "" {
		return path
	}
	switch q.Env.OS {
	case "darwin":
		return l.Mac
	case "windows":
		return l.Windows
	}
	return l.Linux
}

// beside keeps the second file of the machine where it was: the agent looks for it beside the first.
func (q Request) beside(l *agent.Layer) []string {
	if l.Beside == "" || q.Env.Get(l.BesideVar) != "" {
		return nil
	}
	return []string{l.BesideVar + "=" + filepath.Join(filepath.Dir(q.layer(l)), l.Beside)}
}

// listed is the variable with our file in its list, behind what the person has put there.
func (q Request) listed(l *agent.List, dir string) (string, error) {
	now := q.Env.Get(l.Var)
	doc, err := splice.Parse("$"+l.Var, []byte(now), splice.JSON|splice.Comments|splice.TrailingCommas|splice.NullAbsent)
	if err != nil {
		return "", fmt.Errorf("failed to add the hooks to a variable that you have set: %w", err)
	}
	if err := doc.Append(splice.At(l.At...), wire.AppendString(nil, in(dir, l.Item))); err != nil {
		return "", fmt.Errorf("failed to add the hooks to a variable that you have set: %w", err)
	}
	return l.Var + "=" + string(doc.Bytes()), nil
}

func formatOf(c agent.Carrier) splice.Format {
	f := splice.JSON
	switch c.Format {
	case agent.JSONComments:
		f |= splice.Comments
	case agent.JSONC:
		f |= splice.Comments | splice.TrailingCommas
	}
	if c.BOM {
		f |= splice.BOM
	}
	return f
}
