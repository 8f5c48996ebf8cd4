package run

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/engine"
	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/manifest"
)

// programs starts the programs of handlers.
type programs struct {
	environ []string
	chain   []string
	store   *store
}

// Run starts one handler's program. At most state.MaxCopies copies of a handler run at once, which
// ends a handler that starts an agent that starts the handler.
func (p programs) Run(ctx context.Context, plan *manifest.Plan, h *manifest.Handler, ev hook.Event) handler.Output {
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(h.Timeout)
	}
	release, ok := p.store.Acquire(deadline, plan.Path, h.Name)
	if !ok {
		return handler.Output{StartErr: errors.New("too many copies of it are running")}
	}
	defer release()
	// Handlers run in sessions of their own, so a signal that ends us does not reach them.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if h.Type == manifest.HTTP {
		return p.post(h, ev).Run(ctx)
	}
	c := p.command(plan, h, ev)
	if script, missing := c.MissingScript(); missing {
		return handler.Output{StartErr: errors.New("the script " + script + " does not exist")}
	}
	if h.Async {
		return handler.Output{StartErr: c.Start()}
	}
	return c.Run(ctx)
}

// Answer reads what the program printed.
func (p programs) Answer(plan *manifest.Plan, h *manifest.Handler, ev hook.Event, out handler.Output) (hook.Decision, error) {
	if h.Type == manifest.HTTP {
		return p.post(h, ev).Answer(ev, out)
	}
	return p.command(plan, h, ev).Answer(ev, out)
}

func (p programs) post(h *manifest.Handler, ev hook.Event) handler.Post {
	headers := make(map[string]string, len(h.Headers))
	for _, header := range h.Headers {
		headers[header.Name] = header.Value
	}
	return handler.Post{URL: h.URL, Headers: headers, AllowedEnvVars: h.AllowedEnvVars, Timeout: h.Timeout,
		Body: ev.AppendJSON(nil), Env: p.environ}
}

func (p programs) command(plan *manifest.Plan, h *manifest.Handler, ev hook.Event) handler.Command {
	return handler.Command{
		Shell: h.Shell, Argv: h.Argv, Dir: workDir(plan, ev),
		Env:   handler.Environ(p.environ, ev, chainWith(p.chain, engine.ChainName(plan, h), p.store), h.Env),
		Stdin: append(ev.AppendJSON(nil), '\n'),
	}
}

// workDir is a project manifest's folder, else the folder of the call.
func workDir(plan *manifest.Plan, ev hook.Event) string {
	if plan.Scope == manifest.Project {
		return plan.Dir
	}
	if ev.Cwd != "" {
		return ev.Cwd
	}
	return ev.Project
}

// lookup makes a function of an environment; the last entry of a name counts, as in os/exec.
func lookup(environ []string) func(string) string {
	return func(name string) string {
		for i := len(environ) - 1; i >= 0; i-- {
			if v, ok := strings.CutPrefix(environ[i], name+"="); ok {
				return v
			}
		}
		return ""
	}
}
