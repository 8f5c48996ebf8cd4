package claude

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hookspan/hookspan/internal/agent"
	"github.com/hookspan/hookspan/internal/wire"
)

// effect is what Claude does with a hook's answer, as measured (FACTS.md). The zero value is
// nothing.
type effect struct {
	Verdict string // allow, ask, defer, deny of something that is about to happen
	Reason  string // of it, or of Sent and Told
	Input   string
	Context string
	Told    bool // after a call: the reason goes to the model, the result stays
	Sent    bool // at the end: the model goes on, with the reason
	Output  string
	Ends    bool // the turn
	EndText string
	Notice  string
	Text    string // raw stdout where it counts
	Own     string // keys that only this event knows, in order
	Breaks  bool   // the turn, as Esc does
}

// The events whose answers a generic part of Claude reads, by what a block means on them. On the
// others a block and an exit code 2 mean nothing.
var (
	refuses = words("PreToolUse UserPromptSubmit UserPromptExpansion PostToolBatch TaskCreated TaskCompleted TeammateIdle PreModelSwitch PreSkillShellCommand ConfigChange Elicitation ElicitationResult PreCompact")
	exits   = words("WorktreeCreate WorktreeRemove")                             // only the exit code
	shows   = words("SessionStart Setup CwdChanged FileChanged PostModelSwitch") // a no is shown to the user
	tells   = words("PostToolUse PostToolUseFailure")
	sends   = words("Stop SubagentStop")
	// continue:false counts only here.
	raws    = words("PreCompact PostCompact WorktreeCreate")
	ends    = words("PreToolUse UserPromptSubmit UserPromptExpansion PostToolUse PostToolBatch Stop SubagentStop TaskCompleted TeammateIdle PreSkillShellCommand")
	notices = words("SessionStart Setup UserPromptSubmit UserPromptExpansion PreSkillShellCommand PreToolUse PostToolUse PostToolUseFailure PostToolBatch Stop SubagentStop PreModelSwitch PostModelSwitch CwdChanged FileChanged DirectoryAdded")
	// hookSpecificOutput has a form only on these, with these members.
	forms = map[string]string{
		"PreToolUse":           "permissionDecision permissionDecisionReason updatedInput additionalContext permissionDisplay",
		"UserPromptSubmit":     "additionalContext sessionTitle suppressOriginalPrompt",
		"UserPromptExpansion":  "additionalContext suppressOriginalPrompt",
		"SessionStart":         "additionalContext initialUserMessage sessionTitle watchPaths reloadSkills",
		"Setup":                "additionalContext",
		"PreModelSwitch":       "permissionDecision permissionDecisionReason",
		"PreSkillShellCommand": "permissionDecision permissionDecisionReason updatedInput",
		"PostModelSwitch":      "additionalContext",
		"SubagentStart":        "additionalContext",
		"PostToolUse":          "additionalContext classifierContext updatedToolOutput updatedMCPToolOutput",
		"PostToolUseFailure":   "additionalContext",
		"PostToolBatch":        "additionalContext",
		"Stop":                 "additionalContext",
		"SubagentStop":         "additionalContext",
		"PermissionDenied":     "retry",
		"Notification":         "additionalContext",
		"PermissionRequest":    "decision",
		"Elicitation":          "action content",
		"ElicitationResult":    "action content",
		"CwdChanged":           "watchPaths",
		"FileChanged":          "watchPaths",
		"MessageDisplay":       "displayContent",
		"WorktreeCreate":       "worktreePath",
	}
)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// reads is Claude's reading of an answer. The error says why the answer would be refused as a whole;
// with exit code 2 it is then a bare no.
func reads(event string, r agent.Reply) (effect, error) {
	out, stderr := strings.TrimPrefix(strings.TrimSpace(string(r.Stdout)), "\ufeff"), strings.TrimSpace(string(r.Stderr))
	v, fault := answerOf(event, out)
	if async, _ := v.Get("async").Bool(); async {
		return effect{}, nil
	}
	if fault != nil && r.Exit != 2 {
		return effect{}, fault
	}
	var e effect
	switch {
	case raws[event]:
		e = readsRaw(event, out, v)
		if r.Exit != 0 && e.Verdict == "" {
			e = effect{}
		}
		if r.Exit != 0 && event == "PostCompact" {
			e.Text = stderr
		}
	case v.Kind() == wire.Object && fault == nil:
		e = readsJSON(event, v)
	case r.Exit == 0 && out != "" && strings.Contains(" SessionStart UserPromptSubmit UserPromptExpansion PostModelSwitch ", " "+event+" "):
		e.Context = out
	}
	if r.Exit == 2 {
		no(event, stderr, v.Get("decision").Str() == "block", &e)
	}
	return e, nil
}

