package status

import (
	"time"

	"github.com/hookspan/hookspan/internal/wire"
)

// JSON returns the report for programs: one object on one line.
func (r *Report) JSON() []byte {
	var o wire.ObjectWriter
	o.Bool("ok", r.OK())
	o.Raw("manifests", list(r.Manifests, manifestJSON))
	o.Raw("agents", list(r.Agents, agentJSON))
	o.Raw("findings", list(r.Findings, findingJSON))
	return o.Bytes()
}

func manifestJSON(m *Manifest) []byte {
	var o wire.ObjectWriter
	o.Str("path", m.Path)
	o.Str("scope", m.Scope.String())
	o.Bool("trusted", m.Trusted)
	o.Int("programs", int64(m.Programs))
	o.Int("guards", int64(m.Guards))
	var errors, warnings []string
	for _, p := range m.Problems {
		errors = append(errors, p.Error())
	}
	for _, p := range m.Warnings {
		warnings = append(warnings, p.Error())
	}
	o.Strs("errors", errors)
	o.Strs("warnings", warnings)
	return o.Bytes()
}

func agentJSON(a *Agent) []byte {
	var o wire.ObjectWriter
	o.Str("name", a.Name)
	o.Str("title", a.Title)
	o.Str("evidence", a.Evidence.String())
	o.StrIf("here", a.Here)
	o.Strs("scopes", a.Scopes)
	o.Strs("files", a.Files)
	o.StrIf("last_fired", stamp(a.Last))
	o.Raw("events", list(a.Events, eventJSON))
	o.Raw("findings", list(a.Findings, findingJSON))
	return o.Bytes()
}

func eventJSON(e *Event) []byte {
	var o wire.ObjectWriter
	o.Str("native", e.Native)
	o.StrIf("name", e.Name)
	o.Str("state", e.State.String())
	o.StrIf("why", e.Why)
	o.Strs("files", e.Files)
	o.Strs("never_in", e.NotIn)
	o.Str("evidence", e.Evidence.String())
	o.StrIf("last_fired", stamp(e.Fired))
	return o.Bytes()
}

func findingJSON(f *Finding) []byte {
	var o wire.ObjectWriter
	o.Bool("wrong", f.Wrong)
	o.Str("kind", f.Kind)
	o.Str("what", f.What)
	o.StrIf("do", f.Do)
	return o.Bytes()
}

func list[T any](items []T, one func(*T) []byte) []byte {
	out := []byte{'['}
	for i := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, one(&items[i])...)
	}
	return append(out, ']')
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
