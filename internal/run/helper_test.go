package run

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/manifest"
	"github.com/hookspan/hookspan/internal/wire"
)

// home is a throw-away place to run in, with a user's manifest.
type home struct {
	dir      string
	manifest string
}

func newHome(t testing.TB, text string) home {
	t.Helper()
	h := home{dir: t.TempDir()}
	h.manifest = filepath.Join(h.dir, ".config", "hookspan", "hookspan.yaml")
	h.write(t, h.manifest, text)
	return h
}

func (h home) write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (h home) environ() []string { return []string{"HOME=" + h.dir, "PATH=" + os.Getenv("PATH")} }

// call serves one call, as an agent makes it. p answers in place of programs, nil = they are started.
func (h home) call(agentName, native, payload string, p *answers) Report {
	q := Request{Agent: agentName, Native: native, Stdin: strings.NewReader(payload), Environ: h.environ()}
	if p != nil {
		q.programs = p
	}
	return Do(context.Background(), q)
}

// answers is a program of few words: it says the same to every event that it has an answer for.
type answers struct {
	mu  sync.Mutex
	on  hook.Name // "" = every event
	out handler.Output
	ran int
}

func (p *answers) Run(_ context.Context, _ *manifest.Plan, _ *manifest.Handler, ev hook.Event) handler.Output {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.on != "" && p.on != ev.Name {
		return handler.Output{}
	}
	p.ran++
	return p.out
}

func (p *answers) Answer(_ *manifest.Plan, _ *manifest.Handler, ev hook.Event, out handler.Output) (hook.Decision, error) {
	return handler.Command{}.Answer(ev, out)
}

// everywhere is a manifest with a program on every common event, on_failure as it is said.
func everywhere(onFailure string) string {
	var b strings.Builder
	b.WriteString("hooks:\n")
	for _, name := range hook.Names() {
		each := ""
		if name.OfTool() {
			each = "each: call, "
		}
		b.WriteString("  " + string(name) + ": [{hooks: [{name: says, command: [says], " + each + "on_failure: " + onFailure + "}]}]\n")
	}
	return b.String()
}

// recording is a payload that an agent has sent.
type recording struct {
	agent, native, file, text string
	ev                        hook.Event
	row                       *agent.Row
}

// recordings are those of all agents, as far as they decode to an event for handlers. An agent that claims
// to have been seen live has some: the claim is worth what it sent.
func recordings(t testing.TB) []recording {
	t.Helper()
	var list []recording
	for _, a := range all.Agents() {
		files, err := filepath.Glob(filepath.Join("..", "agent", a.Name, "testdata", "*", "*.json"))
		if err != nil || len(files) == 0 && a.Level == agent.Live {
			t.Fatalf("the evidence of %s is live, and there are no recordings of it in testdata/VERSION (%v)", a.Name, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if r, ok := read(a, file, string(text)); ok {
				list = append(list, r)
			}
		}
	}
	return list
}

// read takes the payload out of a recording; false where it is no event, or another agent's.
func read(a *agent.Agent, file, text string) (recording, bool) {
	rec, err := wire.Parse([]byte(text))
	v := rec.Get("stdin")
	if err != nil || v.Kind() != wire.Object {
		return recording{}, false
	}
	r := recording{agent: a.Name, native: rec.Get("event").Str(), file: file, text: string(v.Raw())}
	if who := all.Detect(a.Name, v, func(string) string { return "" }); who.Agent.Name != a.Name {
		return recording{}, false
	}
	r.ev, r.row, err = a.Decode(agent.Input{Native: r.native, Payload: v, Env: func(string) string { return "" }})
	return r, err == nil && r.ev.Name != "" && r.row != nil
}
