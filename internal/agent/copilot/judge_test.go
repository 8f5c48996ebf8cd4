package copilot

import (
	"encoding/json"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
)

// heard is what Copilot 1.0.102 makes of an answer.
type heard struct {
	decided string         // preToolUse: allow, deny, ask; permissionRequest: allow, deny
	reason  string         // what the model or the user is told of it
	ends    bool           // the turn ends
	blocked bool           // the prompt is not sent
	again   string         // the agent goes on with this prompt
	context string         // for the model
	result  string         // in place of the tool's result
	args    map[string]any // in place of the tool's input
	user    string         // for the user
	fault   string         // Copilot would not take it as it stands
}

// read is Copilot's own reading of an answer, as the runs showed it. pascal is the spelling of the
// event; it would matter for hookSpecificOutput alone.
func read(native string, pascal bool, r agent.Reply) heard {
	var h heard
	obj := map[string]any{}
	text := strings.TrimSpace(string(r.Stdout))
	if text != "" && json.Unmarshal([]byte(text), &obj) != nil {
		if native == "permissionRequest" {
			return heard{decided: "deny", reason: "Permission request hook failed", fault: "text"}
		}
		return heard{fault: "stdout is not one JSON object"}
	}
	if _, has := obj["hookSpecificOutput"]; has && !pascal {
		h.fault = "hookSpecificOutput counts only under Pascal events"
	}
	str := func(k string) string { s, _ := obj[k].(string); return s }
	switch native {
	case "preToolUse":
		h.decided, h.reason = str("permissionDecision"), str("permissionDecisionReason")
		h.args, _ = obj["modifiedArgs"].(map[string]any)
		h.context = str("additionalContext")
		if r.Exit != 0 && h.decided != "deny" {
			h.decided, h.reason, h.fault = "deny", "hook exited with code 2", "nobody is told why"
		}
		return h
	case "permissionRequest":
		h.decided, h.reason = str("behavior"), str("message")
		h.ends = h.decided == "deny" && obj["interrupt"] == true
		if r.Exit != 0 {
			h.decided, h.fault = "deny", "exit code decides"
		}
		return h
	}
	if r.Exit == 2 {
		h.user = strings.TrimSuffix(string(r.Stderr), "\n")
	} else if r.Exit != 0 {
		h.fault = "a failed hook"
	}
	block := str("decision") == "block" && str("reason") != ""
	switch native {
	case "postToolUse":
		h.context = str("additionalContext")
		res, _ := obj["modifiedResult"].(map[string]any)
		h.result, _ = res["textResultForLlm"].(string)
		if block {
			h.result = "Tool result blocked: " + str("reason")
		}
	case "postToolUseFailure":
		h.context = str("additionalContext")
		if h.user != "" {
			h.fault = "the model is told what was for the user"
		}
	case "userPromptSubmitted":
		h.blocked, h.context = block, str("additionalContext")
		if block {
			h.reason = str("reason")
		}
	case "agentStop", "subagentStop":
		if block {
			h.again = str("reason")
		}
	case "sessionStart", "subagentStart", "notification":
		h.context = str("additionalContext")
	}
	return h
}
