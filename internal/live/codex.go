package live

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/hookspan/hookspan/internal/fakemodel"
)

// codex drives `codex exec`, over OpenAI Responses. The model id chooses its tools: gpt-5.5 has
// exec_command and apply_patch; later ones run JavaScript instead.
func codex() *Driver {
	d := &Driver{Name: "codex", Title: "Codex", Package: "@openai/codex", Version: "0.171.0", Command: "codex", Model: "gpt-5.5", PatchModel: "gpt-5.5",
		Executables: []string{"@openai/codex-" + platform("linux-x64") + "/vendor/" + rustTriple() + "/bin/codex"},
		PromptEvent: true, Rewrites: true,
		Events: strings.Fields(`SessionStart UserPromptSubmit PreToolUse PermissionRequest PostToolUse PreCompact PostCompact
			SubagentStart SubagentStop Stop SessionEnd Interrupt`)}
	d.Configure = func(s *Sandbox) error { return s.WriteFile(".codex/config.toml", codexConfig(s)) }
	d.Environ = func(*Sandbox) []string { return []string{"SCRIPTED_KEY=" + dummyKey} }
	d.Args = func(_ *Sandbox, prompt string) []string {
		return []string{"exec", "--dangerously-bypass-approvals-and-sandbox", prompt}
	}
	d.Register = d.registerCodex
	d.Tool = func(s *Sandbox, a Action) (fakemodel.ToolCall, error) {
		switch a.Verb {
		case fakemodel.VerbShell:
			return toolCall("exec_command", object{"cmd": a.Command})
		case fakemodel.VerbWrite:
			return applyPatch("*** Add File: "+a.Path+"\n", marked("+", a.Content))
		case fakemodel.VerbEdit:
			return applyPatch("*** Update File: "+a.Path+"\n@@\n", marked("-", a.Old), marked("+", a.New))
		case fakemodel.VerbPatch:
			return fakemodel.ToolCall{Name: "apply_patch", Free: a.Patch}, nil
		}
		return d.noTool(a)
	}
	d.Answer = strings.TrimSpace
	return d
}

func rustTriple() string {
	return strings.NewReplacer("linux-x64", "x86_64-unknown-linux-musl", "linux-arm64", "aarch64-unknown-linux-musl",
		"darwin-x64", "x86_64-apple-darwin", "darwin-arm64", "aarch64-apple-darwin",
		"windows-x64", "x86_64-pc-windows-msvc", "windows-arm64", "aarch64-pc-windows-msvc").Replace(platform("linux-x64"))
}

func codexConfig(s *Sandbox) string {
	return fmt.Sprintf(`model = %q
model_provider = "scripted"
check_for_update_on_startup = false
[model_providers.scripted]
name = "scripted"
base_url = %q
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[analytics]
enabled = false
[projects.%q]
trust_level = "trusted"
`, s.Model, s.URL+"/v1", s.Project)
}

func applyPatch(hunks ...string) (fakemodel.ToolCall, error) {
	return fakemodel.ToolCall{Name: "apply_patch", Free: "*** Begin Patch\n" + strings.Join(hunks, "") + "*** End Patch\n"}, nil
}

// marked puts a mark before each line of a text.
func marked(mark, text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(mark + strings.TrimSuffix(line, "\n") + "\n")
	}
	return out.String()
}

// registerCodex writes hooks.json and, in config.toml, that its definitions are trusted: without it
// `codex exec` skips them in silence.
func (d *Driver) registerCodex(s *Sandbox, r Registration) error {
	events := r.Events
	if events == nil {
		events = d.Events
	}
	r.Events = events
	if err := s.writeJSON(".codex/hooks.json", object{"hooks": d.groups(r, d.codexHandler(r))}); err != nil {
		return err
	}
	config := codexConfig(s)
	for _, ev := range events {
		key := fmt.Sprintf("%s:%s:0:0", filepath.Join(s.Home, ".codex", "hooks.json"), snake(ev))
		hash, err := codexHash(ev, d.codexHandler(r)(ev))
		if err != nil {
			return err
		}
		config += fmt.Sprintf("[hooks.state.%q]\ntrusted_hash = %q\n", key, hash)
	}
	return s.WriteFile(".codex/config.toml", config)
}

func (d *Driver) codexHandler(r Registration) func(string) object {
	return func(event string) object {
		seconds := r.seconds()
		if event == "SessionEnd" || event == "Interrupt" {
			seconds = min(seconds, 3) // more is cut to 3, with a warning
		}
		return object{"type": "command", "command": d.command(r, event), "timeout": seconds}
	}
}

// codexHash is the hash by which Codex 0.144 to 0.171 knows a trusted definition: SHA-256 over compact JSON
// with sorted keys of the event's name and its one handler, defaults filled in.
func codexHash(event string, handler object) (string, error) {
	h := object{"async": false}
	for k, v := range handler {
		h[k] = v
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(object{"event_name": snake(event), "hooks": []any{h}}); err != nil {
		return "", fmt.Errorf("failed to hash a definition for Codex: %w", err)
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256(bytes.TrimSpace(text.Bytes()))), nil
}

// snake writes PreToolUse as pre_tool_use.
func snake(event string) string {
	var out strings.Builder
	for i, r := range event {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
