package live

import (
	"encoding/json"
	"strings"

	"github.com/hookspan/hookspan/internal/fakemodel"
)

// claude drives Claude Code in print mode, over Anthropic Messages.
func claude() *Driver {
	d := &Driver{Name: "claude", Title: "Claude Code", Package: "@anthropic-ai/claude-code", Version: "2.1.332", Command: "claude",
		Executables: []string{platform("@anthropic-ai/claude-code-linux-x64/claude"), platform("@anthropic-ai/claude-code-linux-x64-musl/claude")},
		PromptEvent: true, Rewrites: true,
		// WorktreeCreate and WorktreeRemove replace git's worktrees when they are merely registered.
		Events: strings.Fields(`SessionStart UserPromptSubmit UserPromptExpansion PreToolUse PermissionRequest PermissionDenied
			PostToolUse PostToolUseFailure PostToolBatch SubagentStart SubagentStop TaskCreated TaskCompleted TeammateIdle
			PreCompact PostCompact Notification InstructionsLoaded ConfigChange CwdChanged FileChanged MessageDisplay
			Elicitation ElicitationResult Stop StopFailure SessionEnd`)}
	d.Configure = func(s *Sandbox) error {
		return s.writeJSON(".claude.json", object{"hasCompletedOnboarding": true, "theme": "dark",
			"customApiKeyResponses": object{"approved": []string{dummyKey}, "rejected": []string{}},
			"projects":              object{s.Project: object{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}}})
	}
	d.Environ = func(s *Sandbox) []string {
		env := []string{"ANTHROPIC_BASE_URL=" + s.URL, "ANTHROPIC_API_KEY=" + dummyKey, "DISABLE_TELEMETRY=1",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
			"IS_SANDBOX=1"} // allows root to skip permissions
		if s.Model != "" {
			env = append(env, "ANTHROPIC_MODEL="+s.Model)
		}
		return env
	}
	d.Args = func(_ *Sandbox, prompt string) []string {
		return []string{"-p", prompt, "--output-format", "stream-json", "--verbose", "--include-hook-events", "--dangerously-skip-permissions"}
	}
	d.Register = func(s *Sandbox, r Registration) error {
		return s.setJSON(".claude/settings.json", "hooks", d.groups(r, d.handlerInSeconds(r)))
	}
	d.Tool = func(s *Sandbox, a Action) (fakemodel.ToolCall, error) {
		switch a.Verb {
		case fakemodel.VerbShell:
			return toolCall("Bash", object{"command": a.Command, "description": "one step"})
		case fakemodel.VerbWrite:
			return toolCall("Write", object{"file_path": s.inProject(a.Path), "content": a.Content})
		case fakemodel.VerbEdit:
			return toolCall("Edit", object{"file_path": s.inProject(a.Path), "old_string": a.Old, "new_string": a.New})
		}
		return d.noTool(a)
	}
	d.Answer = claudeAnswer
	return d
}

// dummyKey opens nothing.
const dummyKey = "dummy"

// claudeAnswer is the result message of a stream-json run.
func claudeAnswer(stdout string) string {
	var answer string
	for line := range strings.Lines(stdout) {
		var m struct{ Type, Result string }
		if json.Unmarshal([]byte(line), &m) == nil && m.Type == "result" {
			answer = m.Result
		}
	}
	return answer
}
