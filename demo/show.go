package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// show prints the table, what is wrong in it, and how it came about. It returns the exit code: 1 where a
// row failed or an answer was not right.
func show(out io.Writer, rows []row) int {
	table(out, rows)
	code := 0
	for _, r := range rows {
		for _, f := range r.faults {
			code = 1
			fmt.Fprintf(out, "%s: %s\n", r.title, f)
		}
	}
	fmt.Fprint(out, legend)
	closing(out, rows)
	return code
}

func table(out io.Writer, rows []row) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	head := []string{"AGENT", "VERSION", "EVIDENCE"}
	for _, p := range proofs {
		head = append(head, strings.ToUpper(p.title))
	}
	fmt.Fprintln(t, strings.Join(head, "\t"))
	for _, r := range rows {
		cells := []string{r.title, r.version, r.level}
		for _, p := range proofs {
			cells = append(cells, r.marks[p.name])
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	t.Flush()
}

const legend = `
denied     a shell command is denied: it did not run, and the next model request holds the reason
context    what a handler says is in the next model request
per file   a handler runs once for the file of an edit
rewritten  a changed command ran, the original did not
sent back  a failing check at the end of the turn sends the agent back once, then lets it finish
`

// closing says which agents were not driven and why, and how much the rows shown instead are worth.
func closing(out io.Writer, rows []row) {
	var whys []string
	not := map[string][]string{} // why → agents
	ran, right := 0, 0
	for _, r := range rows {
		if r.why == nil {
			continue
		}
		why := r.why.Error()
		if not[why] == nil {
			whys = append(whys, why)
		}
		not[why] = append(not[why], r.title)
		n, ok := r.answers()
		ran, right = ran+n, right+ok
	}
	if len(whys) == 0 {
		return
	}
	fmt.Fprintln(out)
	for _, why := range whys {
		fmt.Fprintf(out, "Not driven: %s: %s\n", strings.Join(not[why], ", "), why)
	}
	if ran == 0 {
		fmt.Fprintln(out, "No recorded payload could be run instead.")
		return
	}
	fmt.Fprintf(out, "A row marked recorded is payloads that the agent once sent, run through hookspan on this machine: it shows\n"+
		"what the agent is told, not what it does then. %d of %d answers are right.\n", right, ran)
}

// answers counts the payloads that were run, and the right answers to them.
func (r *row) answers() (ran, right int) {
	for _, m := range r.marks {
		switch {
		case strings.HasPrefix(m, "NO"):
			ran++
		case m != noRecording:
			ran, right = ran+1, right+1
		}
	}
	return ran, right
}
