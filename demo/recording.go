package main

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/wire"
)

// recording is one payload that an agent itself sent, as the hook it was sent to saw it.
type recording struct {
	native, version string // the event as the command named it; the agent's version
	payload         []byte
	env             []string // the agent's variables
	ev              hook.Event
}

// recordingsOf reads what an agent was seen to send: on the events that install registers, and only from
// runs of the program itself. What a payload is, its decoder says, never the name of its file. folders
// holds one folder an agent, internal/agent of the repository.
func recordingsOf(folders fs.FS, a *agent.Agent) ([]recording, error) {
	files, err := fs.Glob(folders, path.Join(a.Name, "testdata", "*", "*.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("failed to find the recorded payloads of %s (start this in the repository)", a.Title)
	}
	setup := a.Setup()
	var list []recording
	for _, file := range files {
		text, err := fs.ReadFile(folders, file)
		if err != nil {
			return nil, fmt.Errorf("failed to read a recorded payload: %w", err)
		}
		if r, row, ok := readRecording(a, text); ok && setup.Takes(row) {
			list = append(list, r)
		}
	}
	return list, nil
}

func readRecording(a *agent.Agent, text []byte) (r recording, row *agent.Row, ok bool) {
	v, err := wire.Parse(text)
	payload := v.Get("stdin")
	if err != nil || payload.Kind() != wire.Object || v.Get("provenance").Str() != agent.Live.String() {
		return r, nil, false
	}
	none := func(string) string { return "" }
	if all.Detect(a.Name, payload, none).Agent.Name != a.Name {
		return r, nil, false
	}
	r = recording{native: v.Get("event").Str(), version: v.Get("agent_version").Str(), payload: payload.Raw()}
	for name, value := range v.Get("env").Members() {
		r.env = append(r.env, name+"="+value.Str())
	}
	r.ev, row, err = a.Decode(agent.Input{Native: r.native, Payload: payload, Env: none})
	return r, row, err == nil && row != nil
}

// pick chooses the recording that stands for a proof: of the pinned version rather than of another, of the
// agent itself rather than of a child, of a first stop rather than of a later one.
func pick(list []recording, version string, fits func(hook.Event) bool) (recording, bool) {
	var fit []recording
	for _, r := range list {
		if fits(r.ev) {
			fit = append(fit, r)
		}
	}
	if len(fit) == 0 {
		return recording{}, false
	}
	far := func(r recording) (n int) {
		for i, apart := range []bool{r.ev.StopActive, r.ev.Sub != nil, r.version != version} {
			if apart {
				n += 1 << i
			}
		}
		return n
	}
	return slices.MinFunc(fit, func(a, b recording) int { return far(a) - far(b) }), true
}

func shell(name hook.Name) func(hook.Event) bool {
	return func(ev hook.Event) bool {
		return ev.Name == name && ev.Tool != nil && ev.Tool.Kind == hook.KindShell && ev.Tool.Command != ""
	}
}

func edited(ev hook.Event) bool {
	return ev.Name == hook.PostToolUse && ev.Tool != nil && ev.Tool.Kind == hook.KindEdit && len(ev.Tool.Files) > 0
}

func stop(ev hook.Event) bool { return ev.Name == hook.Stop }
