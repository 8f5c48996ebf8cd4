package run

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/manifest"
	"github.com/hookspan/hookspan/internal/state"
)

// clocked notes how long programs may take.
type clocked struct {
	answers
	end time.Time
}

func (p *clocked) Run(ctx context.Context, _ *manifest.Plan, _ *manifest.Handler, _ hook.Event) handler.Output {
	p.end, _ = ctx.Deadline()
	return handler.Output{}
}

// TestProgramsEndBeforeTheAgentsLimit: in every recorded event of every agent, whatever a manifest wishes.
func TestProgramsEndBeforeTheAgentsLimit(t *testing.T) {
	h := newHome(t, strings.ReplaceAll(everywhere("allow"), "command:", "timeout: 3600, command:"))
	held, short := 0, 0
	for _, r := range recordings(t) {
		limit := r.row.Timeout.Register
		if c := r.row.Timeout.Cap; c > 0 && c < limit {
			limit = c
		}
		if !common(r.ev.Name) || limit == 0 {
			continue
		}
		var p clocked
		rep := Do(context.Background(), Request{Agent: r.agent, Native: r.native, Stdin: strings.NewReader(r.text), Environ: h.environ(), programs: &p})
		if p.end.IsZero() {
			continue // the same call was served before
		}
		if left := p.end.Sub(rep.Start); left >= limit || left < limit/2 {
			t.Errorf("%s: the limit is %s, and programs may take %s", r.file, limit, left)
		}
		held++
		if limit <= 10*time.Second {
			short++
		}
	}
	if held == 0 || short == 0 {
		t.Errorf("%d recordings have a limit, %d a short one", held, short)
	}
	for _, c := range []struct {
		agent, event string
		limit        time.Duration
	}{{"claude", "SessionEnd", 1500 * time.Millisecond}, {"codex", "SessionEnd", time.Second}, {"droid", "SessionStart", 10 * time.Second}} {
		if d := all.Get(c.agent).Row(c.event).Timeout.Deadline(); d <= 0 || d >= c.limit {
			t.Errorf("%s %s: %s, and the agent waits %s", c.agent, c.event, d, c.limit)
		}
	}
}

// TestARegistrationTrustsItsOwnCheckout: with --project, programs of the manifests of that checkout run
// unasked; those of any other do not.
func TestARegistrationTrustsItsOwnCheckout(t *testing.T) {
	h := newHome(t, "hooks: {}\n")
	shop, other, tree := filepath.Join(h.dir, "shop"), filepath.Join(h.dir, "other"), filepath.Join(h.dir, "shop", "worktree")
	for _, dir := range []string{shop, other} {
		h.write(t, filepath.Join(dir, ".git", "HEAD"), "")
	}
	h.write(t, filepath.Join(tree, ".git"), "gitdir: ../.git/worktrees/worktree\n")
	h.write(t, filepath.Join(shop, "sub", "a.go"), "")
	const text = "hooks: {PreToolUse: [{hooks: [{name: says, command: [says]}]}]}\n"
	for _, dir := range []string{shop, other, tree} {
		h.write(t, filepath.Join(dir, "hookspan.yaml"), text)
	}
	for _, tt := range []struct {
		name, registered, cwd string
		ran, skipped          int
	}{
		{"no --project", "", shop, 0, 1},
		{"the checkout itself", shop, shop, 1, 0},
		{"called in a sub-folder", shop, filepath.Join(shop, "sub"), 1, 0},
		{"registered in a sub-folder", filepath.Join(shop, "sub"), shop, 1, 0},
		{"the agent has gone elsewhere: its manifest is not trusted by that", shop, other, 1, 1},
		{"a worktree is another checkout", shop, tree, 1, 1},
		{"no such folder", filepath.Join(h.dir, "gone"), shop, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &answers{}
			payload := `{"session_id":"s","transcript_path":"/t","cwd":` + quoted(tt.cwd) + `,"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`
			rep := Do(context.Background(), Request{Agent: "claude", Project: tt.registered, Stdin: strings.NewReader(payload), Environ: h.environ(), programs: p})
			if p.ran != tt.ran || len(rep.Result.Skipped) != tt.skipped || rep.Err != nil {
				t.Errorf("ran %d, skipped %q, error %v", p.ran, rep.Result.Skipped, rep.Err)
			}
		})
	}
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `\`, `\\`) + `"` }

// TestCommandsWorkInTheProjectsFolder: in the folder of the project's manifest; the user's manifest has
// none, so there it is the folder of the call.
func TestCommandsWorkInTheProjectsFolder(t *testing.T) {
	h := newHome(t, "hooks: {}\n")
	p := programs{store: openStore(lookup(h.environ()), true)}
	for _, tt := range []struct {
		name         string
		scope        manifest.Scope
		cwd, project string
		want         string
	}{
		{"a project's manifest", manifest.Project, "/shop/sub", "/shop/sub", "/shop"},
		{"a project's manifest, no folder told", manifest.Project, "", "", "/shop"},
		{"the user's manifest", manifest.User, "/shop/sub", "/shop", "/shop/sub"},
		{"the user's manifest, no cwd told", manifest.User, "", "/shop", "/shop"},
	} {
		plan := &manifest.Plan{Path: "/shop/hookspan.yaml", Dir: "/shop", Scope: tt.scope}
		c := p.command(plan, &manifest.Handler{Name: "a"}, hook.Event{Name: hook.Stop, Cwd: tt.cwd, Project: tt.project})
		if c.Dir != tt.want {
			t.Errorf("%s: it works in %q, want %q", tt.name, c.Dir, tt.want)
		}
	}
}

