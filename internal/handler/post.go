package handler

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/wire"
)

// MaxAnswer is the most that an http handler may answer, in bytes.
const MaxAnswer = 1 << 20

// Post is a request of an http handler. The second program, hookspan-net, makes it: this one opens
// no connection.
type Post struct {
	URL            string            // see CheckURL
	Headers        map[string]string // $NAME and ${NAME} in values are filled in from Env
	AllowedEnvVars []string          // only these; others become empty, as in Claude Code
	Timeout        time.Duration     // from start to end
	Body           []byte            // JSON: the handler's input
	Env            []string          // as for a Command; hookspan-net itself gets little of it
	Program        string            // path of hookspan-net; "" = the one beside this program
}

// Decide makes the request and reads the answer: a 2xx status with a JSON object by the rules of
// [Answer], 2xx without a body is no opinion. Everything else is an error: another status (a
// redirect too, even with a no in its body), text that is not JSON, a refused connection, a timeout.
func (p Post) Decide(ctx context.Context, ev hook.Event) (hook.Decision, Output, error) {
	out := p.Run(ctx)
	d, err := p.Answer(ev, out)
	return d, out, err
}

// command is the start of the second program.
func (p Post) command() (Command, error) {
	if err := CheckURL(p.URL); err != nil {
		return Command{}, err
	}
	headers, err := p.headers()
	if err != nil {
		return Command{}, err
	}
	program := p.Program
	if program == "" {
		if program, err = NetProgram(); err != nil {
			return Command{}, err
		}
	}
	var o wire.ObjectWriter
	o.Str("url", p.URL)
	o.Raw("headers", headers)
	o.Int("timeout_ms", (p.Timeout - 2*graceOf(p.Timeout)).Milliseconds())
	o.Raw("body", p.Body)
	return Command{
		Argv: []string{program, "post"}, Env: p.netEnv(), Timeout: p.Timeout, Stdin: o.Bytes(),
		most: MaxAnswer + 4<<10, // the status stands in front of it
	}, nil
}

// headers fills in the variables and writes the headers in the order of their names.
func (p Post) headers() ([]byte, error) {
	var o wire.ObjectWriter
	for _, name := range slices.Sorted(maps.Keys(p.Headers)) {
		value := p.fill(p.Headers[name])
		if strings.ContainsAny(value, "\r\n\x00") {
			return nil, fmt.Errorf("the header %s has a line break in its value", name)
		}
		o.Str(name, value)
	}
	return o.Bytes(), nil
}

func (p Post) fill(s string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, "$")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, rest, ok := variableName(after)
		if !ok {
			b.WriteByte('$')
			s = after
			continue
		}
		if slices.Contains(p.AllowedEnvVars, name) {
			b.WriteString(Command{Env: p.Env}.lookEnv(name))
		}
		s = rest
	}
}

// variableName reads NAME or {NAME} behind a dollar sign.
func variableName(s string) (name, rest string, ok bool) {
	if inner, braced := strings.CutPrefix(s, "{"); braced {
		n := nameLen(inner)
		if n == 0 || n >= len(inner) || inner[n] != '}' {
			return "", "", false
		}
		return inner[:n], inner[n+1:], true
	}
	n := nameLen(s)
	return s[:n], s[n:], n > 0
}

// netEnv is what the second program needs: where certificates are, and what Windows asks for. No
// proxy, no key.
func (p Post) netEnv() []string {
	env := []string{}
	c := Command{Env: p.Env}
	for _, name := range []string{"PATH", "HOME", "SSL_CERT_FILE", "SSL_CERT_DIR", "SystemRoot", "USERPROFILE", "LOCALAPPDATA"} {
		if value, ok := c.lookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// Answer reads a finished request by the rules of Decide. hookspan-net says a line {"status": N}
// with the body behind it, or {"error": TEXT}.
func (p Post) Answer(ev hook.Event, out Output) (hook.Decision, error) {
	switch {
	case out.StartErr != nil, out.TimedOut:
		return Command{}.Answer(ev, out)
	case out.TooMuch:
		return hook.Decision{}, tooLong()
	case out.Exit != 0:
		return hook.Decision{}, fmt.Errorf("hookspan-net failed: %w", exitError(out.Exit, out.Stderr))
	}
	first, body, _ := strings.Cut(string(out.Stdout), "\n")
	v, err := wire.Parse([]byte(first))
	if err != nil {
		return hook.Decision{}, fmt.Errorf("hookspan-net gave no answer: %s", reason(err))
	}
	if text := v.Get("error").Str(); text != "" {
		return hook.Decision{}, errors.New(text)
	}
	status, _ := v.Get("status").Int()
	return readResponse(ev, status, body)
}

func tooLong() error {
	return fmt.Errorf("the server answered with more than %d MiB", MaxAnswer>>20)
}

func readResponse(ev hook.Event, status int64, body string) (hook.Decision, error) {
	switch {
	case status >= 300 && status < 400:
		return hook.Decision{}, fmt.Errorf("the server answered with status %d; redirects are not followed: give the final URL", status)
	case status < 200 || status > 299:
		return hook.Decision{}, fmt.Errorf("the server answered with status %d", status)
	case len(body) > MaxAnswer:
		return hook.Decision{}, tooLong()
	}
	text := clean([]byte(body))
	if text != "" && text[0] != '{' {
		return hook.Decision{}, errors.New("the server's answer is not a JSON object")
	}
	return Answer(ev, []byte(text), nil, exitGoOn)
}

// NetProgram is the path of hookspan-net, which stands beside this program; links to this program
// are followed first.
func NetProgram() (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("failed to find out where hookspan lies: %w", err)
	}
	path := filepath.Join(filepath.Dir(self), "hookspan-net")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return "", fmt.Errorf("%s does not exist: http handlers need it beside hookspan; install both programs", path)
	}
	return path, nil
}
