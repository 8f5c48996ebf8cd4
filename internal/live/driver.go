package live

import (
	"fmt"
	"strings"

	"github.com/hookspan/hookspan/internal/fakemodel"
)

// The words of a script, so that callers need one import.
type (
	// Script is what the model does.
	Script = fakemodel.Script
	// Turn is one answer of the model.
	Turn = fakemodel.Turn
	// Action is a tool call in neutral words.
	Action = fakemodel.Action
)

// Say is a turn of text: the end of the agent's turn, unless a hook sends it back.
func Say(text string) Turn { return fakemodel.Say(text) }

// Call is a turn of tool calls.
func Call(actions ...Action) Turn { return fakemodel.Call(actions...) }

// Shell runs a command line.
func Shell(command string) Action { return fakemodel.Shell(command) }

// Write makes a file; path is relative to the project.
func Write(path, content string) Action { return fakemodel.Write(path, content) }

// Edit replaces a text in a file. Some agents edit only what they have read or written before.
func Edit(path, old, new string) Action { return fakemodel.Edit(path, old, new) }

// Patch applies a "*** Begin Patch" text, in agents that have such a tool (Driver.PatchModel).
func Patch(text string) Action { return fakemodel.Patch(text) }

// Raw calls a tool by the agent's own name.
func Raw(tool string, args any) Action { return fakemodel.Raw(tool, args) }

// Driver is one coding agent, as data and small functions. All paths that its functions make are inside
// the sandbox that they get.
type Driver struct {
	Name  string // as in `hookspan run NAME`
	Title string

	Package string // on npm
	Version string // pinned: the one that the facts were taken from
	// Executables are candidates below node_modules, for this platform first. A ".js" file is started by node.
	Executables []string
	Command     string // what users type, and what is looked for on PATH
	Node        string // smallest version of Node.js, "" if the agent brings its own runtime

	Model      string // the model id that the agent is told to use
	PatchModel string // the model id for which it offers a patch tool instead of its edit tools, "" if none

	// Events are the native events that a hook can be registered for without changing the agent.
	Events []string
	// EventInCommand: payloads do not name their event, so its native name is added to the command.
	EventInCommand bool
	// Plugin: hooks are code in the agent's process (Registration.Plugin), not commands.
	Plugin bool
	// PromptEvent: a headless run fires an event on the user's prompt.
	PromptEvent bool
	// Rewrites: a hook can change a tool's input.
	Rewrites bool

	// Configure writes what leads the agent to the model at s.URL, without dialogs.
	Configure func(s *Sandbox) error
	// Environ are the agent's own variables, as NAME=value.
	Environ func(s *Sandbox) []string
	// Args is the command line of a headless run, after the executable.
	Args func(s *Sandbox, prompt string) []string
	// Register writes a registration at user scope, by hand, keeping what Configure wrote.
	Register func(s *Sandbox, r Registration) error
	// Tool puts an action into the agent's own words.
	Tool func(s *Sandbox, a Action) (fakemodel.ToolCall, error)
	// Answer is the final text in what a run printed.
	Answer func(stdout string) string
}

// Registration is what is registered with an agent as its hook.
type Registration struct {
	// Command is a shell command line. Where payloads do not name their event, its name is added.
	Command string
	// Named: the event's name is added to the command in any case.
	Named bool
	// Events are native names; nil means Driver.Events.
	Events []string
	// Plugin is the file for agents whose hooks are code.
	Plugin []byte
	// Timeout in seconds for each call; 0 means 30.
	Timeout int
}

func (r Registration) seconds() int {
	if r.Timeout == 0 {
		return 30
	}
	return r.Timeout
}

// Drivers are all agents that can be driven, in the order in which people know them.
func Drivers() []*Driver {
	return []*Driver{claude(), codex(), gemini(), opencode(), copilot(), droid(), qwen(), pi()}
}

// Lookup finds a driver by name.
func Lookup(name string) (*Driver, error) {
	var names []string
	for _, d := range Drivers() {
		if d.Name == name {
			return d, nil
		}
		names = append(names, d.Name)
	}
	return nil, fmt.Errorf("failed to drive %q: no such agent; there are %s", name, strings.Join(names, ", "))
}

// check refuses a registration that the agent cannot take.
func (d *Driver) check(r Registration) error {
	switch {
	case d.Plugin && r.Plugin == nil:
		return fmt.Errorf("failed to register with %s: its hooks are code; give the plugin file's content", d.Title)
	case !d.Plugin && r.Command == "":
		return fmt.Errorf("failed to register with %s: no command line given", d.Title)
	}
	return nil
}

// command is what is registered for one event.
func (d *Driver) command(r Registration, event string) string {
	if d.EventInCommand || r.Named {
		return r.Command + " " + event
	}
	return r.Command
}

// Quote makes one word for a POSIX shell.
func Quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// object is a JSON object in a configuration file.
type object = map[string]any

// groups is the "hooks" object that Claude made common: event, groups, handlers.
func (d *Driver) groups(r Registration, handler func(event string) object) object {
	events := r.Events
	if events == nil {
		events = d.Events
	}
	out := object{}
	for _, ev := range events {
		out[ev] = []any{object{"hooks": []any{handler(ev)}}}
	}
	return out
}

// seconds is a command handler whose timeout is in seconds.
func (d *Driver) handlerInSeconds(r Registration) func(string) object {
	return func(event string) object {
		return object{"type": "command", "command": d.command(r, event), "timeout": r.seconds()}
	}
}

// toolCall encodes a native call.
func toolCall(name string, args object) (fakemodel.ToolCall, error) {
	return fakemodel.Raw(name, args).Call, nil
}

// noTool says that the agent has no tool for an action.
func (d *Driver) noTool(a Action) (fakemodel.ToolCall, error) {
	return fakemodel.ToolCall{}, fmt.Errorf("%s has no tool for %q", d.Title, a.Verb.String())
}
