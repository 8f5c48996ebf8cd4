package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/engine"
	"github.com/hookspan/hookspan/internal/run"
	"github.com/hookspan/hookspan/internal/wire"
)

// explain runs one payload as `run` would, journals nothing, and shows every step.
func explain(c *console, args []string) int {
	fs := c.flags("explain")
	var name string
	listFlag(fs, &name, "agent", "the agent that sent the payload (default: told by its shape)")
	event := fs.String("event", "", "the agent's own event name, where the payload has none")
	file := fs.String("manifest", "", "use this manifest and no other")
	asJSON := fs.Bool("json", false, "for programs")
	rest, code, ok := c.parse(fs, args)
	if !ok {
		return code
	}
	if len(rest) > 1 {
		return c.wrong("explain takes one file, or reads standard input; hookspan explain --help")
	}
	if name != "" && all.Get(name) == nil {
		return c.wrong("there is no agent %q; hookspan agents lists them", name)
	}
	in := c.in
	if len(rest) == 1 {
		b, err := os.ReadFile(rest[0])
		if err != nil {
			return c.fail(fmt.Errorf("failed to read the payload: %w", err))
		}
		in = bytes.NewReader(b)
	}
	rep := run.Do(context.Background(), run.Request{Agent: name, Native: *event, Manifest: *file, Stdin: in, Environ: os.Environ(), Dry: true})
	if *asJSON {
		fmt.Fprintf(c.out, "%s\n", reportJSON(rep))
		return exitOK
	}
	c.report(rep)
	return exitOK
}

// reportJSON is the form for programs (docs/protocol.md).
func reportJSON(rep run.Report) []byte {
	var o wire.ObjectWriter
	o.Str("agent", agentName(rep))
	o.Str("detected_by", rep.Who.By)
	if rep.Event.Name == "" {
		o.Raw("hook_event_name", []byte("null"))
	} else {
		o.Str("hook_event_name", string(rep.Event.Name))
	}
	if rep.Event.Payload != nil {
		o.Raw("input", rep.Event.AppendJSON(nil))
	}
	o.Raw("handlers", handlersJSON(rep.Result.Outcomes))
	o.Raw("decision", decisionJSON(rep))
	o.Raw("reply", replyJSON(rep))
	if rep.Err != nil {
		o.Str("error", rep.Err.Error())
	}
	o.Strs("skipped", rep.Result.Skipped)
	o.Strs("losses", lossTexts(rep))
	o.Strs("manifest_problems", problemTexts(rep))
	return o.Bytes()
}

func agentName(rep run.Report) string {
	if !rep.Who.Known {
		return "unknown"
	}
	return rep.Who.Agent.Name
}

func handlersJSON(outs []engine.Outcome) []byte {
	var list [][]byte
	for _, out := range outs {
		var o wire.ObjectWriter
		o.Str("name", out.Handler)
		o.StrIf("file", out.File)
		o.Str("verdict", engine.Verdict(out))
		o.StrIf("reason", engine.Reason(out))
		o.Int("ms", out.Took.Milliseconds())
		o.Int("exit_code", int64(out.Exit))
		if out.Err != nil {
			o.Str("error", out.Err.Error())
		}
		if len(out.Lost) > 0 {
			o.Strs("lost", out.Lost)
		}
		list = append(list, o.Bytes())
	}
	return array(list)
}

func decisionJSON(rep run.Report) []byte {
	d := rep.Decision
	var o wire.ObjectWriter
	o.Str("behavior", engineWord(rep))
	o.StrIf("reason", d.Reason)
	o.StrIf("context", contextText(d))
	if d.Input != nil {
		o.Raw("updated_input", d.Input)
	}
	o.Bool("continue", d.Continue)
	if d.End != nil {
		o.Str("end", *d.End)
	}
	return o.Bytes()
}

// engineWord is the merged decision in one word.
func engineWord(rep run.Report) string {
	return engine.Verdict(engine.Outcome{Decision: rep.Decision})
}

