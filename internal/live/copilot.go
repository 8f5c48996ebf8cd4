package live

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookspan/hookspan/internal/fakemodel"
)

// copilot drives GitHub Copilot CLI offline with a provider of one's own, over OpenAI Chat Completions.
func copilot() *Driver {
	d := &Driver{Name: "copilot", Title: "Copilot CLI", Package: "@github/copilot", Version: "1.0.102", Command: "copilot",
		Model: "gpt-4.1", PatchModel: "gpt-5.4", // the id chooses the tools
		Executables:    []string{platform("@github/copilot-linux-x64/copilot")},
		EventInCommand: true, PromptEvent: true, Rewrites: true,
		Events: strings.Fields(`sessionStart userPromptSubmitted userPromptTransformed preToolUse permissionRequest preMcpToolCall
			postToolUse postToolUseFailure subagentStart subagentStop preCompact notification errorOccurred agentStop sessionEnd`)}
	d.Configure = configureCopilot
	d.Environ = func(s *Sandbox) []string {
		env := []string{"COPILOT_OFFLINE=true", "COPILOT_MODEL=" + s.Model, "COPILOT_PROVIDER_BASE_URL=" + s.URL + "/v1",
			"COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_API_KEY=" + dummyKey, "COPILOT_AUTO_UPDATE=false"}
		if s.Model == d.PatchModel {
			env = append(env, "COPILOT_PROVIDER_WIRE_API=responses") // where free-form tools are at home
		}
		return env
	}
	d.Args = func(_ *Sandbox, prompt string) []string {
		return []string{"-p", prompt, "--allow-all-tools", "--no-color"}
	}
	d.Register = func(s *Sandbox, r Registration) error {
		hooks := object{}
		for ev, groups := range d.groups(r, func(event string) object {
			return object{"type": "command", "bash": d.command(r, event), "timeoutSec": r.seconds()}
		}) {
			hooks[ev] = groups.([]any)[0].(object)["hooks"] // entries stand in the event's list themselves
		}
		return s.writeJSON(".copilot/hooks/hookspan.json", object{"version": 1, "hooks": hooks})
	}
	d.Tool = func(s *Sandbox, a Action) (fakemodel.ToolCall, error) {
		switch a.Verb {
		case fakemodel.VerbShell:
			return toolCall("bash", object{"command": a.Command, "description": "one step"})
		case fakemodel.VerbPatch:
			return fakemodel.ToolCall{Name: "apply_patch", Free: a.Patch}, nil
		case fakemodel.VerbWrite:
			return toolCall("create", object{"path": s.inProject(a.Path), "file_text": a.Content})
		case fakemodel.VerbEdit:
			return toolCall("edit", object{"path": s.inProject(a.Path), "old_str": a.Old, "new_str": a.New})
		}
		return d.noTool(a)
	}
	d.Answer = strings.TrimSpace
	return d
}

// configureCopilot trusts the project and shares what the program unpacks at its first start (190 MB).
func configureCopilot(s *Sandbox) error {
	if err := s.writeJSON(".copilot/config.json", object{"trustedFolders": []string{s.Project}}); err != nil {
		return err
	}
	if s.Program.Store == "" {
		return nil
	}
	cache := filepath.Join(s.Home, ".cache")
	for _, dir := range []string{s.Program.Store, cache} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("failed to make the agent's store: %w", err)
		}
	}
	if err := os.Symlink(s.Program.Store, filepath.Join(cache, "copilot")); err != nil {
		return fmt.Errorf("failed to share the agent's store: %w", err)
	}
	return nil
}
