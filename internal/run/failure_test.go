package run

import (
	"testing"

	"github.com/hookspan/hookspan/hook"
)

// TestAGuardOfOtherAgentsRefusesNothing: an input that cannot be read is refused for a handler that would have
// seen it. A guard of another agent would not; where nobody knows who called, it might.
func TestAGuardOfOtherAgentsRefusesNothing(t *testing.T) {
	const (
		cut  = `{"session_id":"s","hook_event_name":"PreToolUse",`
		more = `{"session_id":"s","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}} {}`
	)
	for _, c := range []struct {
		name, agents, agent, payload string
		want                         hook.Verdict
	}{
		{"its own agent", "[claude]", "claude", cut, hook.Deny},
		{"another agent", "[claude]", "codex", cut, hook.NoOpinion},
		{"one of several", "[claude, codex]", "codex", cut, hook.Deny},
		{"any agent", "[]", "codex", cut, hook.Deny},
		{"its own agent, something behind", "[claude]", "claude", more, hook.Deny},
		{"another agent, something behind", "[codex]", "claude", more, hook.NoOpinion},
		{"nobody was named", "[codex]", "", cut, hook.Deny},
		{"nobody that is known", "[codex]", "nosuchagent", cut, hook.Deny},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := "agents: " + c.agents + ", "
			if c.agents == "[]" {
				list = ""
			}
			h := newHome(t, `hooks: {PreToolUse: [{hooks: [{guard: protect-paths, `+list+`paths: [".env"]}]}]}`+"\n")
			rep := h.call(c.agent, "PreToolUse", c.payload, nil)
			if rep.Decision.Verdict != c.want {
				t.Errorf("%v: %q", rep.Decision.Verdict, rep.Reply.Stdout)
			}
		})
	}
}
