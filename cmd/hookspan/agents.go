package main

import (
	"fmt"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/support"
	"github.com/hookspan/hookspan/internal/wire"
)

// agentsVerb lists the agents and how what we know of them is known.
func agentsVerb(c *console, args []string) int {
	fs := c.flags("agents")
	asJSON := fs.Bool("json", false, "for programs")
	if rest, code, ok := c.parse(fs, args); !ok {
		return code
	} else if len(rest) > 0 {
		return c.wrong("agents takes no arguments; hookspan agents --help")
	}
	if *asJSON {
		return c.agentsJSON()
	}
	rows := [][]string{{"AGENT", "NAME", "EVIDENCE", "VERSIONS", "EVENTS", "TOOLS"}}
	for _, a := range all.Agents() {
		rows = append(rows, []string{a.Title, a.Name, a.Level.String(), strings.Join(a.Versions, " "),
			fmt.Sprint(len(a.Events)), fmt.Sprint(len(a.Tools))})
	}
	table(c.out, rows)
	fmt.Fprintln(c.out, "\nlive: seen in a run of the real program; source: read in the shipped program; doc: documents only.")
	fmt.Fprintln(c.out, "A hook is a guardrail, not a boundary. What no hook sees:")
	for _, a := range all.Agents() {
		for _, h := range a.Holes() {
			fmt.Fprintf(c.out, "  %s: %s\n", a.Title, h)
		}
	}
	return exitOK
}

func (c *console) agentsJSON() int {
	var list [][]byte
	for _, a := range all.Agents() {
		var o wire.ObjectWriter
		o.Str("name", a.Name)
		o.Str("title", a.Title)
		o.Str("evidence", a.Level.String())
		o.Strs("versions", a.Versions)
		o.Strs("holes", a.Holes())
		o.Strs("switches", a.Switches())
		o.Raw("places", placesJSON(a))
		list = append(list, o.Bytes())
	}
	fmt.Fprintf(c.out, "%s\n", array(list))
	return exitOK
}

func placesJSON(a *agent.Agent) []byte {
	var list [][]byte
	for _, p := range a.Places() {
		var o wire.ObjectWriter
		o.Str("path", p.Path)
		o.Str("scope", p.Scope.String())
		o.Bool("read", p.Read)
		o.StrIf("gate", p.Gate)
		o.StrIf("found_from", p.Walk)
		o.StrIf("note", p.Note)
		o.Str("evidence", support.Evidence(p.Proof))
		list = append(list, o.Bytes())
	}
	return array(list)
}

func array(items [][]byte) []byte {
	out := []byte{'['}
	for i, it := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, it...)
	}
	return append(out, ']')
}
