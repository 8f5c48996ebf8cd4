package run

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/handler"
)

// project makes a checkout with a manifest.
func (h home) project(t *testing.T, text string) string {
	t.Helper()
	dir := filepath.Join(h.dir, "shop")
	h.write(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	h.write(t, filepath.Join(dir, "hookspan.yaml"), text)
	return dir
}

const asks = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"R"}}`

// TestAskNoneIsForTheTrusted: Codex cannot ask, so an ask is refused there, unless somebody who is trusted
// says `ask: none`. A repository's word must not let pass what the user's handler wanted asked.
func TestAskNoneIsForTheTrusted(t *testing.T) {
	const handlers = "hooks: {PreToolUse: [{hooks: [{name: says, command: [says]}]}]}\n"
	for _, c := range []struct {
		name          string
		user, project string
		trusted       bool
		want          hook.Verdict
	}{
		{"nobody says it", handlers, "hooks: {}\n", false, hook.Deny},
		{"the user says it", "ask: none\n" + handlers, "hooks: {}\n", false, hook.NoOpinion},
		{"a project that is not trusted says it", handlers, "ask: none\nhooks: {}\n", false, hook.Deny},
		{"a trusted project says it", handlers, "ask: none\nhooks: {}\n", true, hook.NoOpinion},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHome(t, c.user)
			dir := h.project(t, c.project)
			q := Request{Agent: "codex", Native: "PreToolUse", Environ: h.environ(), programs: &answers{out: handler.Output{Stdout: []byte(asks)}}}
			q.Stdin = strings.NewReader(`{"session_id":"s","turn_id":"1","cwd":"` + dir + `","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"c"}`)
			if c.trusted {
				q.Project = dir
			}
			rep := Do(context.Background(), q)
			if rep.Decision.Verdict != hook.Ask || rep.Say.Verdict != c.want {
				t.Errorf("%v was said as %v (%q), want %v", rep.Decision.Verdict, rep.Say.Verdict, rep.Reply.Stdout, c.want)
			}
		})
	}
}
