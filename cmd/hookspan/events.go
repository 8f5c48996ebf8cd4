package main

import (
	"fmt"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/support"
	"github.com/hookspan/hookspan/internal/wire"
)

// eventsVerb shows events side by side, or one agent's with every word.
func eventsVerb(c *console, args []string) int {
	fs := c.flags("events")
	var name string
	listFlag(fs, &name, "agent", "one agent's events, with every word that can be said")
	asJSON := fs.Bool("json", false, "for programs: every cell with its evidence")
	markdown := fs.Bool("markdown", false, "the page docs/support.md")
	if rest, code, ok := c.parse(fs, args); !ok {
		return code
	} else if len(rest) > 0 {
		return c.wrong("events takes no arguments; hookspan events --help")
	}
	agents := all.Agents()
	if name != "" {
		a := all.Get(name)
		if a == nil {
			return c.wrong("there is no agent %q; hookspan agents lists them", name)
		}
		agents = []*agent.Agent{a}
	}
	switch {
	case *markdown:
		fmt.Fprint(c.out, support.Markdown(agents))
	case *asJSON:
		fmt.Fprintf(c.out, "%s\n", eventsJSON(agents))
	case name != "":
		c.oneAgent(agents[0])
	default:
		c.sideBySide(agents)
	}
	return exitOK
}

func (c *console) sideBySide(agents []*agent.Agent) {
	head := []string{"EVENT"}
	for _, a := range agents {
		head = append(head, a.Name)
	}
	levels := []string{"(evidence)"}
	for _, a := range agents {
		levels = append(levels, a.Level.String())
	}
	rows := [][]string{head, levels}
	for _, n := range hook.Names() {
		row := []string{string(n)}
		for _, a := range agents {
			row = append(row, sayable(a, n))
		}
		rows = append(rows, row)
	}
	table(c.out, rows)
	fmt.Fprintln(c.out, "\nd deny  a ask  r rewrite  c context  f feedback  k keep working  e end the turn   - no such event")
	fmt.Fprintln(c.out, "hookspan events --agent NAME shows every word, --json its evidence.")
}

// sayable abbreviates what can be said to an agent on an event.
func sayable(a *agent.Agent, n hook.Name) string {
	rows := support.Rows(a, n)
	if len(rows) == 0 {
		return "-"
	}
	out := ""
	for _, w := range []struct {
		word   agent.Word
		letter string
	}{{agent.Deny, "d"}, {agent.Ask, "a"}, {agent.Rewrite, "r"}, {agent.Context, "c"}, {agent.Feedback, "f"}, {agent.Continue, "k"}, {agent.End, "e"}} {
		for _, r := range rows {
			if r.Cells[w.word].Can {
				out += w.letter
				break
			}
		}
	}
	if out == "" {
		return "sees"
	}
	return out
}

func (c *console) oneAgent(a *agent.Agent) {
	head := []string{"EVENT", "ARRIVES AS"}
	for _, w := range support.Words() {
		head = append(head, w.String())
	}
	rows := [][]string{append(head, "EVIDENCE")}
	for i := range a.Events {
		r := &a.Events[i]
		row := []string{r.Native, string(r.Name)}
		for _, w := range support.Words() {
			row = append(row, support.Cell(r, w))
		}
		rows = append(rows, append(row, support.Evidence(r.Proof)))
	}
	table(c.out, rows)
}

func eventsJSON(agents []*agent.Agent) []byte {
	var list [][]byte
	for _, a := range agents {
		for i := range a.Events {
			list = append(list, rowJSON(a, &a.Events[i]))
		}
	}
	return array(list)
}

func rowJSON(a *agent.Agent, r *agent.Row) []byte {
	var o wire.ObjectWriter
	o.Str("agent", a.Name)
	o.Str("native", r.Native)
	o.StrIf("name", string(r.Name))
	o.StrIf("fires", r.Fires)
	o.StrIf("since", r.Since)
	o.Strs("not_in", r.NotIn)
	o.Int("timeout_ms", r.Timeout.Register.Milliseconds())
	o.StrIf("silence", r.Silence)
	o.StrIf("program_missing", r.Missing)
	o.StrIf("program_failing", r.Failing)
	o.StrIf("hot", r.Hot)
	o.StrIf("danger", r.Danger)
	o.Raw("words", wordsJSON(r))
	o.Raw("evidence", factJSON(r.Proof))
	return o.Bytes()
}

func wordsJSON(r *agent.Row) []byte {
	var o wire.ObjectWriter
	for w := agent.Word(0); w < agent.NumWords; w++ {
		cell := r.Cells[w]
		var one wire.ObjectWriter
		one.Bool("can", cell.Can)
		one.StrIf("as", cell.As)
		one.StrIf("only", cell.Only)
		if !cell.Can && cell.Else != 0 {
			one.Str("else", cell.Else.String())
		}
		one.StrIf("note", cell.Note)
		one.Raw("evidence", factJSON(r.Fact(w)))
		o.Raw(w.String(), one.Bytes())
	}
	return o.Bytes()
}

func factJSON(f agent.Fact) []byte {
	var o wire.ObjectWriter
	o.Str("level", f.Level.String())
	o.StrIf("version", f.Version)
	o.StrIf("date", f.Date)
	return o.Bytes()
}
