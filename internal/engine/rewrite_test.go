package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/manifest"
)

// when makes a handler with an `if`.
func when(rule, name, shell string) manifest.Handler {
	out := h(name, shell)
	out.If, out.OnFailure = rule, manifest.Block
	return out
}

// TestLaterGroupsAreChosenByTheRewrittenInput: what a group makes of the input decides which handlers of
// the groups behind it run, and nothing in front of them runs again.
func TestLaterGroupsAreChosenByTheRewrittenInput(t *testing.T) {
	rm, log := when("Bash(rm *)", "rm", "no never"), h("log", "")
	for _, tt := range []struct {
		name    string
		groups  [][]manifest.Handler
		verdict hook.Verdict
		runs    string
		skipped string
	}{
		{"its `if` holds by then", [][]manifest.Handler{{h("a", rewrite("rm -rf x"))}, {rm}}, hook.Deny, "a echo hi|rm rm -rf x", ""},
		{"its `if` holds no more", [][]manifest.Handler{{h("a", rewrite("ls"))}, {when("Bash(echo *)", "echo", "no never")}, {log}},
			hook.NoOpinion, "a echo hi|log ls", "echo: its `if` does not hold"},
		{"two groups later", [][]manifest.Handler{{h("a", rewrite("rm -rf x"))}, {log}, {rm}}, hook.Deny, "a echo hi|log rm -rf x|rm rm -rf x", ""},
		{"the last rewrite counts", [][]manifest.Handler{{h("a", rewrite("rm -rf x"))}, {h("b", rewrite("ls"))}, {rm}}, hook.NoOpinion,
			"a echo hi|b rm -rf x", "rm: its `if` does not hold"},
		{"a group in front stays as it was", [][]manifest.Handler{{rm}, {h("a", rewrite("rm -rf x"))}}, hook.NoOpinion, "a echo hi", "rm: its `if` does not hold"},
		{"so does the same group", [][]manifest.Handler{{h("a", rewrite("rm -rf x")), rm}, {log}}, hook.NoOpinion, "a echo hi|log rm -rf x", "rm: its `if` does not hold"},
		{"nothing is rewritten", [][]manifest.Handler{{h("a", "")}, {rm}, {log}}, hook.NoOpinion, "a echo hi|log echo hi", "rm: its `if` does not hold"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, f := do(t, bash("echo hi"), plan(hook.PreToolUse, tt.groups...))
			if res.Decision.Verdict != tt.verdict || strings.Join(f.runs, "|") != tt.runs || strings.Join(res.Skipped, "|") != tt.skipped {
				t.Errorf("%v, ran %q, skipped %q", res.Decision.Verdict, f.runs, res.Skipped)
			}
		})
	}
}

// TestARewrittenPatchIsSplitAgain: the handlers behind a rewrite of a whole patch get the files that it
// touches by then.
func TestARewrittenPatchIsSplitAgain(t *testing.T) {
	text, _ := json.Marshal("*** Begin Patch\n*** Add File: /p/secret.txt\n+x\n*** Update File: /p/a.go\n@@\n-a\n+b\n*** End Patch\n")
	a := h("a", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":`+string(text)+`}}}`)
	a.Each = manifest.EachCall
	for matcher, want := range map[string]string{
		"Write":      "a Edit /p/old.go|b Write /p/secret.txt",
		"Edit":       "a Edit /p/old.go|b Edit /p/a.go",
		"Edit|Write": "a Edit /p/old.go|b Edit /p/a.go|b Write /p/secret.txt",
	} {
		src := append(matched("Edit", a), matched(matcher, h("b", ""))...)
		_, f := do(t, patchEvent(hook.File{Path: "/p/old.go", Op: hook.OpUpdate}), src)
		if got := sortedRuns(f); got != want {
			t.Errorf("%s: ran %q, want %q", matcher, got, want)
		}
	}
}

// record is the memory of one call's outputs.
type record struct{ outs map[string]Output }

func (c *record) Begin(string, time.Time) (map[string]Output, func(map[string]Output)) {
	if c.outs != nil {
		return c.outs, nil
	}
	return nil, func(outs map[string]Output) { c.outs = outs }
}

// TestARewriteIsRepeatedToTheSecondRegistration: the second run of a call chooses the same handlers behind a
// rewrite, and takes all their answers.
func TestARewriteIsRepeatedToTheSecondRegistration(t *testing.T) {
	ev := bash("ls")
	ev.Call = "c"
	src := plan(hook.PreToolUse, []manifest.Handler{h("a", rewrite("rm -rf x"))}, []manifest.Handler{when("Bash(rm *)", "rm", "no never")})
	f, calls := &fake{}, &record{}
	for i := range 2 {
		res := Run(context.Background(), ev, src, Env{Programs: f, Guards: guards{}, Session: &memory{}, Calls: calls})
		if res.Decision.Verdict != hook.Deny || res.Repeat != (i == 1) || len(f.runs) != 2 {
			t.Errorf("run %d: %v, repeat %v, programs ran: %q", i, res.Decision.Verdict, res.Repeat, f.runs)
		}
	}
}

// TestAProjectIsToldOfOnce: programs of a project that is not trusted may concern the call before a rewrite,
// after it, or both; the person is told once, also where no session remembers.
func TestAProjectIsToldOfOnce(t *testing.T) {
	guard := manifest.Handler{Name: "g", Type: manifest.Guard, Guard: "x"}
	for _, rule := range []string{"", "Bash(ls)", "Bash(rm *)"} {
		src := append(plan(hook.PreToolUse, []manifest.Handler{guard, h("a", rewrite("rm -rf x"))}),
			plan(hook.PreToolUse, []manifest.Handler{when(rule, "b", "")}, []manifest.Handler{h("c", "")})...)
		src[1].Trusted = false
		res := Run(context.Background(), bash("ls"), src, Env{Programs: &fake{}, Guards: guards{}})
		want := "[b: not trusted c: not trusted]"
		if rule == "Bash(ls)" {
			want = "[b: its `if` does not hold c: not trusted]"
		}
		if len(res.Decision.Notice) != 1 || fmt.Sprint(res.Skipped) != want {
			t.Errorf("%q: told %q, skipped %q", rule, res.Decision.Notice, res.Skipped)
		}
	}
}

// placed answers with the place of the manifest.
type placed struct{ program }

func (placed) Run(_ context.Context, p *manifest.Plan, _ *manifest.Handler, _ hook.Event) handler.Output {
	return handler.Output{Stdout: []byte(adds(hook.PreToolUse, p.Path))}
}

// TestEqualManifestsKeepTheirAnswers: two manifests of the same text in two places are two, also when the call
// is repeated.
func TestEqualManifestsKeepTheirAnswers(t *testing.T) {
	ev := bash("ls")
	ev.Call = "c"
	src := append(plan(hook.PreToolUse, []manifest.Handler{h("a", "")}), plan(hook.PreToolUse, []manifest.Handler{h("a", "")})...)
	src[1].Plan.Path = "/q/hookspan.yaml"
	calls := &record{}
	for range 2 {
		res := Run(context.Background(), ev, src, Env{Programs: placed{}, Session: &memory{}, Calls: calls})
		c := res.Decision.Context
		if len(c) != 2 || c[0].Body != "/p/hookspan.yaml" || c[1].Body != "/q/hookspan.yaml" {
			t.Errorf("%+v", c)
		}
	}
}
