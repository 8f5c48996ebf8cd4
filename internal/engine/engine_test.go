package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/manifest"
)

// fake answers for programs: each handler's shell text is its answer, "ANSWER" or "exit N: stderr".
type fake struct {
	mu   sync.Mutex
	runs []string // name and file or command
}

func (f *fake) Run(_ context.Context, _ *manifest.Plan, h *manifest.Handler, ev hook.Event) handler.Output {
	f.mu.Lock()
	defer f.mu.Unlock()
	what := ""
	if ev.Tool != nil {
		what = ev.Tool.Command
		if len(ev.Tool.Files) == 1 {
			what = ev.Tool.Name + " " + ev.Tool.Files[0].Path
		}
	}
	f.runs = append(f.runs, strings.TrimSpace(h.Name+" "+what))
	switch {
	case h.Shell == "missing":
		return handler.Output{StartErr: errors.New("it is missing")}
	case strings.HasPrefix(h.Shell, "no "):
		return handler.Output{Exit: 2, Stderr: []byte(h.Shell[3:])}
	case h.Shell == "red":
		return handler.Output{Exit: 1, Stdout: []byte("FAIL: TestX")}
	case h.Shell == "panic":
		panic("nil map")
	}
	return handler.Output{Stdout: []byte(h.Shell)}
}

func (f *fake) Answer(_ *manifest.Plan, _ *manifest.Handler, ev hook.Event, out handler.Output) (hook.Decision, error) {
	return handler.Command{}.Answer(ev, out)
}

// guards refuse every call whose command or file contains "secret".
type guards struct{}

func (guards) Check(_ *manifest.Handler, ev hook.Event, _ string) (hook.Decision, error) {
	if strings.Contains(ev.Tool.Command, "secret") {
		return hook.Decision{Verdict: hook.Deny, Reason: "secret"}, nil
	}
	return hook.Decision{}, nil
}

// memory is a session in memory.
type memory struct {
	once   map[string]bool
	sent   int
	worked bool
}

func (m *memory) Once(key string) bool {
	if m.once == nil {
		m.once = map[string]bool{}
	}
	was := m.once[key]
	m.once[key] = true
	return !was
}
func (m *memory) Sent(string) int { return m.sent }
func (m *memory) AddSent(string)  { m.sent++ }
func (m *memory) NewTurn(string)  { m.sent = 0 }
func (m *memory) Worked() bool    { return m.worked }

