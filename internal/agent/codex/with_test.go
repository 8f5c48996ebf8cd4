package codex

import (
	"strings"
	"testing"

	"github.com/hookspan/hookspan/internal/agent"
)

// The hashes are currentHash of `codex app-server` hooks/list, Codex 0.171.0, 2026-11-30.
func TestTrustHashIsCodexOwn(t *testing.T) {
	for _, c := range []struct {
		d    Definition
		want string
	}{
		{Definition{Event: "PreToolUse", Command: "/bin/user", Timeout: 30}, "sha256:28c246698ea1e2d4909939af686fc9655c4637c0120ac36abee4b0e009480b58"},
		{Definition{Event: "Stop", Command: "/bin/untrusted", Timeout: 30}, "sha256:b2df4ab67fd54ff823bea958d60537d33017693738ad4615240c4544e6b1c8e6"},
		{Definition{Event: "Stop", Command: "/bin/untrusted", Timeout: 30, Matcher: "*", HasMatcher: true}, "sha256:b2df4ab67fd54ff823bea958d60537d33017693738ad4615240c4544e6b1c8e6"},
		{Definition{Event: "PreToolUse", Command: "'/a b/hookspan' run codex", Timeout: 60}, "sha256:2a690e0e854978188dcf8101f46f70cbf96372b929d7589415c478f0e8bcc150"},
		{Definition{Event: "SessionEnd", Command: "'/a b/hookspan' run codex", Timeout: 3}, "sha256:58e19b973ff1a65703aad559ab6968ed5cab076b51fa8f09ec4fc05657c0e1b5"},
		{Definition{Event: "SessionEnd", Command: "'/a b/hookspan' run codex", Timeout: 900}, "sha256:58e19b973ff1a65703aad559ab6968ed5cab076b51fa8f09ec4fc05657c0e1b5"},
	} {
		if got := TrustHash(c.d); got != c.want {
			t.Errorf("%+v: %s", c.d, got)
		}
	}
}

func TestSessionTrustsItsOwnHooksAndNoOthers(t *testing.T) {
	args := inline([]agent.SessionHook{{Native: "PreToolUse", Command: `"C:\a b\hookspan.exe" run codex`, Timeout: 60}, {Native: "Stop", Command: "hookspan run codex", Timeout: 600}})
	if len(args) != 6 || args[1] != `hooks.PreToolUse=[{hooks=[{type="command",command="\"C:\\a b\\hookspan.exe\" run codex",timeout=60}]}]` {
		t.Fatalf("%q", args)
	}
	state := args[5]
	for _, key := range []string{`"/<session-flags>/config.toml:pre_tool_use:0:0"={trusted_hash="sha256:`, `"/<session-flags>/config.toml:stop:0:0"={trusted_hash="sha256:`} {
		if strings.Count(state, key) != 1 {
			t.Errorf("%s is not in %s", key, state)
		}
	}
	if strings.Count(state, "trusted_hash") != 2 || strings.Contains(strings.Join(args, " "), "bypass") {
		t.Errorf("more is trusted than was started: %s", state)
	}
}
