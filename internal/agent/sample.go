package agent

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/wire"
)

// Call is a tool call or prompt in neutral words, from which an agent's Sample makes the payload that
// the agent itself would send.
type Call struct {
	Event  hook.Name
	Tool   string     // Claude's name; "" on events without a tool
	Input  wire.Value // with Claude's keys
	Prompt string
	Dir    string // the project's folder
}

// NativeCall returns the agent's own name and input for a call in Claude's words. ok is false where
// the agent has no such tool.
func (a *Agent) NativeCall(tool string, input wire.Value) (native string, raw []byte, ok bool) {
	for i := range a.Tools {
		t := &a.Tools[i]
		if t.Name != tool || t.Patch != "" {
			continue
		}
		return t.Native, renamed(reversed(t.Keys), input).Raw(), true
	}
	return "", nil, false
}
