package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/hookspan/hookspan/internal/install"
	"github.com/hookspan/hookspan/internal/install/starter"
)

// initVerb writes a first manifest for the project, and says what to do next.
func initVerb(c *console, args []string) int {
	fs := c.flags("init")
	dry := fs.Bool("dry-run", false, "print the manifest, and write nothing")
	if rest, code, ok := c.parse(fs, args); !ok {
		return code
	} else if len(rest) > 0 {
		return c.wrong("init takes no arguments; it looks at the project that you are in")
	}
	dir, err := os.Getwd()
	if err != nil {
		return c.fail(fmt.Errorf("failed to find the current folder: %w", err))
	}
	root := install.Root(dir)
	p := starter.Look(root)
	text := starter.Text(p)
	if *dry {
		fmt.Fprint(c.out, text)
		return exitOK
	}
	path, err := starter.Write(root, text)
	if errors.Is(err, starter.ErrExists) {
		return c.fail(fmt.Errorf("%s is there already and was not touched; hookspan init --dry-run prints what would be written", path))
	}
	if err != nil {
		return c.fail(err)
	}
	c.begun(path, p)
	return exitOK
}

// begun tells what was seen, what was written and what comes next.
func (c *console) begun(path string, p starter.Project) {
	fmt.Fprintf(c.out, "wrote %s\n", path)
	rows := [][]string{}
	if len(p.Languages) > 0 {
		rows = append(rows, []string{"  seen", strings.Join(p.Languages, ", ")})
	}
	if len(p.Secrets) > 0 {
		rows = append(rows, []string{"  guarded", strings.Join(p.Secrets, ", ")})
	}
	switch {
	case p.Certain:
		rows = append(rows, []string{"  gate", p.Test + " when the agent wants to stop"})
	case p.Test != "":
		rows = append(rows, []string{"  gate", p.Test + " stands in a comment: take the marks away if it is right"})
	}
	table(c.out, rows)
	fmt.Fprint(c.out, `
Next:
  hookspan try PreToolUse --path .env    what each agent is told when it wants to read .env
  hookspan install                       register hookspan in the agents of this machine, once
  hookspan trust                         let this manifest start its programs (its guards need no trust)
`)
}
