package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/run"
	"github.com/hookspan/hookspan/internal/wire"
)

// try shows one event in every agent: what the agent sends, and what it gets back from the manifests
// that are in force here.
func try(c *console, args []string) int {
	fs := c.flags("try")
	tool := fs.String("tool", "", "the tool, by Claude's name (default: Bash with --command, Write with --content, Read with --path)")
	command := fs.String("command", "", "a shell command")
	path := fs.String("path", "", "a file")
	content := fs.String("content", "", "what is written to it")
	prompt := fs.String("prompt", "", "a prompt")
	var only string
	listFlag(fs, &only, "agent", "only these agents, with commas between")
	file := fs.String("manifest", "", "use this manifest and no other")
	asJSON := fs.Bool("json", false, "for programs")
	rest, code, ok := c.parse(fs, args)
	if !ok {
		return code
	}
	if len(rest) != 1 {
		return c.wrong("try takes one event, for instance: hookspan try PreToolUse --tool Bash --command 'rm -rf /'")
	}
	dir, err := os.Getwd()
	if err != nil {
		return c.fail(fmt.Errorf("failed to find the current folder: %w", err))
	}
	call := agent.Call{Event: hook.Name(rest[0]), Tool: *tool, Prompt: *prompt, Dir: dir}
	if !known(call.Event) {
		return c.wrong("there is no event %q; hookspan events lists them", rest[0])
	}
	call.Tool, call.Input = toolInput(call, *command, *path, *content)
	agents, code := c.agentsNamed(only)
	if agents == nil {
		return code
	}
	if *asJSON {
		fmt.Fprintf(c.out, "%s\n", array(tryJSON(agents, call, *file)))
		return exitOK
	}
	for i, a := range agents {
		if i > 0 {
			fmt.Fprintln(c.out)
		}
		c.tryOne(a, call, *file)
	}
	return exitOK
}

func known(name hook.Name) bool {
	for _, n := range hook.Names() {
		if n == name {
			return true
		}
	}
	return false
}

// toolInput chooses the tool that the flags speak of, and its input in Claude's keys.
func toolInput(call agent.Call, command, path, content string) (string, wire.Value) {
	tool := call.Tool
	if tool == "" && call.Event.OfTool() {
		switch {
		case content != "":
			tool = "Write"
		case path != "":
			tool = "Read"
		default:
			tool = "Bash"
		}
	}
	var o wire.ObjectWriter
	switch tool {
	case "Bash":
		o.Str("command", command)
	case "Write":
		o.Str("file_path", path)
		o.Str("content", content)
	case "Edit":
		o.Str("file_path", path)
		o.Str("old_string", "")
		o.Str("new_string", content)
	case "Read":
		o.Str("file_path", path)
	}
	return tool, o.Value()
}

// tried is one agent's answer to the call; ok is false where it has no such event or tool.
func tried(a *agent.Agent, call agent.Call, manifest string) (payload []byte, rep run.Report, ok bool) {
	native, payload, ok := a.Sample(call)
	if !ok {
		return nil, rep, false
	}
	rep = run.Do(context.Background(), run.Request{Agent: a.Name, Native: native, Manifest: manifest,
		Stdin: bytes.NewReader(payload), Environ: os.Environ(), Dry: true})
	return payload, rep, true
}

func (c *console) tryOne(a *agent.Agent, call agent.Call, manifest string) {
	fmt.Fprintf(c.out, "%s (%s)\n", a.Title, a.Level)
	payload, rep, ok := tried(a, call, manifest)
	if !ok {
		fmt.Fprintf(c.out, "  has no %s%s\n", call.Event, with(call.Tool))
		return
	}
	rows := [][]string{{"  sends", string(payload)}}
	d := engineWord(rep)
	if rep.Decision.Reason != "" {
		d += ": " + rep.Decision.Reason
	}
	rows = append(rows, []string{"  decision", strings.Join(strings.Fields(d), " ")})
	rows = append(rows, []string{"  gets", gets(rep)})
	for _, l := range rep.Losses {
		rows = append(rows, []string{"  lost", l.String()})
	}
	if rep.Err != nil {
		rows = append(rows, []string{"  error", rep.Err.Error()})
	}
	table(c.out, rows)
}

func with(tool string) string {
	if tool == "" {
		return ""
	}
	return " of a tool like " + tool
}

func gets(rep run.Report) string {
	parts := []string{fmt.Sprintf("exit %d", rep.Reply.Exit)}
	if s := strings.TrimSpace(string(rep.Reply.Stdout)); s != "" {
		parts = append(parts, "stdout "+s)
	}
	if s := strings.TrimSpace(string(rep.Reply.Stderr)); s != "" {
		parts = append(parts, "stderr "+s)
	}
	if len(parts) == 1 {
		parts = append(parts, "nothing on stdout or stderr")
	}
	return strings.Join(parts, ", ")
}

func tryJSON(agents []*agent.Agent, call agent.Call, manifest string) [][]byte {
	var list [][]byte
	for _, a := range agents {
		var o wire.ObjectWriter
		o.Str("agent", a.Name)
		o.Str("evidence", a.Level.String())
		if payload, rep, ok := tried(a, call, manifest); ok {
			o.Raw("sends", payload)
			o.Raw("explain", reportJSON(rep))
		}
		list = append(list, o.Bytes())
	}
	return list
}
