package install

import (
	"context"
	"os"
	"path/filepath"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/splice"
)

// SpareNPM makes what spares OpenCode its wait for npm in a configuration folder: an empty node_modules and
// a lock file. A folder that has dependencies of its own stays as it is; done is then false. Plugins that
// import @opencode-ai/plugin as a value do not load any more.
func (e Env) SpareNPM(ctx context.Context, a *agent.Agent, o Options) (f File, done bool, err error) {
	j, err := e.job(a, o.Scope, o.FollowLinks)
	if err != nil {
		return f, false, err
	}
	dir, err := j.configFolder()
	if err != nil {
		return f, false, err
	}
	f.Path = filepath.Join(dir, "package-lock.json")
	now, err := splice.Load(f.Path, "")
	if err != nil {
		return f, false, err
	}
	f.Before, f.After = now.Bytes, []byte(j.setup.NPMLock)
	if string(now.Bytes) == j.setup.NPMLock {
		return f, true, nil
	}
	for _, name := range []string{"package.json", "package-lock.json", "node_modules"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			f.After = f.Before
			return f, false, nil
		}
	}
	f.Changed = true
	if o.DryRun {
		return f, true, nil
	}
	unlock, err := e.lock(ctx)
	if err != nil {
		return f, false, err
	}
	defer unlock()
	return f, true, j.spare(ctx, dir, f.Path)
}

// configFolder is the folder that holds the one of the plugins.
func (j *job) configFolder() (string, error) {
	path, err := j.Path(j.setup.Carriers(j.scope)[0].Path)
	return filepath.Dir(filepath.Dir(path)), err
}

func (j *job) spare(ctx context.Context, dir, path string) error {
	modules := filepath.Join(dir, "node_modules")
	if err := j.ledger.noteFolders([]string{modules}); err != nil {
		return err
	}
	st := j.store(path)
	st.Intent = func(now splice.File, _ []byte) error { return j.ledger.noteFolders(now.Missing) }
	if _, err := st.Update(ctx, path, func(splice.File) ([]byte, error) { return []byte(j.setup.NPMLock), nil }); err != nil {
		return err
	}
	if err := os.Mkdir(modules, 0o755); err != nil && !os.IsExist(err) {
		return (&splice.Error{Fault: splice.IO, Path: modules, What: "failed to make the folder", Err: err})
	}
	return nil
}

// spared takes the lock file out again, if it is still ours. The empty folder goes with the other folders
// that installs made.
func (j *job) spared(ctx context.Context, o Options) (File, error) {
	if !isCode(j.setup.Carriers(j.scope)[0]) || j.setup.NPMLock == "" {
		return File{}, nil
	}
	dir, err := j.configFolder()
	if err != nil {
		return File{}, err
	}
	f := File{Path: filepath.Join(dir, "package-lock.json")}
	now, err := splice.Load(f.Path, "")
	if err != nil || string(now.Bytes) != j.setup.NPMLock {
		return f, unlessGone(err)
	}
	f.Before, f.Changed = now.Bytes, true
	if o.DryRun {
		return f, nil
	}
	_, err = j.store(f.Path).Update(ctx, f.Path, func(now splice.File) ([]byte, error) {
		if string(now.Bytes) == j.setup.NPMLock {
			return nil, nil
		}
		return now.Bytes, nil
	})
	return f, err
}