// readsRaw reads stdout where it is taken as it is. Only PreCompact knows a block in it.
func readsRaw(event, out string, v wire.Value) effect {
	if event == "PreCompact" && v.Get("decision").Str() == "block" {
		e := effect{}
		readsBlock(event, v, &e)
		return e
	}
	return effect{Text: out}
}

// no is exit code 2. A no in JSON keeps its own reason.
func no(event, stderr string, block bool, e *effect) {
	why := stderr
	if why == "" {
		why = "No stderr output"
	}
	switch {
	case refuses[event] || exits[event]:
		if e.Verdict != "deny" {
			e.Verdict, e.Reason = "deny", why
		}
		e.Input = ""
	case tells[event]:
		if !e.Told {
			e.Told, e.Reason = true, why
		}
	case sends[event]:
		if !e.Sent {
			e.Sent, e.Reason = true, why
		}
	case shows[event] && !block:
		e.Notice = strings.TrimSpace(e.Notice + "\n" + stderr)
	}
}

// answerOf parses stdout as the one JSON object that Claude takes. Absent without a fault is text.
func answerOf(event, out string) (wire.Value, error) {
	if !strings.HasPrefix(out, "{") {
		return wire.Value{}, nil
	}
	first, _, _ := strings.Cut(out, "\n")
	if v, err := wire.Parse([]byte(first)); err == nil {
		if async, _ := v.Get("async").Bool(); async {
			return v, nil
		}
	}
	v, err := wire.Parse([]byte(out))
	if err != nil {
		return wire.Value{}, nil // syntax errors are text
	}
	return v, schema(event, v)
}

// schema is what both versions check. Unknown keys are ignored.
func schema(event string, v wire.Value) error {
	for key, m := range v.Members() {
		ok := true
		switch key {
		case "continue", "suppressOutput":
			ok = m.Kind() == wire.Bool
		case "stopReason", "reason", "systemMessage", "terminalSequence":
			ok = m.Kind() == wire.String
		case "decision":
			ok = m.Str() == "approve" || m.Str() == "block"
		case "hookSpecificOutput":
			if err := specificSchema(event, m); err != nil {
				return err
			}
		}
		if !ok {
			return fmt.Errorf("%s is %s", key, m.Raw())
		}
	}
	return nil
}

func specificSchema(event string, v wire.Value) error {
	form, has := forms[event]
	if !has {
		return fmt.Errorf("%s has no hookSpecificOutput", event)
	}
	if name := v.Get("hookEventName").Str(); name != event {
		return fmt.Errorf("hookEventName is %q", name)
	}
	for key, m := range v.Members() {
		if !words(form)[key] {
			continue
		}
		ok := true
		switch key {
		case "permissionDecision":
			ok = words("allow deny ask defer")[m.Str()] && (event != "PreModelSwitch" || m.Str() != "defer")
		case "updatedInput", "content":
			ok = m.Kind() == wire.Object
		case "suppressOriginalPrompt", "reloadSkills", "retry":
			ok = m.Kind() == wire.Bool
		case "watchPaths":
			ok = m.Kind() == wire.Array
		case "action":
			ok = words("accept decline cancel")[m.Str()]
		case "updatedToolOutput", "updatedMCPToolOutput", "permissionDisplay":
		case "decision":
			ok = dialogSchema(m)
		default:
			ok = m.Kind() == wire.String
		}
		if !ok {
			return fmt.Errorf("%s is %s", key, m.Raw())
		}
	}
	if event == "PermissionRequest" && !v.Has("decision") {
		return errors.New("PermissionRequest without a decision")
	}
	return nil
}

