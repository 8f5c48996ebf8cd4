package install

import (
	"context"

	"github.com/hookspan/hookspan/internal/splice"
)

// installCode writes the generated file of an agent that runs functions.
func (j *job) installCode(ctx context.Context, w Want, o Options) ([]File, error) {
	text, err := j.generated(j.agent, &j.setup, w)
	if err != nil {
		return nil, err
	}
	entries, err := j.Wanted(j.agent, w)
	if err != nil {
		return nil, err
	}
	sites, err := j.open()
	if err != nil {
		return nil, err
	}
	s := sites[0]
	f := File{Path: s.path, Before: s.file.Bytes, After: text, Changed: !equal(s.file.Bytes, text)}
	for _, en := range entries {
		f.Events = append(f.Events, en.Native)
	}
	st := j.store(s.path)
	if !f.Changed || o.DryRun {
		return []File{f}, nil
	}
	st.Intent = func(now splice.File, _ []byte) error {
		if err := j.ledger.noteFolders(now.Missing); err != nil {
			return err
		}
		return j.ledger.save(&record{Agent: j.agent.Name, Scope: j.scope.String(), Path: s.path, Target: now.Target, Own: true}, j.scope)
	}
	res, err := st.Update(ctx, s.path, func(now splice.File) ([]byte, error) {
		if now.Exists && !j.isOwn(s.Carrier, now) {
			return nil, &splice.Error{Fault: splice.Shape, Path: s.path, What: "another program has made this file meanwhile", Hint: "install again: another name will be taken"}
		}
		return text, nil
	})
	if err != nil {
		return nil, err
	}
	f.Before, f.Changed, f.Backup = res.Bytes, res.Wrote, res.Backup
	return []File{f}, nil
}
