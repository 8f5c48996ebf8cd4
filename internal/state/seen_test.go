package state

import "testing"

func TestSeen(t *testing.T) {
	s := Open(t.TempDir())
	if s.Seen("claude", "PreToolUse", "c1") {
		t.Fatal("seen in an empty journal")
	}
	for _, r := range []Record{{Agent: "claude", Event: "PreToolUse", Call: "c1", Verdict: "none"}, {Agent: "codex", Event: "Stop", Call: `c"2`, Verdict: "none"}} {
		if err := s.Append(&r); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		agent, event, call string
		want               bool
	}{
		{"claude", "PreToolUse", "c1", true},
		{"claude", "PostToolUse", "c1", false},
		{"codex", "PreToolUse", "c1", false},
		{"claude", "PreToolUse", "c", false},
		{"claude", "PreToolUse", "", false},
		{"codex", "Stop", `c"2`, true},
	} {
		if got := s.Seen(tt.agent, tt.event, tt.call); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}
