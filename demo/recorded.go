package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/live"
	hookrun "github.com/hookspan/hookspan/internal/run"
	"github.com/hookspan/hookspan/internal/wire"
)

// recorded runs an agent's recorded payloads through hookspan, with the same manifest. It shows what
// the agent would be told, not what it does with it.
func recorded(ctx context.Context, d *live.Driver, dir string) row {
	r := row{title: d.Title, version: d.Version, level: "recorded", marks: map[string]string{}}
	home := filepath.Join(dir, d.Name)
	s := &live.Sandbox{Driver: d, Home: home, Project: filepath.Join(home, "project")}
	if err := live.InstallProofs(s); err != nil {
		r.faults = append(r.faults, err.Error())
		return r
	}
	_ = os.MkdirAll(filepath.Join(s.Project, ".git"), 0o755)
	_ = os.WriteFile(filepath.Join(s.Project, "note.txt"), []byte("alpha\n"), 0o644)
	a := all.Get(d.Name)
	one := func(name string, c agent.Call, said func(hookrun.Report) string) {
		c.Dir = s.Project
		native, payload, ok := a.Sample(c)
		if !ok {
			r.marks[name] = "-"
			return
		}
		rep := hookrun.Do(ctx, hookrun.Request{Agent: d.Name, Native: native, Stdin: bytes.NewReader(payload),
			Environ: []string{"HOME=" + home, "XDG_CONFIG_HOME=" + s.ConfigHome(), "PATH=" + os.Getenv("PATH")}})
		if r.marks[name] = said(rep); r.marks[name] == "NO" {
			r.faults = append(r.faults, name+": the answer was "+string(rep.Reply.Stdout)+string(rep.Reply.Stderr))
		}
	}
	shell := func(command string) wire.Value {
		v, _ := wire.Parse(append(append([]byte(`{"command":`), wire.AppendString(nil, command)...), '}'))
		return v
	}
	one("deny", agent.Call{Event: hook.PreToolUse, Tool: "Bash", Input: shell("echo ran > denied.txt")}, func(rep hookrun.Report) string {
		return yes(rep.Say.Verdict == hook.Deny)
	})
	one("context", agent.Call{Event: hook.PostToolUse, Tool: "Bash", Input: shell("echo ran > allowed.txt")}, func(rep hookrun.Report) string {
		return yes(strings.Contains(rep.Say.Context+rep.Say.Feedback, "proof-tool-context"))
	})
	edit, _ := wire.Parse([]byte(`{"file_path":"note.txt","old_string":"alpha","new_string":"beta"}`))
	one("file", agent.Call{Event: hook.PostToolUse, Tool: "Edit", Input: edit}, func(rep hookrun.Report) string {
		return yes(len(rep.Result.Outcomes) == 1 && rep.Result.Outcomes[0].Err == nil)
	})
	one("rewrite", agent.Call{Event: hook.PreToolUse, Tool: "Bash", Input: shell("echo ran > original.txt")}, func(rep hookrun.Report) string {
		if !d.Rewrites && rep.Say.Verdict == hook.Deny {
			return "denied, told what to run"
		}
		return yes(bytes.Contains(rep.Say.Input, []byte("rewritten.txt")))
	})
	one("gate", agent.Call{Event: hook.Stop}, func(rep hookrun.Report) string { return yes(rep.Say.Continue) })
	return r
}

func yes(ok bool) string {
	if ok {
		return "yes"
	}
	return "NO"
}