// TestTheNinthCopyOfAHandlerIsRefused: a handler that starts an agent that starts the handler ends there.
func TestTheNinthCopyOfAHandlerIsRefused(t *testing.T) {
	h := newHome(t, "hooks: {}\n")
	s := openStore(lookup(h.environ()), false)
	p := programs{environ: h.environ(), store: s}
	plan := &manifest.Plan{Path: h.manifest, Dir: h.dir, Scope: manifest.Project}
	run := func(name string) handler.Output {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		defer cancel()
		return p.Run(ctx, plan, &manifest.Handler{Name: name, Argv: []string{"no-such-program"}, Timeout: time.Minute}, hook.Event{Name: hook.Stop})
	}
	refused := func(out handler.Output) bool {
		return out.StartErr != nil && strings.Contains(out.StartErr.Error(), "too many copies")
	}
	release := make([]func(), 8) // a lock that nobody holds a reference to is given back
	for i := range release {
		if refused(run("a")) {
			t.Fatalf("refused with %d copies running", i)
		}
		var ok bool
		if release[i], ok = s.Acquire(time.Now(), plan.Path, "a"); !ok {
			t.Fatalf("copy %d may not run", i+1)
		}
	}
	if !refused(run("a")) {
		t.Error("a ninth copy was started")
	}
	if refused(run("b")) {
		t.Error("another handler was refused too")
	}
	release[3]()
	if refused(run("a")) {
		t.Error("one has ended, and there still is no room")
	}
	for _, r := range release {
		r()
	}
	if state.MaxCopies != 8 {
		t.Errorf("%d copies may run", state.MaxCopies)
	}
}

// TestOurOwnWordsAreNoPersonsPrompt: some agents raise the reason with which a hook sent them back as a
// prompt. Handlers are told that no person wrote it.
func TestOurOwnWordsAreNoPersonsPrompt(t *testing.T) {
	const stop = `{"session_id":"s","cwd":"/","hook_event_name":"Stop","stop_hook_active":false}`
	prompt := func(session, text string) string {
		return `{"session_id":"` + session + `","cwd":"/","hook_event_name":"UserPromptSubmit","prompt":"` + text + `"}`
	}
	h := newHome(t, "hooks: {Stop: [{hooks: [{name: tests, command: [tests]}]}], UserPromptSubmit: [{hooks: [{name: log, command: [log]}]}]}\n")
	p := &answers{on: hook.Stop, out: handler.Output{Exit: 2, Stderr: []byte("write the tests")}}
	if rep := h.call("claude", "", prompt("s", "write the tests"), p); rep.Event.Synthetic {
		t.Error("nobody was sent back yet")
	}
	if rep := h.call("claude", "", stop, p); !rep.Say.Continue {
		t.Fatalf("%+v", rep.Decision)
	}
	for _, tt := range []struct {
		name, session, text string
		synthetic           bool
	}{
		{"the reason", "s", "write the tests", true},
		{"a person's words", "s", "write the tests, please", false},
		{"no words, where nobody was sent back", "s2", "", false},
		{"the same words in another session", "s2", "write the tests", false},
	} {
		rep := h.call("claude", "", prompt(tt.session, tt.text), p)
		if rep.Event.Synthetic != tt.synthetic || strings.Contains(string(rep.Event.AppendJSON(nil)), `"synthetic":true`) != tt.synthetic {
			t.Errorf("%s: synthetic %v, handlers get %s", tt.name, rep.Event.Synthetic, rep.Event.AppendJSON(nil))
		}
	}
}

// TestTheJournalIsFullWhereATrustedManifestWantsIt: payloads hold prompts and code, so a repository alone
// cannot have them kept.
func TestTheJournalIsFullWhereATrustedManifestWantsIt(t *testing.T) {
	const full = "journal: full\nhooks: {}\n"
	for _, tt := range []struct {
		name, user, project string
		registered, full    bool
	}{
		{"by default", "hooks: {}\n", "", false, false},
		{"summary", "journal: summary\nhooks: {}\n", "", false, false},
		{"full for the user", full, "", false, true},
		{"an untrusted project wants it", "hooks: {}\n", full, false, false},
		{"a trusted project wants it", "hooks: {}\n", full, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHome(t, tt.user)
			shop := filepath.Join(h.dir, "shop")
			h.write(t, filepath.Join(shop, ".git", "HEAD"), "")
			if tt.project != "" {
				h.write(t, filepath.Join(shop, "hookspan.yaml"), tt.project)
			}
			q := Request{Agent: "claude", Environ: h.environ(), Stdin: strings.NewReader(
				`{"session_id":"s","transcript_path":"/t","cwd":` + quoted(shop) + `,"hook_event_name":"UserPromptSubmit","prompt":"tell me a secret"}`)}
			if tt.registered {
				q.Project = shop
			}
			rep := Do(context.Background(), q)
			rep.Reply.Stdout = []byte("our answer")
			journal(rep)
			b, err := os.ReadFile(filepath.Join(h.dir, ".local", "state", "hookspan", "last.json"))
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{"tell me a secret", "our answer"} {
				if strings.Contains(string(b), text) != tt.full {
					t.Errorf("%q: %s", text, b)
				}
			}
		})
	}
}

// A handler that nobody waits for refuses no call that it cannot be shown.
func TestAnAsyncHandlerRefusesNothing(t *testing.T) {
	for async, want := range map[bool]bool{false: true, true: false} {
		h := manifest.Handler{Name: "a", Shell: "x", OnFailure: manifest.Block, Async: async}
		if got := (&call{rep: &Report{}}).strict(&h, true); got != want {
			t.Errorf("async %v: strict %v", async, got)
		}
	}
}
