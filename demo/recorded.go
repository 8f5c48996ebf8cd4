package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/live"
	hookrun "github.com/hookspan/hookspan/internal/run"
)

// recordedManifest answers whatever an agent once sent; that of the driven proofs answers its own script.
//
//go:embed recorded.yaml
var recordedManifest []byte

// What the handlers of recorded.yaml say; no recorded payload holds it.
const (
	denyReason  = "recorded-deny-reason-3307"
	toolContext = "recorded-tool-context-8854"
	rewritten   = "echo recorded-rewrite-6120"
	gateOutput  = "recorded-gate-output-1473"
)

// noRecording is the mark where an agent was never seen to send what a proof needs.
const noRecording = "no recording"

// replay is a proof on a recorded payload: which payload it wants, and whether the answer is right.
type replay struct {
	name  string
	fits  func(hook.Event) bool
	right func(d *live.Driver, rep hookrun.Report, dir string) bool
}

// replays are the proofs in the order of the columns. Each looks at what the agent is sent, not only at
// what was decided.
func replays() []replay {
	return []replay{
		{"deny", shell(hook.PreToolUse), func(_ *live.Driver, rep hookrun.Report, _ string) bool {
			return rep.Say.Verdict == hook.Deny && says(rep, denyReason)
		}},
		{"context", shell(hook.PostToolUse), func(_ *live.Driver, rep hookrun.Report, _ string) bool {
			return says(rep, toolContext)
		}},
		{"file", edited, func(_ *live.Driver, rep hookrun.Report, dir string) bool { return eachFile(rep, dir) }},
		{"rewrite", shell(hook.PreToolUse), func(d *live.Driver, rep hookrun.Report, _ string) bool {
			return (rep.Say.Verdict == hook.Deny) == !d.Rewrites && says(rep, rewritten)
		}},
		{"gate", stop, func(_ *live.Driver, rep hookrun.Report, _ string) bool {
			return rep.Say.Continue && says(rep, gateOutput)
		}},
	}
}

func says(rep hookrun.Report, text string) bool {
	return bytes.Contains(rep.Reply.Stdout, []byte(text)) || bytes.Contains(rep.Reply.Stderr, []byte(text))
}

// eachFile reports whether the handler ran once for each file of the call, and was told which.
func eachFile(rep hookrun.Report, dir string) bool {
	var want []string
	for _, f := range rep.Event.Tool.Files {
		want = append(want, f.Path)
		if f.MovedTo != "" {
			want = append(want, f.MovedTo)
		}
	}
	log, _ := os.ReadFile(filepath.Join(dir, "edited.log")) // none: it was told nothing
	told := strings.Split(strings.TrimRight(string(log), "\n"), "\n")
	slices.Sort(want)
	slices.Sort(told)
	return slices.Equal(want, told)
}

// recorded runs an agent's recorded payloads through hookspan instead of driving it. It shows what the
// agent is told, not what it does with it. why is what kept the agent from being driven.
func (x *demo) recorded(ctx context.Context, d *live.Driver, why error) row {
	r := row{title: d.Title, version: d.Version, level: "recorded", why: why, marks: map[string]string{}}
	list, err := recordingsOf(x.recordings, all.Get(d.Name))
	if err != nil {
		r.level, r.faults = "failed", []string{err.Error()}
		return r
	}
	for _, p := range replays() {
		rec, ok := pick(list, d.Version, p.fits)
		if !ok {
			r.marks[p.name] = noRecording
			continue
		}
		mark, fault := x.replay(ctx, d, p, rec)
		if fault != "" {
			r.faults = append(r.faults, p.name+": "+fault)
		}
		if rec.version != d.Version {
			mark += " (" + rec.version + ")"
		}
		r.marks[p.name] = mark
	}
	return r
}

// replay answers one payload in a home of its own: two proofs may share a payload, and hookspan answers
// the same call the same way twice.
func (x *demo) replay(ctx context.Context, d *live.Driver, p replay, rec recording) (mark, fault string) {
	home, err := os.MkdirTemp(x.dir, d.Name+"-"+p.name+"-")
	if err != nil {
		return "NO", err.Error()
	}
	manifest := filepath.Join(home, "hookspan.yaml")
	if err := os.WriteFile(manifest, recordedManifest, 0o600); err != nil {
		return "NO", err.Error()
	}
	rep := hookrun.Do(ctx, hookrun.Request{Agent: d.Name, Native: rec.native, Manifest: manifest,
		Stdin: bytes.NewReader(rec.payload), Environ: slices.Concat(rec.env, environ(home, p.name))})
	if rep.Err == nil && p.right(d, rep, home) {
		return word(d, p.name), ""
	}
	return "NO", fmt.Sprintf("the answer to a recorded payload of %s was exit %d %q %q (error: %v)",
		rec.version, rep.Reply.Exit, rep.Reply.Stdout, rep.Reply.Stderr, rep.Err)
}

// environ is what replaces the recorded machine: a home, and what starts a shell. Of two values the last counts.
func environ(home, proof string) []string {
	return []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"PATH=" + os.Getenv("PATH"), "SystemRoot=" + os.Getenv("SystemRoot"), "PROOF=" + proof}
}
