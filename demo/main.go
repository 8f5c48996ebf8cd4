// Command demo shows hookspan's main job: one manifest, obeyed by real coding agents.
//
//	go run ./demo                 the agents that can be driven here
//	go run ./demo claude codex    some of them
//
// Each agent is installed from npm at a pinned version into a cache, and driven offline, in a
// throw-away home and a network of loopback only, against a scripted model. Where that is not
// possible (no npm, no namespaces, an agent that cannot be installed) payloads that the agent once sent are
// run instead, and the table says so.
package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/live"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:]))
}

// row is what one agent showed.
type row struct {
	title, version, level string
	marks                 map[string]string // proof → "yes", "deny instead", "NO", "no recording"
	faults                []string
	why                   error // what kept the agent from being driven; nil = it was
}

// proofs are the columns of the table.
var proofs = []struct{ name, title string }{
	{"deny", "denied"}, {"context", "context"}, {"file", "per file"}, {"rewrite", "rewritten"}, {"gate", "sent back"},
}

// demo is what the rows are made with.
type demo struct {
	dir        string // scratch
	recordings fs.FS  // internal/agent of the repository
	cannot     error  // why no agent can be driven here; nil = they can
	install    func(context.Context, *live.Driver) (live.Program, error)
	drive      func(context.Context, *live.Driver, live.Program) (row, error)
}

func run(ctx context.Context, names []string) int {
	drivers, err := chosen(names)
	if err != nil {
		return fail(err)
	}
	dir, err := os.MkdirTemp("", "hookspan-demo-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dir)
	root, err := repository(ctx)
	if err != nil {
		return fail(err)
	}
	program := filepath.Join(dir, "hookspan")
	x := &demo{dir: dir, recordings: os.DirFS(filepath.Join(root, "internal", "agent")), cannot: live.Available(), install: installed,
		drive: func(ctx context.Context, d *live.Driver, p live.Program) (row, error) {
			return driven(ctx, d, p, program)
		}}
	if x.cannot == nil {
		progress("building hookspan")
		if err := build(ctx, program); err != nil {
			return fail(err)
		}
	}
	var rows []row
	for _, d := range drivers {
		rows = append(rows, x.row(ctx, d))
		if ctx.Err() != nil {
			return fail(ctx.Err())
		}
	}
	return show(os.Stdout, rows)
}

// row drives an agent. Where it cannot be had, its recorded payloads are run; where it was had and the run
// failed, that is the news.
func (x *demo) row(ctx context.Context, d *live.Driver) row {
	if x.cannot != nil {
		return x.recorded(ctx, d, x.cannot)
	}
	p, err := x.install(ctx, d)
	if err != nil {
		progress("%s: %v", d.Title, err)
		return x.recorded(ctx, d, err)
	}
	r, err := x.drive(ctx, d, p)
	if err != nil {
		progress("%s: %v", d.Title, err)
		return row{title: d.Title, version: d.Version, level: "failed", faults: []string{err.Error()}}
	}
	return r
}

// repository is the folder that holds the recordings.
func repository(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/hookspan/hookspan").Output()
	if err != nil {
		return "", fmt.Errorf("failed to find the repository (start this in it, with Go installed): %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "demo:", err)
	return 1
}

func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%s  %s\n", time.Now().Format(time.TimeOnly), fmt.Sprintf(format, args...))
}

func build(ctx context.Context, program string) error {
	c := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, "github.com/hookspan/hookspan/cmd/hookspan")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("failed to build hookspan (start this in the repository, with Go installed): %w", err)
	}
	return nil
}

func chosen(names []string) ([]*live.Driver, error) {
	if len(names) == 0 {
		return live.Drivers(), nil
	}
	var list []*live.Driver
	for _, n := range names {
		d, err := live.Lookup(n)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

// installed puts the agent into the cache, if need be.
func installed(ctx context.Context, d *live.Driver) (live.Program, error) {
	cache, err := live.DefaultCache()
	if err != nil {
		return live.Program{}, err
	}
	progress("%s %s: installing into the cache, if it is not there", d.Title, d.Version)
	return cache.Program(ctx, d)
}

// driven runs the agent through the five proofs.
func driven(ctx context.Context, d *live.Driver, p live.Program, program string) (row, error) {
	progress("%s %s: driving it offline", d.Title, d.Version)
	hooks, err := registration(d, program)
	if err != nil {
		return row{}, err
	}
	found, _, err := live.Prove(ctx, d, hooks, live.Options{Program: p})
	if err != nil {
		return row{}, err
	}
	r := row{title: d.Title, version: d.Version, level: "live", marks: map[string]string{}}
	for _, proof := range found {
		r.marks[proof.Name] = mark(d, proof)
		if !proof.OK {
			r.faults = append(r.faults, proof.Name+": "+strings.ReplaceAll(proof.Detail, "\n", "; "))
		}
	}
	return r, nil
}

func mark(d *live.Driver, p live.Proof) string {
	if !p.OK {
		return "NO"
	}
	return word(d, p.Name)
}

// word is what a proof that holds shows.
func word(d *live.Driver, proof string) string {
	if proof == "rewrite" && !d.Rewrites {
		return "denied, told what to run"
	}
	return "yes"
}

// registration is what the agent is told to start, written into the throw-away home by hand.
func registration(d *live.Driver, program string) (*live.Registration, error) {
	r := &live.Registration{Command: live.Quote(program) + " run " + d.Name}
	if !d.Plugin {
		return r, nil
	}
	a := all.Get(d.Name)
	if a == nil || a.Setup == nil || a.Setup().Bridge == nil {
		return nil, fmt.Errorf("%s has no bridge", d.Title)
	}
	setup := a.Setup()
	b := agent.Bridge{Program: program}
	for _, r := range setup.Registers(a) {
		b.Events = append(b.Events, r.Native)
	}
	r.Plugin = setup.Bridge(b)
	return r, nil
}
