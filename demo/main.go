// Command demo shows hookspan's main job: one manifest, obeyed by real coding agents.
//
//	go run ./demo                 the agents that can be driven here
//	go run ./demo claude codex    some of them
//
// Each agent is installed from npm at a pinned version into a cache, and driven offline, in a
// throw-away home and a network of loopback only, against a scripted model. Where that is not
// possible (no npm, no namespaces) the recorded payloads are run instead, and the table says so.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"text/tabwriter"
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
	marks                 map[string]string // proof → "yes", "deny instead", "NO"
	faults                []string
}

// proofs are the columns of the table.
var proofs = []struct{ name, title string }{
	{"deny", "denied"}, {"context", "context"}, {"file", "per file"}, {"rewrite", "rewritten"}, {"gate", "sent back"},
}

func run(ctx context.Context, names []string) int {
	dir, err := os.MkdirTemp("", "hookspan-demo-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "hookspan")
	progress("building hookspan")
	if err := build(ctx, program); err != nil {
		return fail(err)
	}
	drivers, err := chosen(names)
	if err != nil {
		return fail(err)
	}
	var rows []row
	reason := live.Available()
	for _, d := range drivers {
		if reason != nil {
			rows = append(rows, recorded(ctx, d, dir))
			continue
		}
		r, err := driven(ctx, d, program)
		if err != nil {
			progress("%s: %v", d.Title, err)
			r = row{title: d.Title, version: d.Version, level: "failed", marks: map[string]string{}, faults: []string{err.Error()}}
		}
		rows = append(rows, r)
	}
	return show(rows, reason)
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

// driven installs the agent if need be and runs it through the five proofs.
func driven(ctx context.Context, d *live.Driver, program string) (row, error) {
	cache, err := live.DefaultCache()
	if err != nil {
		return row{}, err
	}
	progress("%s %s: installing into the cache, if it is not there", d.Title, d.Version)
	p, err := cache.Program(ctx, d)
	if err != nil {
		return row{}, err
	}
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
	switch {
	case !p.OK:
		return "NO"
	case p.Name == "rewrite" && !d.Rewrites:
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

func show(rows []row, reason error) int {
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	head := []string{"AGENT", "VERSION", "EVIDENCE"}
	for _, p := range proofs {
		head = append(head, strings.ToUpper(p.title))
	}
	fmt.Fprintln(t, strings.Join(head, "\t"))
	code := 0
	for _, r := range rows {
		cells := []string{r.title, r.version, r.level}
		for _, p := range proofs {
			cells = append(cells, r.marks[p.name])
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	t.Flush()
	for _, r := range rows {
		for _, f := range r.faults {
			code = 1
			fmt.Printf("%s: %s\n", r.title, f)
		}
	}
	fmt.Print(legend)
	if reason != nil {
		fmt.Printf("\nNo agent was driven: %v\nThe rows above are recorded payloads, run through hookspan on this machine.\n", reason)
	}
	return code
}

const legend = `
denied     a shell command is denied: it did not run, and the next model request holds the reason
context    what a handler says is in the next model request
per file   a handler runs once for the file of an edit
rewritten  a changed command ran, the original did not
sent back  a failing check at the end of the turn sends the agent back once, then lets it finish
`
