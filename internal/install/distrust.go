package install

import (
	"context"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/sha256"
	"github.com/hookspan/hookspan/internal/splice"
)

// trustTable is the member of Codex's [hooks] that is no event: what it trusts, by
// "FILE:event_in_snake_case:GROUP:HANDLER". It is kept in the user's config.toml, for projects too.
const trustTable = "state"

// trustKeys lists the keys under which Codex may have trusted our entries at these sites.
func (j *job) trustKeys(sites []site) ([]string, error) {
	if j.setup.HookTrust == nil {
		return nil, nil
	}
	var keys []string
	for i := range sites {
		s := &sites[i]
		if !s.file.Exists {
			continue
		}
		doc, err := read(s.Carrier, s.path, s.file.Bytes)
		if err != nil {
			return nil, err
		}
		s.doc = doc
		for _, f := range j.editor(s).find() {
			if len(f.handler) < 2 || len(f.handler) == len(f.item) {
				continue // a handler directly below its event is not run, so it is not trusted either
			}
			tail := ":" + snake(f.Event) + ":" + strconv.Itoa(f.item[len(f.item)-1].Index) + ":" + strconv.Itoa(f.handler[len(f.handler)-1].Index)
			keys = append(keys, s.path+tail)
			if s.file.Target != s.path {
				keys = append(keys, s.file.Target+tail)
			}
		}
	}
	return keys, nil
}

// snake writes PreToolUse as pre_tool_use.
func snake(event string) string {
	var out strings.Builder
	for i, r := range event {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// trustCarrier is the file that holds the trust.
func (j *job) trustCarrier() (site, error) {
	for _, c := range j.setup.User {
		if c.Format == agent.TOML {
			path, err := j.Path(c.Path)
			return site{Carrier: c, path: path}, err
		}
	}
	return site{}, nil
}

// trustRecord is what the ledger knows of Codex's own writing of trust.
func (j *job) trustRecord(target string) (*record, error) {
	r, err := j.ledger.read(j.ledger.file(trustAgent, agent.ScopeUser, target))
	if r == nil {
		r = &record{Agent: trustAgent, Scope: agent.ScopeUser.String(), Target: target}
	}
	return r, err
}

const trustAgent = "codex trust"

// distrust takes the trust in our entries back out, and nothing else: a later entry of somebody else at the
// same place must not look trusted or changed.
func (j *job) distrust(ctx context.Context, keys []string, o Options) (File, error) {
	if len(keys) == 0 {
		return File{}, nil
	}
	s, err := j.trustCarrier()
	if err != nil || s.path == "" {
		return File{}, err
	}
	if s.file, err = splice.Load(s.path, ""); err != nil || !s.file.Exists {
		return File{}, unlessGone(err)
	}
	rec, err := j.trustRecord(s.file.Target)
	if err != nil {
		return File{}, err
	}
	after, err := untrusted(s, rec, s.file.Bytes, keys)
	f := File{Path: s.path, Before: s.file.Bytes, After: after}
	if err != nil || equal(after, f.Before) {
		return f, err
	}
	f.Changed = true
	if o.DryRun {
		return f, nil
	}
	res, err := j.store(s.path).Update(ctx, s.path, func(now splice.File) ([]byte, error) { return untrusted(s, rec, now.Bytes, keys) })
	if err != nil {
		return f, err
	}
	f.Before, f.After, f.Changed, f.Backup = res.Bytes, res.After, res.Wrote, res.Backup
	return f, j.ledger.drop(rec, agent.ScopeUser)
}

// untrusted is the file without the trust in our entries: as it was before, where nobody else has edited it.
func untrusted(s site, rec *record, text []byte, keys []string) ([]byte, error) {
	if before, ok := rec.Undo.Exact(text); ok {
		return before, nil
	}
	if text == nil {
		return nil, nil
	}
	doc, err := read(s.Carrier, s.path, text)
	if err != nil {
		return nil, err
	}
	table, removed := splice.At(s.At...).Key(trustTable), false
	for _, k := range keys {
		if doc.Get(table.Key(k)).Kind() == splice.Absent {
			continue
		}
		if err := doc.Remove(table.Key(k)); err != nil {
			return nil, err
		}
		removed = true
	}
	if v := doc.Get(table); removed && rec.Empty && v.Kind() == splice.Object && v.Len() == 0 {
		if err := doc.Remove(table); err != nil {
			return nil, err
		}
	}
	return doc.Bytes(), nil
}

// written makes an Undo of what another program has written: one stretch, between what both texts begin and
// end with.
func written(before, after []byte) splice.Undo {
	u := splice.Undo{Before: sum(before), After: sum(after)}
	if before == nil || after == nil {
		return u
	}
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	u.Hunks = []splice.Hunk{{At: head, Len: len(after) - head - tail, Was: string(before[head : len(before)-tail])}}
	return u
}

func sum(b []byte) string {
	if b == nil {
		return splice.NoFile
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}
