package install

import (
	"bytes"

	"github.com/hookspan/hookspan/internal/agent"
)

// Registered reports whether an agent's files of a scope hold an entry of ours. Files that cannot be read
// hold none that is known.
func (e Env) Registered(a *agent.Agent, scope agent.Scope) bool {
	j, err := e.job(a, scope, true)
	if err != nil {
		return false
	}
	sites, err := j.candidates()
	if err != nil {
		return false
	}
	for _, s := range sites {
		s, err := j.openOne(s.Carrier, s.path)
		if err != nil || !s.file.Exists || !bytes.Contains(s.file.Bytes, []byte(Name)) {
			continue
		}
		if isCode(s.Carrier) && j.isOwn(s.Carrier, s.file) || s.doc != nil && len(j.editor(&s).find()) > 0 {
			return true
		}
	}
	return false
}
