package fakemodel

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Verb is what an [Action] does.
type Verb uint8

// The verbs. VerbRaw is a call of a tool by its own name.
const (
	VerbShell Verb = iota + 1
	VerbWrite
	VerbEdit
	VerbPatch
	VerbRaw
)

func (v Verb) String() string {
	if v < VerbShell || v > VerbRaw {
		return "nothing"
	}
	return [...]string{"shell", "write", "edit", "patch", "raw"}[v-1]
}

// Action is a tool call in words that no agent owns. Only the fields of its verb count.
type Action struct {
	Verb    Verb
	Command string // shell
	Path    string // write, edit: relative to the project, or absolute
	Content string // write
	Old     string // edit
	New     string // edit
	Patch   string // patch: "*** Begin Patch" text
	Call    ToolCall
}

// ToolCall is a tool call in an agent's own words.
type ToolCall struct {
	Name string
	Args json.RawMessage // a JSON object; nil for a free-form tool
	Free string          // the input of a free-form ("custom") tool
}

// Shell runs a command line.
func Shell(command string) Action { return Action{Verb: VerbShell, Command: command} }

// Write makes or replaces a whole file.
func Write(path, content string) Action {
	return Action{Verb: VerbWrite, Path: path, Content: content}
}

// Edit replaces one text in a file by another.
func Edit(path, old, new string) Action {
	return Action{Verb: VerbEdit, Path: path, Old: old, New: new}
}

// Patch applies a "*** Begin Patch" text.
func Patch(text string) Action { return Action{Verb: VerbPatch, Patch: text} }

// Raw calls a tool by the agent's own name. args is anything that encodes to a JSON object.
func Raw(tool string, args any) Action {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false) // models write < and > as they are
	if enc.Encode(args) != nil {
		text.Reset() // New refuses a raw call without arguments, and says which
	}
	return Action{Verb: VerbRaw, Call: ToolCall{Name: tool, Args: bytes.TrimSpace(text.Bytes())}}
}

// Turn is one answer of the model: text, tool calls, or both. An answer without calls ends the
// agent's turn.
type Turn struct {
	Text  string
	Calls []Action
}

// Say is a turn of text alone.
func Say(text string) Turn { return Turn{Text: text} }

// Call is a turn of tool calls alone.
func Call(actions ...Action) Turn { return Turn{Calls: actions} }

// Script is what the model answers to the first, second, ... main request. After its end the model
// says [Epilogue].
type Script []Turn

// Epilogue is the answer to main requests past the end of a script.
const Epilogue = "The script is over."

// Has reports whether a turn of the script contains an action of this verb.
func (s Script) Has(v Verb) bool {
	for _, turn := range s {
		for _, a := range turn.Calls {
			if a.Verb == v {
				return true
			}
		}
	}
	return false
}

// answer is a turn in an agent's own words.
type answer struct {
	text  string
	calls []ToolCall
}

func translated(s Script, translate func(Action) (ToolCall, error)) ([]answer, error) {
	out := make([]answer, 0, len(s))
	for i, turn := range s {
		a := answer{text: turn.Text}
		for _, action := range turn.Calls {
			call, err := native(action, translate)
			if err != nil {
				return nil, fmt.Errorf("failed to translate turn %d of the script (%s): %w", i, action.Verb, err)
			}
			a.calls = append(a.calls, call)
		}
		if a.text == "" && len(a.calls) == 0 {
			return nil, fmt.Errorf("failed to translate turn %d of the script: it says nothing and calls nothing", i)
		}
		out = append(out, a)
	}
	return out, nil
}

func native(a Action, translate func(Action) (ToolCall, error)) (ToolCall, error) {
	call := a.Call
	if a.Verb != VerbRaw {
		if translate == nil {
			return ToolCall{}, fmt.Errorf("no agent to translate for; use Raw with the tool's own name")
		}
		var err error
		if call, err = translate(a); err != nil {
			return ToolCall{}, err
		}
	}
	if call.Name == "" {
		return ToolCall{}, fmt.Errorf("the call names no tool")
	}
	if call.Free == "" && !isObject(call.Args) {
		return ToolCall{}, fmt.Errorf("the arguments of %s are not a JSON object", call.Name)
	}
	return call, nil
}

func isObject(text json.RawMessage) bool {
	var m map[string]json.RawMessage
	return json.Unmarshal(text, &m) == nil && m != nil
}

// args is the call's input as a JSON object, for wires that know no free-form tools.
func (c ToolCall) args() json.RawMessage {
	if c.Args != nil {
		return c.Args
	}
	text, _ := json.Marshal(map[string]string{"input": c.Free}) // a map of strings always encodes
	return text
}
