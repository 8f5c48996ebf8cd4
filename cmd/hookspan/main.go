// Command hookspan runs hooks written once, correctly, in every coding agent.
//
// Agents start `hookspan run AGENT`; every other verb is for people.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/hookspan/hookspan/internal/run"
)

// Exit codes of people's verbs. `run` never uses them.
const (
	exitOK    = 0
	exitFound = 1 // found something wrong
	exitUsage = 2
)

// verb is one command for people.
type verb struct {
	name  string
	group string // of the help
	args  string
	about string
	run   func(c *console, args []string) int
}

// verbs is the table that help, completion and dispatch are made from.
func verbs() []verb {
	return []verb{
		{"explain", "write", "[--agent A] [--event E] [--json] < payload", "one run dissected: what arrived, who said what, what is answered", explain},
		{"try", "write", "EVENT [--tool T] [--command C] [--path P] [--content X] [--prompt P]", "one event in every agent: what it sends and what it gets", try},
		{"trust", "write", "[--yes] [--revoke] [--list]", "let this project's manifest start its programs", trustVerb},
		{"with", "wire", "[--dry-run] [--quiet] AGENT [its arguments]", "start an agent with hooks for this session only, no file changed", withVerb},
		{"status", "wire", "[--agent A,..] [--scope user|project] [--all] [--json]", "agent by agent: what is registered, what stops it, when it last fired", statusVerb},
		{"init", "write", "[--dry-run]", "a starter hookspan.yaml for this project", initVerb},
		{"install", "wire", "[--agent A,B] [--scope user|project] [--dry-run] [--strict] [--trust] [--no-npm-wait] [--follow-links] [--json]", "register hookspan in the agents of this machine", installVerb},
		{"uninstall", "wire", "[--agent A,B] [--scope user|project] [--dry-run] [--json]", "take the registration out again; the files come back as they were", uninstallVerb},
		{"agents", "verify", "[--json]", "the agents, what is known of them and how", agentsVerb},
		{"events", "verify", "[--agent A] [--json] [--markdown]", "events side by side: what each agent can be told, with evidence", eventsVerb},
		{"completion", "other", "bash|zsh|fish|powershell", "a completion script for a shell", completion},
		{"version", "other", "", "the version", version},
	}
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "run" {
		os.Exit(run.Main(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(people(os.Args[1:], &console{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}

// console is where people's verbs read and write.
type console struct {
	in       io.Reader
	out, err io.Writer
}

func people(args []string, c *console) int {
	if len(args) == 0 {
		usage(c.err)
		return exitUsage
	}
	switch args[0] {
	case "help", "--help", "-h":
		usage(c.out)
		return exitOK
	case "--version":
		return version(c, nil)
	}
	for _, v := range verbs() {
		if v.name == args[0] {
			return v.run(c, args[1:])
		}
	}
	return c.wrong("there is no verb %q; hookspan help lists them", args[0])
}

// wrong reports a wrong usage.
func (c *console) wrong(format string, args ...any) int {
	fmt.Fprintf(c.err, "hookspan: "+format+"\n", args...)
	return exitUsage
}

// fail reports something that could not be done.
func (c *console) fail(err error) int {
	fmt.Fprintf(c.err, "hookspan: %v\n", err)
	return exitFound
}

func usage(w io.Writer) {
	fmt.Fprint(w, "hookspan: write a coding-agent hook once, run it in every agent\n\n")
	list := verbs()
	groups := []struct{ name, title string }{
		{"write", "Write hooks"}, {"wire", "Wire them to agents"}, {"watch", "Watch them"}, {"verify", "Know what is true"}, {"other", "Other"},
	}
	for _, g := range groups {
		var rows [][]string
		for _, v := range list {
			if v.group == g.name {
				rows = append(rows, []string{"  " + v.name, v.about})
			}
		}
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintln(w, g.title)
		table(w, rows)
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "Agents start `hookspan run AGENT [EVENT]`. `hookspan VERB --help` explains a verb.")
}
