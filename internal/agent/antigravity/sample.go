package antigravity

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

const (
	sampleSession = "7c1f0e52-0000-4000-8000-000000000001"
	sampleFolder  = "/home/dev/.gemini/antigravity-cli/brain/" + sampleSession
)

// sample makes the payload that Antigravity would send for a call, with the members that reports
// tell. The event stands on the command line.
func sample(a *agent.Agent, c agent.Call) (string, []byte, bool) {
	var o wire.ObjectWriter
	native := string(c.Event)
	switch c.Event {
	case hook.SessionStart:
	case hook.Stop:
		o.Int("executionNum", 0)
		o.Str("terminationReason", "NO_TOOL_CALL")
		o.Str("error", "")
		o.Bool("fullyIdle", true)
	case hook.PreToolUse, hook.PostToolUse, hook.PostToolUseFailure:
		call, ok := sampleCall(a, c)
		if !ok {
			return "", nil, false
		}
		o.Raw("toolCall", call)
		o.Int("stepIdx", 4)
		switch c.Event {
		case hook.PostToolUse:
			o.Str("error", "")
		case hook.PostToolUseFailure:
			native = "PostToolUse"
			o.Str("error", "it failed")
		}
	default:
		return "", nil, false
	}
	o.Str("conversationId", sampleSession)
	o.Strs("workspacePaths", []string{c.Dir})
	o.Str("transcriptPath", sampleFolder+"/transcript.jsonl")
	o.Str("artifactDirectoryPath", sampleFolder)
	o.Str("modelName", "gemini-3.7-flash-high")
	return native, o.Bytes(), true
}

// sampleCall is the call in Antigravity's words. It reports false where it has no such tool.
func sampleCall(a *agent.Agent, c agent.Call) ([]byte, bool) {
	native, args, ok := a.NativeCall(c.Tool, c.Input)
	if !ok && a.Tool(c.Tool) != nil {
		native, args, ok = c.Tool, c.Input.Raw(), true
	}
	if !ok {
		return nil, false
	}
	if native == runCommand { // its other keys are not Claude's
		var o wire.ObjectWriter
		o.Str("CommandLine", c.Input.Get("command").Str())
		o.Str(runFolder, c.Dir)
		args = o.Bytes()
	}
	if len(args) == 0 {
		args = []byte("{}")
	}
	var o wire.ObjectWriter
	o.Str("name", native)
	o.Raw("args", args)
	return o.Bytes(), true
}
