package state

import (
	"bytes"
	"time"

	"github.com/hookspan/hookspan/internal/wire"
)

// decode reads a line of the journal. Only an object with a time is a record.
func decode(line []byte) (Record, bool) {
	v, err := wire.Parse(line)
	if err != nil {
		return Record{}, false
	}
	var r Record
	if r.Time, err = time.Parse(time.RFC3339Nano, v.Get("time").Str()); err != nil {
		return Record{}, false
	}
	for key, m := range v.Members() {
		if text := r.text(key); text != nil {
			*text = m.Str()
		} else if list := r.list(key); list != nil {
			*list = strs(m)
		}
	}
	r.Registered, _ = v.Get("registered").Bool()
	r.Repeat, _ = v.Get("repeat").Bool()
	r.Took, r.Exit = duration(v.Get("ms")), number(v.Get("exit"))
	r.Payload = bytes.Clone(v.Get("payload").Raw())
	for h := range v.Get("handlers").Elems() {
		r.Handlers = append(r.Handlers, HandlerRecord{Name: h.Get("name").Str(), File: h.Get("file").Str(),
			Verdict: h.Get("verdict").Str(), Reason: h.Get("reason").Str(), Took: duration(h.Get("ms")), Exit: number(h.Get("exit")),
			Error: h.Get("error").Str(), Lost: strs(h.Get("lost"))})
	}
	r.Line = bytes.Clone(line)
	return r, true
}

// text returns the field that a key of the line fills; nil = none.
func (r *Record) text(key string) *string {
	switch key {
	case "agent":
		return &r.Agent
	case "surface":
		return &r.Surface
	case "version":
		return &r.Version
	case "detected_by":
		return &r.DetectedBy
	case "event":
		return &r.Event
	case "native_event":
		return &r.Native
	case "session":
		return &r.Session
	case "turn":
		return &r.Turn
	case "call":
		return &r.Call
	case "subagent":
		return &r.Subagent
	case "model":
		return &r.Model
	case "project":
		return &r.Project
	case "tool":
		return &r.Tool
	case "kind":
		return &r.Kind
	case "verdict":
		return &r.Verdict
	case "reason":
		return &r.Reason
	case "error":
		return &r.Error
	case "reply":
		return &r.Reply
	}
	return nil
}

// list returns the list that a key of the line fills; nil = none.
func (r *Record) list(key string) *[]string {
	switch key {
	case "paths":
		return &r.Paths
	case "losses":
		return &r.Losses
	case "chain":
		return &r.Chain
	case "manifests":
		return &r.Manifests
	case "notes":
		return &r.Notes
	}
	return nil
}

func strs(v wire.Value) (out []string) {
	for e := range v.Elems() {
		out = append(out, e.Str())
	}
	return out
}

func number(v wire.Value) int {
	n, _ := v.Int()
	return int(n)
}

func duration(v wire.Value) time.Duration {
	ms, _ := v.Float()
	return time.Duration(ms * float64(time.Millisecond)).Round(time.Microsecond)
}