func said(verdict, reason string) string {
	return fmt.Sprintf(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":%q,"permissionDecisionReason":%q}}`, verdict, reason)
}

func rewrite(command string) string {
	return fmt.Sprintf(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":%q}}}`, command)
}

func bash(command string) hook.Event {
	in, _ := json.Marshal(map[string]string{"command": command})
	return hook.Event{Name: hook.PreToolUse, Session: "s", Tool: &hook.Tool{Name: "Bash", NativeName: "Bash", Kind: hook.KindShell,
		Command: command, Input: in, Native: in}}
}

// h makes a handler; a group is a list of them.
func h(name, shell string) manifest.Handler {
	return manifest.Handler{Name: name, Shell: shell, Timeout: time.Second}
}

func plan(event hook.Name, groups ...[]manifest.Handler) []Source {
	p := &manifest.Plan{Path: "/p/hookspan.yaml", Dir: "/p", Hash: "h", Scope: manifest.Project}
	for _, hs := range groups {
		p.Groups = append(p.Groups, manifest.Group{Event: event, Handlers: hs})
	}
	return []Source{{Plan: p, Trusted: true}}
}

func do(t *testing.T, ev hook.Event, src []Source) (Result, *fake) {
	t.Helper()
	f := &fake{}
	return Run(context.Background(), ev, src, Env{Programs: f, Guards: guards{}, Session: &memory{}}), f
}

func TestMerge(t *testing.T) {
	end := `{"continue":false,"stopReason":"enough"}`
	for _, tt := range []struct {
		name    string
		groups  [][]manifest.Handler
		verdict hook.Verdict
		reason  string
		end     bool
		command string // the rewritten one
		runs    int
	}{
		{"nobody says anything", [][]manifest.Handler{{h("a", "")}}, hook.NoOpinion, "", false, "", 1},
		{"deny beats ask beats allow", [][]manifest.Handler{{h("a", said("allow", "A")), h("b", said("ask", "B")), h("c", said("deny", "C"))}}, hook.Deny, "C", false, "", 3},
		{"ask beats allow", [][]manifest.Handler{{h("a", said("allow", "A")), h("b", said("ask", "B"))}}, hook.Ask, "B", false, "", 2},
		{"end beats deny, and both are kept", [][]manifest.Handler{{h("a", end), h("b", "no never")}}, hook.Deny, "never", true, "", 2},
		{"every group runs, also after a no", [][]manifest.Handler{{h("a", "no never")}, {h("log", "")}}, hook.Deny, "never", false, "", 2},
		{"a rewrite is what the next group sees", [][]manifest.Handler{{h("a", rewrite("ls"))}, {h("b", "")}}, hook.NoOpinion, "", false, "ls", 2},
		{"of two rewrites in one group the first wins", [][]manifest.Handler{{h("a", rewrite("ls")), h("b", rewrite("pwd"))}}, hook.NoOpinion, "", false, "ls", 2},
		{"an allow dies when another handler rewrites", [][]manifest.Handler{{h("a", said("allow", "A"))}, {h("b", rewrite("ls"))}}, hook.NoOpinion, "", false, "ls", 2},
		{"a rewrite that changes nothing is none", [][]manifest.Handler{{h("a", said("allow", "A")), h("b", rewrite("echo hi"))}}, hook.Allow, "A", false, "", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, f := do(t, bash("echo hi"), plan(hook.PreToolUse, tt.groups...))
			d := res.Decision
			if d.Verdict != tt.verdict || d.Reason != tt.reason || (d.End != nil) != tt.end {
				t.Errorf("decision %v %q end %v", d.Verdict, d.Reason, d.End)
			}
			var in struct{ Command string }
			if d.Input != nil {
				if err := json.Unmarshal(d.Input, &in); err != nil {
					t.Fatal(err)
				}
			}
			if in.Command != tt.command || len(f.runs) != tt.runs {
				t.Errorf("input %q, runs %q", in.Command, f.runs)
			}
		})
	}
}

func TestNoGrantFollowsAnError(t *testing.T) {
	for _, shell := range []string{"missing", "panic", `{"hookSpecificOutput":`, said("allow", "") + "noise", "noise" + said("allow", "")} {
		for _, fails := range []manifest.OnFailure{manifest.Allow, manifest.Block} {
			bad := h("bad", shell)
			bad.OnFailure = fails
			res, _ := do(t, bash("echo hi"), plan(hook.PreToolUse, []manifest.Handler{bad}))
			want := hook.NoOpinion
			if fails == manifest.Block {
				want = hook.Deny
			}
			if res.Decision.Verdict != want || res.Outcomes[0].Err == nil {
				t.Errorf("%q, on_failure %v: %v, error %v", shell, fails, res.Decision.Verdict, res.Outcomes[0].Err)
			}
			if fails == manifest.Allow && len(res.Decision.Notice) != 1 {
				t.Errorf("%q: nobody is told: %q", shell, res.Decision.Notice)
			}
		}
	}
}

func TestGuardsSeeTheFinalInput(t *testing.T) {
	guard := manifest.Handler{Name: "g", Type: manifest.Guard, Guard: "x"}
	res, _ := do(t, bash("echo hi"), plan(hook.PreToolUse, []manifest.Handler{guard}, []manifest.Handler{h("a", rewrite("cat secret"))}))
	if res.Decision.Verdict != hook.Deny || res.Decision.Reason != "secret" {
		t.Fatalf("the rewritten command was not guarded: %+v", res.Decision)
	}
}

// A guard that only warns warns of the rewritten input as well, and of the same thing once.
func TestWarningGuardsSeeTheFinalInput(t *testing.T) {
	guard := manifest.Handler{Name: "g", Type: manifest.Guard, Guard: "x", Mode: manifest.Warn}
	for _, first := range []string{"echo hi", "cat secret"} {
		res, _ := do(t, bash(first), plan(hook.PreToolUse, []manifest.Handler{guard}, []manifest.Handler{h("a", rewrite("cat secret; ls"))}))
		if res.Decision.Verdict == hook.Deny || len(res.Decision.Notice) != 1 || !strings.Contains(res.Decision.Notice[0], "secret") {
			t.Errorf("%s: %+v", first, res.Decision)
		}
	}
}

func TestUntrustedManifest(t *testing.T) {
	guard := manifest.Handler{Name: "g", Type: manifest.Guard, Guard: "x"}
	src := plan(hook.PreToolUse, []manifest.Handler{guard, h("a", "no never")})
	src[0].Trusted = false
	res, f := do(t, bash("cat secret"), src)
	if res.Decision.Verdict != hook.Deny || res.Decision.Reason != "secret" {
		t.Errorf("its guards must guard: %+v", res.Decision)
	}
	if len(f.runs) != 0 || len(res.Skipped) != 1 || len(res.Decision.Notice) != 1 {
		t.Errorf("its programs are skipped visibly: ran %q, skipped %q, told %q", f.runs, res.Skipped, res.Decision.Notice)
	}
}

func TestNoHandlerRunsInsideItself(t *testing.T) {
	guard := manifest.Handler{Name: "g", Type: manifest.Guard, Guard: "x"}
	f := &fake{}
	src := plan(hook.PreToolUse, []manifest.Handler{guard, h("a", ""), h("b", "")})
	res := Run(context.Background(), bash("cat secret"), src, Env{Programs: f, Guards: guards{},
		Chain: []string{ChainName(src[0].Plan, &manifest.Handler{Name: "a"}), "g@", "b@/another/manifest"}})
	if fmt.Sprint(f.runs) != "[b cat secret]" || res.Decision.Verdict != hook.Deny {
		t.Fatalf("ran %q, %v", f.runs, res.Decision.Verdict)
	}
}

func patchEvent(files ...hook.File) hook.Event {
	in := json.RawMessage(`{"command":"*** Begin Patch"}`)
	return hook.Event{Name: hook.PreToolUse, Tool: &hook.Tool{Name: "Edit", NativeName: "apply_patch", Kind: hook.KindEdit, Patch: true,
		Input: in, Native: in, Files: files}}
}

func matched(text string, hs ...manifest.Handler) []Source {
	var p manifest.Plan
	p.Hash, p.Dir = "h", "/p"
	yaml := "hooks:\n  PreToolUse:\n    - matcher: \"" + text + "\"\n      hooks: [{command: x}]\n"
	parsed, problems := manifest.Parse("/p/hookspan.yaml", []byte(yaml), nil)
	if len(problems) > 0 {
		panic(problems[0])
	}
	p.Groups = parsed.Groups
	p.Groups[0].Handlers = hs
	return []Source{{Plan: &p, Trusted: true}}
}

// sortedRuns is what ran, in an order of its own: the runs for several files are at the same time.
func sortedRuns(f *fake) string {
	sort.Strings(f.runs)
	return strings.Join(f.runs, "|")
}

func TestPatchRunsHandlersOncePerFile(t *testing.T) {
	text := "new"
	ev := patchEvent(hook.File{Path: "/p/new.go", Op: hook.OpCreate, NewText: &text}, hook.File{Path: "/p/old.go", Op: hook.OpUpdate},
		hook.File{Path: "/p/from.go", MovedTo: "/p/to.go", Op: hook.OpMove}, hook.File{Path: "/p/gone.go", Op: hook.OpDelete})
	for matcher, want := range map[string]string{
		"Write":      "a Write /p/new.go",
		"Edit":       "a Edit /p/from.go|a Edit /p/gone.go|a Edit /p/old.go|a Edit /p/to.go",
		"Write|Edit": "a Edit /p/from.go|a Edit /p/gone.go|a Edit /p/old.go|a Edit /p/to.go|a Write /p/new.go",
		"Bash":       "",
		"*":          "a",
	} {
		_, f := do(t, ev, matched(matcher, h("a", "")))
		if got := sortedRuns(f); got != want {
			t.Errorf("%s: ran %q, want %q", matcher, got, want)
		}
	}
	call := h("a", "")
	call.Each = manifest.EachCall
	if _, f := do(t, ev, matched("Edit", call)); len(f.runs) != 1 {
		t.Errorf("each: call ran %q", f.runs)
	}
}

func TestARewriteOfOneFileIsRefused(t *testing.T) {
	ev := patchEvent(hook.File{Path: "/p/a.go", Op: hook.OpUpdate}, hook.File{Path: "/p/b.go", Op: hook.OpUpdate})
	a := h("a", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"file_path":"/p/c.go"}}}`)
	res, _ := do(t, ev, matched("Edit", a))
	if res.Decision.Input != nil || len(res.Decision.Notice) != 2 {
		t.Errorf("allow: %+v", res.Decision)
	}
	a.OnFailure = manifest.Block
	if res, _ = do(t, ev, matched("Edit", a)); res.Decision.Verdict != hook.Deny {
		t.Errorf("block: %+v", res.Decision)
	}
}

func TestTooManyFilesIsAFailure(t *testing.T) {
	var files []hook.File
	for i := range maxFiles + 1 {
		files = append(files, hook.File{Path: fmt.Sprintf("/p/%d.go", i), Op: hook.OpUpdate})
	}
	a := h("a", "")
	a.OnFailure = manifest.Block
	res, f := do(t, patchEvent(files...), matched("Edit", a))
	if len(f.runs) != 0 || res.Decision.Verdict != hook.Deny {
		t.Fatalf("ran %d, %v", len(f.runs), res.Decision.Verdict)
	}
}

func stop(active bool) hook.Event {
	return hook.Event{Name: hook.Stop, StopKnown: true, StopActive: active}
}

func TestAGateEnds(t *testing.T) {
	gate := h("gate", "red")
	gate.Gate, gate.MaxContinues = true, 3
	m, f := &memory{worked: true}, &fake{}
	src := plan(hook.Stop, []manifest.Handler{gate})
	sent := 0
	var last Result
	for i := range 12 {
		last = Run(context.Background(), stop(i > 0), src, Env{Programs: f, Session: m})
		if last.Decision.Continue {
			sent++
			if !strings.Contains(last.Decision.Reason, "FAIL: TestX") {
				t.Fatalf("the reason has no output: %q", last.Decision.Reason)
			}
		}
	}
	if sent != 3 || len(last.Decision.Notice) != 1 {
		t.Errorf("sent back %d times, the person was told %q", sent, last.Decision.Notice)
	}
	m.worked, m.sent = false, 1
	if res := Run(context.Background(), stop(true), src, Env{Programs: f, Session: m}); res.Decision.Continue {
		t.Error("nothing was done since the last time, and it was sent back again")
	}
}

func TestWarnOnlyReports(t *testing.T) {
	a := h("a", "no never")
	a.Mode = manifest.Warn
	res, _ := do(t, bash("ls"), plan(hook.PreToolUse, []manifest.Handler{a}))
	if res.Decision.Verdict != hook.NoOpinion || len(res.Decision.Notice) != 1 || !strings.Contains(res.Decision.Notice[0], "never") {
		t.Fatalf("%+v", res.Decision)
	}
}

func TestAGateWhoseCountCannotBeRememberedBlocksOnce(t *testing.T) {
	gate := h("gate", "red")
	gate.Gate, gate.MaxContinues = true, 3
	m, f := &memory{sent: Uncounted}, &fake{}
	src := plan(hook.Stop, []manifest.Handler{gate})
	ev := hook.Event{Name: hook.Stop, StopKnown: true, Turn: "t"}
	env := Env{Programs: f, Session: frozen{m}}
	if res := Run(context.Background(), ev, src, env); !res.Decision.Continue {
		t.Error("the first time it must block")
	}
	ev.StopActive = true
	res := Run(context.Background(), ev, src, env)
	if res.Decision.Continue || len(res.Decision.Notice) != 1 || strings.Contains(res.Decision.Notice[0], "1073741824") {
		t.Errorf("%+v", res.Decision)
	}
}

// frozen is a memory that cannot be written.
type frozen struct{ *memory }

func (frozen) NewTurn(string) {}
func (frozen) AddSent(string) {}
