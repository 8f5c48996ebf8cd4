//go:build live

package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// standInVerb makes the test binary a hook: `live.test stand-in AGENT [EVENT]`.
const standInVerb = "stand-in"

func init() {
	programs[standInVerb] = func(args []string) int { return standIn(args, os.Stdin, os.Stdout, os.Stderr) }
}

// standIn answers one event in the agent's own words, as the proofs want it.
func standIn(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	text, err := io.ReadAll(stdin)
	var payload struct {
		Event     string          `json:"hook_event_name"`
		Cwd       string          `json:"cwd"`
		Input     json.RawMessage `json:"tool_input"`
		InputToo  json.RawMessage `json:"toolArgs"`
		Tool      string          `json:"tool_name"`
		ToolToo   string          `json:"toolName"`
		Submitted string          `json:"prompt"`
	}
	if err == nil {
		err = json.Unmarshal(text, &payload)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	event := payload.Event
	if len(args) > 1 {
		event = args[1]
	}
	input := string(payload.Input) + string(payload.InputToo)
	words := standInWords[args[0]]
	say := func(answer string, fill ...any) int {
		fmt.Fprintf(stdout, answer, fill...)
		return 0
	}
	switch tool := payload.Tool + payload.ToolToo; {
	case event == words.prompt && payload.Submitted != "":
		return say(words.context, event, promptContext)
	case event == words.before && strings.Contains(input, "denied.txt"):
		return say(words.deny, denyReason)
	case event == words.before && strings.Contains(input, "original.txt"):
		return say(words.rewrite, rewritten)
	case event == words.after && strings.Contains(input, "allowed.txt"):
		return say(words.context, event, toolContext)
	case event == words.after && slices.Contains(strings.Fields(words.edits), tool):
		return note(payload.Cwd, stderr)
	case event == words.stop && firstTime(payload.Cwd):
		return say(words.again, gateOutput)
	}
	return 0
}

func note(cwd string, stderr io.Writer) int {
	f, err := os.OpenFile(filepath.Join(cwd, "edited.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(f, filepath.Join(cwd, "note.txt"))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

func firstTime(cwd string) bool {
	f, err := os.OpenFile(filepath.Join(cwd, "gate.open"), os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_ = f.Close()
	}
	return err == nil
}

// words are one agent's events and answers, as its fact sheet has them.
type words struct{ prompt, before, after, stop, edits, deny, rewrite, context, again string }

const (
	claudeDeny    = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":%q}}`
	claudeContext = `{"hookSpecificOutput":{"hookEventName":%q,"additionalContext":%q}}`
	claudeRewrite = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":%q}}}`
	claudeAgain   = `{"decision":"block","reason":%q}`
	plainDeny     = `{"decision":"deny","reason":%q}`
)

var standInWords = map[string]words{
	"claude": {"UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "Write Edit", claudeDeny, claudeRewrite, claudeContext, claudeAgain},
	"codex": {"UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "apply_patch", claudeDeny,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":%q}}}`, claudeContext, claudeAgain},
	"gemini": {"BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "write_file replace", plainDeny,
		`{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":%q}}}`, claudeContext, plainDeny},
	"copilot": {"userPromptSubmitted", "preToolUse", "postToolUse", "agentStop", "create edit",
		`{"permissionDecision":"deny","permissionDecisionReason":%q}`, `{"modifiedArgs":{"command":%q,"description":"changed"}}`,
		`{"event":%q,"additionalContext":%q}`, claudeAgain},
	"droid": {"UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "Create Edit", claudeDeny, claudeRewrite, claudeContext, claudeAgain},
	"qwen": {"UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "write_file edit", plainDeny,
		`{"decision":"deny","reason":"Run this instead: %s"}`, claudeContext, claudeAgain},
}

// standInPlugins are the same hooks as code, for agents that have no command hooks.
var standInPlugins = map[string]string{
	"opencode": `import { appendFileSync, writeFileSync, existsSync } from "node:fs"
import { join } from "node:path"
export const StandIn = async (ctx) => ({
  "chat.message": async (input, output) => {
    const m = output.message
    output.parts.push({ id: "prt_standin1", sessionID: m.sessionID, messageID: m.id, type: "text", text: "` + promptContext + `", synthetic: true })
  },
  "tool.execute.before": async (input, output) => {
    const text = JSON.stringify(output.args)
    if (text.includes("denied.txt")) throw new Error("` + denyReason + `")
    if (text.includes("original.txt")) output.args.command = "` + rewritten + `"
  },
  "tool.execute.after": async (input, output) => {
    const text = JSON.stringify(input.args)
    if (text.includes("allowed.txt")) output.output += "\n` + toolContext + `"
    if (["edit", "write"].includes(input.tool)) appendFileSync(join(ctx.directory, "edited.log"), input.args.filePath + "\n")
  },
  "experimental.text.complete": async (input) => {
    const gate = join(ctx.directory, "gate.open")
    if (existsSync(gate)) return
    writeFileSync(gate, "")
    await ctx.client.session.prompt({ path: { id: input.sessionID }, body: { noReply: true, parts: [{ type: "text", text: "` + gateOutput + `" }] } })
  },
})
`,
	"pi": `import { appendFileSync, writeFileSync, existsSync } from "node:fs"
import { join } from "node:path"
export default function (pi) {
  pi.on("before_agent_start", async () => ({ message: { customType: "standin", content: "` + promptContext + `", display: false } }))
  pi.on("tool_call", async (event) => {
    const text = JSON.stringify(event.input)
    if (text.includes("denied.txt")) return { block: true, reason: "` + denyReason + `" }
    if (text.includes("original.txt")) event.input.command = "` + rewritten + `"
  })
  pi.on("tool_result", async (event, ctx) => {
    const text = JSON.stringify(event.input)
    if (["edit", "write"].includes(event.toolName)) appendFileSync(join(ctx.cwd, "edited.log"), event.input.path + "\n")
    if (text.includes("allowed.txt")) return { content: [...event.content, { type: "text", text: "` + toolContext + `" }] }
  })
  pi.on("agent_before_settle", async (event, ctx) => {
    const gate = join(ctx.cwd, "gate.open")
    if (existsSync(gate)) return
    writeFileSync(gate, "")
    return { entries: [...event.entries, { type: "custom_message", customType: "standin", content: "` + gateOutput + `", display: false }], continue: true }
  })
}
`,
}