func contextText(d hook.Decision) string {
	var parts []string
	for _, t := range append(append([]hook.Text(nil), d.Context...), d.Feedback...) {
		parts = append(parts, t.Body)
	}
	return strings.Join(parts, "\n")
}

func replyJSON(rep run.Report) []byte {
	var o wire.ObjectWriter
	o.Str("stdout", string(rep.Reply.Stdout))
	o.Str("stderr", string(rep.Reply.Stderr))
	o.Int("exit_code", int64(rep.Reply.Exit))
	return o.Bytes()
}

func lossTexts(rep run.Report) []string {
	var list []string
	for _, l := range rep.Losses {
		list = append(list, l.String())
	}
	return list
}

func problemTexts(rep run.Report) []string {
	var list []string
	for _, p := range rep.Problems {
		list = append(list, p.Error())
	}
	return list
}

// report shows a run to a person.
func (c *console) report(rep run.Report) {
	rows := [][]string{
		{"agent", agentName(rep) + " (" + rep.Who.By + ")"},
		{"event", fmt.Sprintf("%s (natively %s)", orNone(string(rep.Event.Name)), orNone(rep.Native))},
	}
	if t := rep.Event.Tool; t != nil {
		rows = append(rows, []string{"tool", t.Name + " (natively " + t.NativeName + ", " + string(t.Kind) + ")"})
		for _, f := range t.Files {
			rows = append(rows, []string{"file", string(f.Op) + " " + f.Path + arrow(f.MovedTo)})
		}
	}
	if how := evidence(rep); how != "" {
		rows = append(rows, []string{"evidence", how})
	}
	for _, s := range rep.Sources {
		rows = append(rows, []string{"manifest", s.Plan.Path + trustWord(s.Trusted)})
	}
	if rep.Err != nil {
		rows = append(rows, []string{"error", rep.Err.Error()})
	}
	for _, p := range problemTexts(rep) {
		rows = append(rows, []string{"problem", p})
	}
	table(c.out, rows)
	c.handlers(rep.Result)
	fmt.Fprintf(c.out, "\ndecision  %s\n", describe(engine.Outcome{Decision: rep.Decision}))
	for _, l := range rep.Losses {
		fmt.Fprintf(c.out, "lost      %s\n", l)
	}
	fmt.Fprintf(c.out, "\nanswer to the agent: exit %d\n", rep.Reply.Exit)
	indent(c.out, "stdout", rep.Reply.Stdout)
	indent(c.out, "stderr", rep.Reply.Stderr)
}

func (c *console) handlers(res engine.Result) {
	fmt.Fprintln(c.out)
	if len(res.Outcomes)+len(res.Skipped) == 0 {
		fmt.Fprintln(c.out, "no handler of your manifests concerns this event")
		return
	}
	rows := [][]string{{"HANDLER", "VERDICT", "TIME"}}
	for _, o := range res.Outcomes {
		name := o.Handler
		if o.File != "" {
			name += " on " + o.File
		}
		rows = append(rows, []string{name, describe(o), o.Took.Round(10 * time.Microsecond).String()})
	}
	for _, s := range res.Skipped {
		name, why, _ := strings.Cut(s, ": ")
		rows = append(rows, []string{name, "not run: " + why, ""})
	}
	table(c.out, rows)
}

func describe(o engine.Outcome) string {
	text := engine.Verdict(o)
	if r := engine.Reason(o); r != "" {
		text += ": " + r
	}
	if o.Err != nil {
		text += " (failed: " + o.Err.Error() + ")"
	}
	if t := contextText(o.Decision); t != "" {
		text += "; tells the model: " + t
	}
	return strings.Join(strings.Fields(text), " ")
}

func indent(w io.Writer, what string, b []byte) {
	if len(b) == 0 {
		fmt.Fprintf(w, "  %s is empty\n", what)
		return
	}
	fmt.Fprintf(w, "  %s %s\n", what, strings.TrimRight(string(b), "\n"))
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func arrow(to string) string {
	if to == "" {
		return ""
	}
	return " → " + to
}

func trustWord(trusted bool) string {
	if trusted {
		return ""
	}
	return " (not trusted: its programs do not run)"
}
