package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/hookspan/hookspan/internal/manifest"
	"github.com/hookspan/hookspan/internal/run"
	"github.com/hookspan/hookspan/internal/state"
	"github.com/hookspan/hookspan/internal/trust"
)

// trustVerb lets a project's manifest start its programs, after showing what it would start.
func trustVerb(c *console, args []string) int {
	fs := c.flags("trust")
	yes := fs.Bool("yes", false, "do not ask")
	revoke := fs.Bool("revoke", false, "take the trust back")
	list := fs.Bool("list", false, "show what is trusted")
	rest, code, ok := c.parse(fs, args)
	if !ok {
		return code
	}
	if len(rest) > 1 {
		return c.wrong("trust takes one manifest, or finds the one of this folder; hookspan trust --help")
	}
	dir, err := state.Dir(os.Getenv)
	if err != nil {
		return c.fail(err)
	}
	grants := trust.Open(state.Open(dir))
	if *list {
		return c.listTrust(grants)
	}
	path, err := manifestHere(rest)
	if err != nil {
		return c.fail(err)
	}
	if *revoke {
		return c.revoke(grants, path)
	}
	return c.grant(grants, path, *yes)
}

func manifestHere(rest []string) (string, error) {
	if len(rest) == 1 {
		return rest[0], nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("failed to find the current folder: %w", err)
	}
	found := manifest.Find(dir)
	if len(found) == 0 {
		return "", fmt.Errorf("there is no hookspan.yaml in %s or above it, up to the root of the checkout", dir)
	}
	return found[0], nil
}

func (c *console) listTrust(grants trust.Grants) int {
	rows := [][]string{{"TRUSTED SINCE", "MANIFEST"}}
	for _, g := range grants.List() {
		rows = append(rows, []string{g.When.Local().Format("2006-01-02 15:04"), g.Path})
	}
	if len(rows) == 1 {
		fmt.Fprintln(c.out, "no manifest is trusted")
		return exitOK
	}
	table(c.out, rows)
	return exitOK
}

func (c *console) revoke(grants trust.Grants, path string) int {
	had, err := grants.Revoke(path)
	if err != nil {
		return c.fail(err)
	}
	if !had {
		fmt.Fprintf(c.out, "%s was not trusted\n", path)
		return exitOK
	}
	fmt.Fprintf(c.out, "%s is not trusted any more: its programs do not run, its guards still do\n", path)
	return exitOK
}

func (c *console) grant(grants trust.Grants, path string, yes bool) int {
	content, err := manifest.Read(path)
	if err != nil {
		return c.fail(fmt.Errorf("failed to read the manifest: %w", err))
	}
	plan, problems := manifest.Parse(path, content, run.Vocabulary{})
	if len(problems) > 0 {
		for _, p := range problems {
			fmt.Fprintln(c.err, p.Error())
		}
		return exitFound
	}
	for _, w := range plan.Warnings {
		fmt.Fprintln(c.err, "warning: "+w.Error())
	}
	c.startedBy(path, plan)
	if !yes && !c.agrees() {
		fmt.Fprintln(c.out, "nothing was changed")
		return exitFound
	}
	if err := grants.Grant(path, content); err != nil {
		return c.fail(err)
	}
	fmt.Fprintf(c.out, "%s is trusted until it changes\n", path)
	return exitOK
}

// startedBy shows each command and URL that trust would let run, and what else it would let the manifest say.
func (c *console) startedBy(path string, plan *manifest.Plan) {
	if plan.Ask == "none" {
		fmt.Fprintf(c.out, "%s says `ask: none`: where an agent cannot ask, what any handler wants asked is let pass, your own handlers' included\n", path)
	}
	rows := [][]string{{"EVENT", "MATCHER", "STARTS"}}
	for _, g := range plan.Groups {
		for _, h := range g.Handlers {
			what := h.Shell
			switch {
			case h.Type == manifest.Guard:
				continue
			case h.Type == manifest.HTTP:
				what = "posts to " + h.URL
			case len(h.Argv) > 0:
				what = strings.Join(h.Argv, " ")
			}
			rows = append(rows, []string{string(g.Event), g.Matcher.Text, fmt.Sprintf("%q", what)})
		}
	}
	if len(rows) == 1 {
		fmt.Fprintf(c.out, "%s starts no program: its guards run without trust\n", path)
		return
	}
	table(c.out, rows)
	fmt.Fprintln(c.out, "\nScripts that are named here are not checked: whoever can change them, can change what runs.")
}

func (c *console) agrees() bool {
	fmt.Fprint(c.out, "Let these run? [y/N] ")
	line, _ := bufio.NewReader(c.in).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}
