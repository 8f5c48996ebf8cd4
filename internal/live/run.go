package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/hookspan/hookspan/internal/fakemodel"
)

// DefaultTimeout ends a run that does not end by itself. An idle machine needs a tenth of it.
const DefaultTimeout = 3 * time.Minute

// DefaultPrompt is what the user says when Options name nothing else.
const DefaultPrompt = "Please do the task."

// Options are what a run may choose.
type Options struct {
	Program Program       // what to start; see Cache.Program and Installed
	Prompt  string        // "" = DefaultPrompt
	Model   string        // "" = Driver.Model
	Hooks   *Registration // nil = none, or those that Prepare installs
	// Prepare runs in the finished sandbox before the agent starts: manifests, an installer, more files.
	Prepare func(*Sandbox) error
	Timeout time.Duration // 0 = DefaultTimeout
	Args    []string      // added to the agent's command line
	Env     []string      // added to its environment, as NAME=value
	// Network leaves the network as it is, for systems that cannot cut it.
	Network bool
}

// Result is what a run left behind.
type Result struct {
	Agent    string
	Version  string // "" where the program's version is not known
	Exit     int    // the agent's exit code; -1 if it was killed
	Signal   string // what killed it, "" if nothing
	TimedOut bool
	Stdout   string
	Stderr   string
	Answer   string // the agent's final text, as it printed it
	Started  time.Time
	Took     time.Duration
	Requests []fakemodel.Request // main requests to the model
	All      []fakemodel.Request // and side requests and unknown ones
	Files    map[string]string   // the project's files afterwards
}

// Contains reports whether main request i (from 0) contains text anywhere but in tool definitions.
func (r *Result) Contains(i int, text string) bool {
	return i >= 0 && i < len(r.Requests) && r.Requests[i].Contains(text)
}

// News is what main request i told the model since it last spoke.
func (r *Result) News(i int) []string {
	if i < 0 || i >= len(r.Requests) {
		return nil
	}
	return r.Requests[i].News()
}

// Run drives an agent through a script in a sandbox of its own. A run that could not be made is an error;
// an agent that fails, or is ended by the timeout, is a Result.
func Run(ctx context.Context, d *Driver, script Script, opts Options) (*Result, error) {
	if opts.Model == "" && script.Has(fakemodel.VerbPatch) {
		opts.Model = d.PatchModel
	}
	s, err := NewSandbox(d, opts)
	if err != nil {
		return nil, err
	}
	res, err := s.Run(ctx, script, opts)
	return res, errors.Join(err, s.Close())
}

// Run drives the agent through a script. Of the options, Program, Network and Model were chosen when the
// sandbox was made.
func (s *Sandbox) Run(ctx context.Context, script Script, opts Options) (*Result, error) {
	model, err := fakemodel.New(script, s.tool)
	if err != nil {
		return nil, err
	}
	if opts.Hooks != nil {
		if err := s.Register(*opts.Hooks); err != nil {
			return nil, err
		}
	}
	if opts.Prepare != nil {
		if err := opts.Prepare(s); err != nil {
			return nil, err
		}
	}
	if opts.Timeout == 0 {
		opts.Timeout = DefaultTimeout
	}
	if opts.Prompt == "" {
		opts.Prompt = DefaultPrompt
	}
	return s.drive(ctx, model, opts)
}

// drive starts the model and the agent and waits for both to be over.
func (s *Sandbox) drive(ctx context.Context, model *fakemodel.Server, opts Options) (*Result, error) {
	ctx, cancel := context.WithTimeout(ctx, opts.Timeout)
	defer cancel()
	var stdout, stderr tail
	place, err := openSpace(!s.network, s.port, &stdout, &stderr)
	if err != nil {
		return nil, err
	}
	defer place.close()
	serve(ctx, place.listener(), model)

	start := time.Now()
	argv := append(append([]string{}, s.Program.Argv...), s.Driver.Args(s, opts.Prompt)...)
	end, err := place.run(ctx, job{Argv: append(argv, opts.Args...), Env: append(s.Environ(), opts.Env...), Dir: s.Project})
	if err != nil {
		return nil, fmt.Errorf("failed to run %s: %w", s.Driver.Title, err)
	}
	res := &Result{Agent: s.Driver.Name, Version: s.Program.Version, Exit: end.Exit, Signal: end.Signal,
		TimedOut: ctx.Err() != nil, Stdout: stdout.String(), Stderr: stderr.String(), Started: start, Took: time.Since(start),
		Requests: model.Requests(), All: model.All()}
	res.Answer = s.Driver.Answer(res.Stdout)
	if res.Files, err = s.Files(); err != nil {
		return nil, err
	}
	return res, nil
}

// Exec runs another program in the sandbox, such as an installer, under the conditions of a run: the
// agent's environment with the agent on PATH, the network cut, nothing left behind. It returns what the
// program printed on standard output; an exit code other than 0 is an error that holds both outputs.
func (s *Sandbox) Exec(ctx context.Context, argv ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, DefaultTimeout)
	defer cancel()
	var stdout, stderr tail
	place, err := openSpace(!s.network, s.port, &stdout, &stderr)
	if err != nil {
		return "", err
	}
	defer place.close()
	end, err := place.run(ctx, job{Argv: argv, Env: s.Environ(), Dir: s.Project})
	if err != nil {
		return "", fmt.Errorf("failed to run %s in the sandbox: %w", argv[0], err)
	}
	if end.Exit != 0 {
		return stdout.String(), fmt.Errorf("failed to run %s in the sandbox: exit code %d: %s", strings.Join(argv, " "), end.Exit, short(stdout.String()+stderr.String()))
	}
	return stdout.String(), nil
}

// serve answers on ln until ctx is over.
func serve(ctx context.Context, ln net.Listener, model http.Handler) {
	srv := &http.Server{Handler: model, ReadHeaderTimeout: time.Minute}
	go func() { _ = srv.Serve(ln) }() // ends with Close
	context.AfterFunc(ctx, func() { _ = srv.Close() })
}

// maxOutput bounds what is kept of an agent's output, in bytes: the end counts.
const maxOutput = 8 << 20

// tail keeps the end of what is written to it.
type tail struct{ buf bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	if over := t.buf.Len() + n - maxOutput; over > 0 {
		p = p[max(0, n-maxOutput):]
		t.buf.Next(over)
	}
	t.buf.Write(p)
	return n, nil
}

func (t *tail) String() string { return t.buf.String() }

// job is what is started inside a space.
type job struct {
	Argv []string `json:"argv"`
	Env  []string `json:"env"`
	Dir  string   `json:"dir"`
}

// ending is how it ended.
type ending struct {
	Exit   int    `json:"exit"`
	Signal string `json:"signal,omitempty"`
	Err    string `json:"err,omitempty"` // it could not be started
}

// freePort finds a port that nobody listens on.
func freePort() (int, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("failed to find a port for the scripted model: %w", err)
	}
	defer func() { _ = ln.Close() }()
	return ln.Addr().(*net.TCPAddr).Port, nil
}
