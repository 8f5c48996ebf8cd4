package live

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Effect is everything that a handler did to a session of Claude Code, in comparable form.
type Effect struct {
	Ran      bool       // the tool call happened
	Told     [][]string // per request: what the model was told since it last spoke
	Requests int
	Exit     int
	Result   string // the final text of the run
}

// Case is one handler on one event, for [Transparency].
type Case struct {
	Event   string // Claude's name
	Handler string // a POSIX shell script: Claude's protocol, payload on standard input
	Matcher string // for tool events; "" = all
	// Script is what the model does; nil = one shell command (which makes ran.txt) and an end.
	Script Script
}

// Transparency runs Claude Code twice, with the handler registered directly and with the handler behind
// hookspan, and returns both effects. hookspan is the absolute path of the program. What differs by nature
// is made equal: the registered command line, the sandbox's folders, ids of calls and sessions, times.
func Transparency(ctx context.Context, c Case, hookspan string, opts Options) (direct, through Effect, err error) {
	d := claude()
	if c.Script == nil {
		c.Script = Script{Call(Shell("echo ran > ran.txt")), Say("One."), Say("Two.")}
	}
	if direct, err = c.effect(ctx, d, opts, func(s *Sandbox, handler string) (string, error) {
		return handler, c.register(s, handler)
	}); err != nil {
		return direct, through, fmt.Errorf("failed to run the handler alone: %w", err)
	}
	if through, err = c.effect(ctx, d, opts, func(s *Sandbox, handler string) (string, error) {
		command := Quote(hookspan) + " run claude"
		manifest := object{"hooks": object{c.Event: []any{c.group(handler)}}}
		if err := s.writeJSON(filepath.Join(s.ConfigHome(), "hookspan", "hookspan.yaml"), manifest); err != nil {
			return "", err
		}
		return command, c.register(s, command)
	}); err != nil {
		return direct, through, fmt.Errorf("failed to run the handler behind hookspan: %w", err)
	}
	return direct, through, nil
}

func (c Case) group(command string) object {
	g := object{"hooks": []any{object{"type": "command", "command": command, "timeout": 30}}}
	if c.Matcher != "" {
		g["matcher"] = c.Matcher
	}
	return g
}

func (c Case) register(s *Sandbox, command string) error {
	return s.setJSON(".claude/settings.json", "hooks", object{c.Event: []any{c.group(command)}})
}

// effect runs one of the two. install says which command line it registered.
func (c Case) effect(ctx context.Context, d *Driver, opts Options, install func(s *Sandbox, handler string) (string, error)) (Effect, error) {
	var normal *strings.Replacer
	opts.Prepare = func(s *Sandbox) error {
		script := filepath.Join(s.Root, "handler.sh")
		if err := s.WriteFile(script, c.Handler+"\n"); err != nil {
			return err
		}
		command, err := install(s, "sh "+Quote(script))
		normal = strings.NewReplacer(command, "<hook>", s.Root, "<sandbox>")
		return err
	}
	res, err := Run(ctx, d, c.Script, opts)
	if err != nil {
		return Effect{}, err
	}
	_, ran := res.Files["ran.txt"]
	e := Effect{Ran: ran, Requests: len(res.Requests), Exit: res.Exit, Result: plain(normal, res.Answer)}
	for i := range res.Requests {
		var texts []string
		for _, t := range res.News(i) {
			texts = append(texts, plain(normal, t))
		}
		e.Told = append(e.Told, texts)
	}
	return e, nil
}

// plain replaces what differs from run to run.
func plain(normal *strings.Replacer, text string) string {
	text = normal.Replace(text)
	seen := map[string]string{}
	return regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`).ReplaceAllStringFunc(text, func(id string) string {
		if seen[id] == "" {
			seen[id] = "<id-" + strconv.Itoa(len(seen)+1) + ">"
		}
		return seen[id]
	})
}

// Unframed is the effect without the command line that Claude puts before the standard error of a hook that
// left with exit code 2 ("[command]: text"), and without blanks at the ends of lines and empty lines. A program that says the
// same no as JSON differs from exit code 2 by this frame alone.
func (e Effect) Unframed() Effect {
	lines := regexp.MustCompile(`\s*\n\s*`)
	bare := func(text string) string {
		return lines.ReplaceAllString(strings.TrimSpace(strings.ReplaceAll(text, "[<hook>]: ", "")), "\n")
	}
	out := e
	out.Result, out.Told = bare(e.Result), nil
	for _, texts := range e.Told {
		var plain []string
		for _, t := range texts {
			plain = append(plain, bare(t))
		}
		out.Told = append(out.Told, plain)
	}
	return out
}

// Diff tells the first difference between two effects, "" if there is none.
func (e Effect) Diff(other Effect) string {
	if e.Ran != other.Ran || e.Exit != other.Exit || e.Requests != other.Requests || e.Result != other.Result {
		return fmt.Sprintf("tool ran %v and %v, exit code %d and %d, %d and %d requests, result %q and %q",
			e.Ran, other.Ran, e.Exit, other.Exit, e.Requests, other.Requests, e.Result, other.Result)
	}
	for i := range e.Told {
		if a, b := strings.Join(e.Told[i], "\n"), strings.Join(other.Told[i], "\n"); a != b {
			return fmt.Sprintf("in request %d the model was told %q and %q", i, difference(a, b), difference(b, a))
		}
	}
	return ""
}

// difference is the part of a that begins where b differs.
func difference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	const before, after = 60, 400
	return strings.ToValidUTF8(a[max(0, i-before):min(len(a), i+after)], "")
}