func dialogSchema(v wire.Value) bool {
	in, perms, text, inter := v.Get("updatedInput"), v.Get("updatedPermissions"), v.Get("message"), v.Get("interrupt")
	switch v.Get("behavior").Str() {
	case "allow":
		return (in.Kind() == wire.Absent || in.Kind() == wire.Object) && (perms.Kind() == wire.Absent || perms.Kind() == wire.Array)
	case "deny":
		return (text.Kind() == wire.Absent || text.Kind() == wire.String) && (inter.Kind() == wire.Absent || inter.Kind() == wire.Bool)
	}
	return false
}

func readsJSON(event string, v wire.Value) effect {
	h := v.Get("hookSpecificOutput")
	e := effect{Output: string(h.Get("updatedToolOutput").Raw())}
	if mcp := h.Get("updatedMCPToolOutput"); e.Output == "" && event == "PostToolUse" {
		e.Output = string(mcp.Raw()) // the tests ask only with MCP tools
	}
	if words(forms[event])["additionalContext"] && event != "Notification" {
		e.Context = h.Get("additionalContext").Str()
	}
	if notices[event] {
		e.Notice = v.Get("systemMessage").Str()
	}
	if on, ok := v.Get("continue").Bool(); ok && !on && ends[event] {
		e.Ends, e.EndText = true, v.Get("stopReason").Str()
	}
	readsBlock(event, v, &e)
	readsPermission(event, h, &e)
	for key, m := range h.Members() {
		switch key {
		case "sessionTitle", "suppressOriginalPrompt", "initialUserMessage", "watchPaths", "reloadSkills", "retry",
			"displayContent", "action", "content":
			e.Own += key + "=" + string(m.Raw()) + " "
		}
	}
	return e
}

func readsBlock(event string, v wire.Value, e *effect) {
	reason := v.Get("reason").Str()
	switch v.Get("decision").Str() {
	case "approve":
		if event == "PreToolUse" || event == "PreModelSwitch" {
			e.Verdict, e.Reason = "allow", reason
		}
	case "block":
		if reason == "" {
			reason = "Blocked by hook"
		}
		switch {
		case refuses[event]:
			e.Verdict, e.Reason = "deny", reason
		case tells[event]:
			e.Told, e.Reason = true, reason
		case sends[event]:
			e.Sent, e.Reason = true, reason
		case shows[event]:
			e.Notice = strings.TrimSpace(reason + "\n" + e.Notice)
		}
	}
}

func readsPermission(event string, h wire.Value, e *effect) {
	switch event {
	case "PreToolUse", "PreModelSwitch", "PreSkillShellCommand":
		if d := h.Get("permissionDecision").Str(); d != "" && e.Verdict != "deny" {
			e.Verdict, e.Reason = d, h.Get("permissionDecisionReason").Str()
			if d == "deny" && e.Reason == "" {
				e.Reason = "Blocked by hook"
			}
		}
		in := string(h.Get("updatedInput").Raw())
		switch {
		case event == "PreSkillShellCommand" && (in != "" || e.Verdict == "ask" || e.Verdict == "defer"):
			e.Verdict = "deny"
		case event == "PreSkillShellCommand" && e.Verdict == "allow":
			e.Verdict, e.Reason = "", ""
		case event == "PreToolUse" && e.Verdict != "deny" && e.Verdict != "defer":
			e.Input = in
		}
	case "PermissionRequest":
		d := h.Get("decision")
		e.Verdict, e.Reason = d.Get("behavior").Str(), d.Get("message").Str()
		e.Input = string(d.Get("updatedInput").Raw())
		e.Breaks, _ = d.Get("interrupt").Bool()
		if p := d.Get("updatedPermissions"); p.Kind() == wire.Array {
			e.Own += "updatedPermissions=" + string(p.Raw()) + " "
		}
	}
}
