package codex

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/sha256"
	"github.com/hookspan/hookspan/internal/wire"
)

// With starts Codex with hooks for one session: `-c hooks.EVENT=[…]` adds them, and `-c hooks.state={…}`
// trusts exactly these definitions in this process. The trust that config.toml holds stays in force beside
// it, and nothing else becomes trusted, as it would by --dangerously-bypass-hook-trust
// (0.171.0, `codex app-server` hooks/list, 2026-11-30).
func With() agent.With {
	return agent.With{
		Ways: []agent.Way{{Inline: inline, Clash: []string{"-c hooks.", "--config hooks."}}},
		Not:  "your own arguments set hooks as well, and of two settings Codex takes the last: put those hooks into $CODEX_HOME/hooks.json",
		Notes: []string{"only these hooks are trusted, and only in this session; hooks of others keep the trust that they have",
			"the terminal of 0.171.0 runs hooks in a daemon and fires no SessionEnd on /quit; --no-daemon does both right"},
	}
}

// sessionFile is the name under which Codex knows what -c sets.
const sessionFile = "/<session-flags>/config.toml"

func inline(hooks []agent.SessionHook) []string {
	var args []string
	state := []byte("hooks.state={")
	for i, h := range hooks {
		entry := append([]byte("hooks."+h.Native+`=[{hooks=[{type="command",command=`), tomlString(h.Command)...)
		entry = append(append(entry, ",timeout="...), strconv.FormatInt(h.Timeout, 10)...)
		args = append(args, "-c", string(entry)+"}]}]")
		if i > 0 {
			state = append(state, ',')
		}
		state = append(state, tomlString(TrustKey(sessionFile, h.Native, 0, 0))...)
		state = append(append(state, "={trusted_hash="...), tomlString(TrustHash(Definition{Event: h.Native, Command: h.Command, Timeout: h.Timeout}))...)
		state = append(state, '}')
	}
	return append(args, "-c", string(append(state, '}')))
}

// tomlString writes a basic string; JSON's escapes are TOML's.
func tomlString(s string) []byte { return wire.AppendString(nil, s) }

// Definition is what the trust in one hook covers. The program behind the command is not covered.
type Definition struct {
	Event      string // PascalCase
	Matcher    string
	HasMatcher bool // a matcher is written, if only ""
	Command    string
	Timeout    int64 // in seconds; 0 = none is written
	Async      bool
	// Extra are members that count where they are written: statusMessage, additionalContextLimit, as JSON.
	Extra map[string][]byte
}

// TrustKey is the key of a hook below [hooks.state]: the file that defines it, the event, the position.
func TrustKey(file, event string, group, handler int) string {
	return file + ":" + snake(event) + ":" + strconv.Itoa(group) + ":" + strconv.Itoa(handler)
}

// TrustHash is the trusted_hash of a definition: SHA-256 over its canonical JSON, with the limits that
// Codex fills in (compared with currentHash of 0.144.5 and 0.171.0).
func TrustHash(d Definition) string {
	var h wire.ObjectWriter // members in the order of their names
	if v, ok := d.Extra["additionalContextLimit"]; ok {
		h.Raw("additionalContextLimit", v)
	}
	h.Bool("async", d.Async)
	h.Str("command", d.Command)
	if v, ok := d.Extra["statusMessage"]; ok {
		h.Raw("statusMessage", v)
	}
	h.Int("timeout", d.limit())
	h.Str("type", "command")
	var o wire.ObjectWriter
	o.Str("event_name", snake(d.Event))
	o.Raw("hooks", append(append([]byte{'['}, h.Bytes()...), ']'))
	if d.HasMatcher && d.Event != "UserPromptSubmit" && d.Event != "Stop" && d.Event != "Interrupt" {
		o.Str("matcher", d.Matcher)
	}
	sum := sha256.Sum256(o.Bytes())
	return "sha256:" + hex.EncodeToString(sum[:])
}

// limit is the time limit that Codex works with.
func (d Definition) limit() int64 {
	short := d.Event == "SessionEnd" || d.Event == "Interrupt"
	t := d.Timeout
	switch {
	case t == 0 && short:
		t = 1
	case t == 0:
		t = 600
	}
	if t = max(t, 1); short {
		t = min(t, 3)
	}
	return t
}

func snake(event string) string {
	var b strings.Builder
	for i, r := range event {
		if 'A' <= r && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
