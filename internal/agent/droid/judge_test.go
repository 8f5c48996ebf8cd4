package droid

import (
	"encoding/json"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
)

// heard is what Droid 0.225.2 makes of an answer.
type heard struct {
	decided string         // PreToolUse: "", "allow", "deny"; UserPromptSubmit, PreCompact: "", "deny"
	reason  string         // what the model is told of a deny, or the user of a refused prompt
	ends    bool           // the run ends, or stops as it was about to
	last    string         // why
	again   string         // the agent goes on with this prompt
	context string         // for the model
	input   map[string]any // merged into the tool's input
	user    string         // for the user
	fault   string         // not what an answer may look like
}

type reply struct {
	Continue *bool  `json:"continue"`
	Stop     string `json:"stopReason"`
	Message  string `json:"systemMessage"`
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Specific struct {
		Decision string         `json:"permissionDecision"`
		Reason   string         `json:"permissionDecisionReason"`
		Context  string         `json:"additionalContext"`
		Input    map[string]any `json:"updatedInput"`
	} `json:"hookSpecificOutput"`
}

// read is Droid's own reading of an answer: what the runs showed, in the order in which its source looks.
func read(native string, r agent.Reply) heard {
	var h heard
	var o reply
	text := strings.TrimSpace(string(r.Stdout))
	if text != "" {
		if json.Unmarshal([]byte(text), &o) != nil {
			return heard{fault: "stdout is not one JSON object"}
		}
		if !hasKnownKey(text) {
			h.fault = "an object without a known key is put into the conversation as it is"
		}
	}
	if r.Exit != 0 && r.Exit != 2 {
		h.fault = "a failed hook, or one that ends the run"
	}
	stops := o.Continue != nil && !*o.Continue
	switch native {
	case "PreToolUse":
		switch {
		case stops:
			h.ends, h.last = true, o.Stop
		case o.Specific.Decision == "deny":
			h.decided, h.reason = "deny", o.Specific.Reason
		case r.Exit == 2:
			h.decided, h.reason = "deny", string(r.Stderr)
		default:
			h.decided, h.input = o.Specific.Decision, o.Specific.Input
		}
	case "PostToolUse":
		if stops {
			h.ends, h.last = true, o.Stop
			break // thrown before anything else is read
		}
		h.context, h.user = o.Specific.Context, o.Message
		if r.Exit == 2 {
			h.context += "[Hook Feedback] " + string(r.Stderr)
		}
	case "UserPromptSubmit":
		if r.Exit == 2 || stops {
			h.decided, h.reason = "deny", string(r.Stderr)
			break
		}
		h.context = o.Specific.Context
	case "Stop":
		h.user = o.Message
		switch {
		case stops:
			h.ends, h.last = true, o.Stop
		case o.Decision == "block" && o.Reason != "":
			h.again = o.Reason
		case r.Exit == 2:
			h.again = string(r.Stderr)
		}
	case "SessionStart":
		if r.Exit == 0 {
			h.context = o.Specific.Context
		}
	case "PreCompact":
		if r.Exit == 2 {
			h.decided, h.reason = "deny", string(r.Stderr)
		}
	}
	return h
}

func hasKnownKey(text string) bool {
	var m map[string]any
	_ = json.Unmarshal([]byte(text), &m)
	for _, k := range []string{"continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason", "hookSpecificOutput"} {
		if _, ok := m[k]; ok {
			return true
		}
	}
	return false
}
