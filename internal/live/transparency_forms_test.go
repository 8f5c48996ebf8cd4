//go:build live

package live

import "fmt"

// The forms of answer that section "answers" of Claude Code's facts lists, measured with 2.1.332. Every word
// that a handler says holds "SAID".

const mangled = "\ufeff" // a byte order mark

func before() []scene {
	const ev = "PreToolUse"
	permit := func(word string) string {
		return hso(ev, fmt.Sprintf(`"permissionDecision":%q,"permissionDecisionReason":"SAID-json"`, word))
	}
	context := `"additionalContext":"SAID-context"`
	deny := permit("deny")
	ran := []form{
		{name: "nothing"},
		{name: "text", stdout: "SAID"},
		{name: "cut JSON", stdout: `{"SAID`},
		{name: "an array", stdout: `["SAID"]`},
		{name: "an unknown key", stdout: `{"foo":"SAID"}`},
		{name: "exit 1", stdout: "SAID", stderr: "SAID", exit: 1},
		{name: "exit 3", stderr: "SAID", exit: 3},
		{name: "exit 127", stderr: "SAID", exit: 127},
		{name: "allow", stdout: permit("allow")},
		{name: "approve, the old word", stdout: `{"decision":"approve","reason":"SAID"}`},
		{name: "context", stdout: hso(ev, context), tells: "SAID-context"},
		{name: "context, exit 1", stdout: hso(ev, context), exit: 1, tells: "SAID-context"},
		{name: "context in two lines", stdout: hso(ev, `"additionalContext":"SAID-one\nSAID-two"`), tells: "SAID-two"},
		{name: "context at the top", stdout: `{"additionalContext":"SAID"}`},
		{name: "allow and context", stdout: hso(ev, `"permissionDecision":"allow",`+context), tells: "SAID-context"},
		{name: "a message to the user", stdout: `{"systemMessage":"SAID"}`},
		{name: "suppressOutput", stdout: `{"suppressOutput":true}`},
		{name: "continue true", stdout: `{"continue":true}`},
		{name: "decision deny, no such word", stdout: `{"decision":"deny","reason":"SAID"}`},
		{name: "permissionDecision maybe, no such word", stdout: permit("maybe")},
		{name: "continue as text", stdout: `{"continue":"false","stopReason":"SAID"}`},
		{name: "another event's answer", stdout: hso("Stop", `"additionalContext":"SAID"`)},
		{name: "an answer of no event", stdout: `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"SAID"}}`},
		{name: "async", stdout: `{"async":true}`},
		{name: "exit 2 and async", stdout: `{"async":true}`, stderr: "SAID", exit: 2},
		{name: "a log line before the JSON", stdout: "log\n" + deny},
		{name: "a log line after the JSON", stdout: deny + "\nlog"},
		{name: "two documents", stdout: deny + "\n" + deny},
	}
	stopped := []form{
		{name: "exit 2", stdout: "OUT", stderr: "SAID-err", exit: 2, tells: "SAID-err", framed: true},
		{name: "exit 2 with several lines", stderr: "SAID-one\n\nSAID-two\n", exit: 2, tells: "SAID-two", framed: true},
		{name: "exit 2 without a word", exit: 2, tells: "No stderr output", framed: true},
		{name: "exit 2 and cut JSON", stdout: "{oops", stderr: "SAID-err", exit: 2, tells: "SAID-err", framed: true},
		{name: "exit 2 and a wrong value", stdout: `{"continue":"no"}`, stderr: "SAID-err", exit: 2, tells: "SAID-err", framed: true},
		{name: "exit 2 and no words", stdout: `{}`, stderr: "SAID-err", exit: 2, tells: "SAID-err", framed: true},
		{name: "exit 2 and context", stdout: hso(ev, context), stderr: "SAID-err", exit: 2, tells: "SAID-context", framed: true},
		{name: "exit 2 and allow", stdout: permit("allow"), stderr: "SAID-err", exit: 2, tells: "SAID-err", framed: true},
		{name: "exit 2 and deny", stdout: deny, stderr: "ERR", exit: 2, tells: "SAID-json"},
		{name: "exit 2 and a rewrite", stdout: hso(ev, `"updatedInput":{"command":"echo it-ran-anew"}`), stderr: "SAID-err", exit: 2, tells: "SAID-err", framed: true},
		{name: "deny", stdout: deny, tells: "SAID-json"},
		{name: "deny, exit 1", stdout: deny, stderr: "ERR", exit: 1, tells: "SAID-json"},
		{name: "deny without a reason", stdout: hso(ev, `"permissionDecision":"deny"`), tells: "Blocked by hook"},
		{name: "deny and context", stdout: hso(ev, `"permissionDecision":"deny","permissionDecisionReason":"SAID-json",`+context), tells: "SAID-context"},
		{name: "deny and unknown keys", stdout: hso(ev, `"permissionDecision":"deny","permissionDecisionReason":"SAID-json","zzz":1`), tells: "SAID-json"},
		{name: "deny over several lines", stdout: "\n  {\n \"hookSpecificOutput\": {\n\"hookEventName\": \"PreToolUse\",\n \"permissionDecision\": \"deny\", \"permissionDecisionReason\": \"SAID-json\"}}\n\n", tells: "SAID-json"},
		{name: "deny behind a byte order mark", stdout: mangled + deny, tells: "SAID-json"},
		{name: "deny with odd characters", stdout: hso(ev, `"permissionDecision":"deny","permissionDecisionReason":"SAID <b> & \"q\" \\ äöü 🙂"`), tells: `SAID <b> & "q" \ äöü 🙂`},
		{name: "block, the old word", stdout: `{"decision":"block","reason":"SAID-block"}`, tells: "SAID-block"},
		{name: "block without a reason", stdout: `{"decision":"block"}`, tells: "Blocked by hook"},
		{name: "block beside allow", stdout: `{"decision":"block","reason":"SAID-block","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`, tells: "SAID-block"},
		{name: "approve beside deny", stdout: `{"decision":"approve","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"SAID-json"}}`, tells: "SAID-json"},
		{name: "ask, with nobody there", stdout: permit("ask"), tells: "SAID-json"},
		{name: "ask without a reason", stdout: hso(ev, `"permissionDecision":"ask"`), tells: "asked for confirmation"},
		{name: "a rewrite that is no input", stdout: hso(ev, `"updatedInput":{"command":7}`), tells: "failed schema validation"},
	}
	for i := range stopped {
		stopped[i].stops = true
	}
	rewritten := []form{
		{name: "a rewrite", stdout: hso(ev, `"updatedInput":{"command":"echo SAID-new"}`), tells: "SAID-new"},
		{name: "a rewrite and allow", stdout: hso(ev, `"permissionDecision":"allow","updatedInput":{"command":"echo SAID-new","description":"anew"}`), tells: "SAID-new"},
		{name: "a rewrite with unknown keys", stdout: hso(ev, `"updatedInput":{"command":"echo SAID-new","zzz":[1]}`), tells: "SAID-new"},
		{name: "a rewrite and ask", stdout: hso(ev, `"permissionDecision":"ask","permissionDecisionReason":"SAID-json","updatedInput":{"command":"echo new"}`), tells: "SAID-json"},
		{name: "a rewrite of a part", stdout: hso(ev, `"updatedInput":{"description":"only this"}`), tells: "schema validation"},
	}
	for i := range rewritten {
		rewritten[i].stops = true // the original does not run
	}
	ends := []form{
		{name: "continue false", stdout: `{"continue":false,"stopReason":"SAID-stop"}`},
		{name: "continue false and deny", stdout: `{"continue":false,"stopReason":"SAID-stop","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"SAID-json"}}`, stops: true},
		{name: "defer", stdout: permit("defer"), stops: true},
	}
	return []scene{
		{name: "it runs", event: ev, forms: ran, turn: echoes, calls: true},
		{name: "it does not run", event: ev, forms: stopped, turn: echoes, calls: true},
		{name: "another input", event: ev, forms: rewritten, turn: echoes, calls: true},
		{event: ev, forms: ends, turn: echoes, calls: true, solo: true},
	}
}

func after() []scene {
	words := func(ev string) []form {
		context := hso(ev, `"additionalContext":"SAID-context"`)
		return []form{
			{name: "nothing"},
			{name: "text", stdout: "SAID"},
			{name: "exit 1", stderr: "SAID", exit: 1},
			{name: "exit 127", stderr: "SAID", exit: 127},
			{name: "exit 2", stderr: "SAID-err", exit: 2, tells: "SAID-err", framed: true},
			{name: "exit 2 without a word", exit: 2, tells: "No stderr output", framed: true},
			{name: "exit 2 and block", stdout: `{"decision":"block","reason":"SAID-block"}`, stderr: "ERR", exit: 2, tells: "SAID-block", framed: true},
			{name: "exit 2 and context", stdout: context, stderr: "SAID-err", exit: 2, tells: "SAID-context", framed: true},
			{name: "block", stdout: `{"decision":"block","reason":"SAID-block"}`, tells: "SAID-block"},
			{name: "block without a reason", stdout: `{"decision":"block"}`, tells: "Blocked by hook"},
			{name: "block, exit 1", stdout: `{"decision":"block","reason":"SAID-block"}`, exit: 1, tells: "SAID-block"},
			{name: "context", stdout: context, tells: "SAID-context"},
			{name: "context, exit 1", stdout: context, exit: 1, tells: "SAID-context"},
			{name: "block and context", stdout: `{"decision":"block","reason":"SAID-block","hookSpecificOutput":{"hookEventName":"` + ev + `","additionalContext":"SAID-context"}}`, tells: "SAID-context"},
			{name: "a message to the user", stdout: `{"systemMessage":"SAID"}`},
			{name: "another event's answer", stdout: hso("Stop", `"additionalContext":"SAID"`)},
			{name: "a log line before the JSON", stdout: "log\n" + `{"decision":"block","reason":"SAID"}`},
		}
	}
	outputs := []form{
		{name: "another result", stdout: hso("PostToolUse", `"updatedToolOutput":{"stdout":"SAID-new","stderr":"","interrupted":false,"isImage":false}`), tells: "SAID-new"},
		{name: "another result of the wrong shape", stdout: hso("PostToolUse", `"updatedToolOutput":"SAID"`)},
	}
	told := "failed: exit code 1"
	edited := []form{ // claude/FACTS.md, 9
		{name: "nothing"},
		{name: "exit 1", stderr: "SAID", exit: 1, instead: &told},
		{name: "context", stdout: hso("PostToolUse", `"additionalContext":"SAID-context"`), tells: "SAID-context"},
	}
	write := func(mark string) Turn { return Call(Write(mark+"txt", "one\n")) }
	fail := func(mark string) Turn { return Call(Shell("echo it-ran-" + mark + "; exit 3")) }
	return []scene{
		{name: "it has run", event: "PostToolUse", forms: append(words("PostToolUse"), outputs...), turn: echoes},
		{name: "a file was made", event: "PostToolUse", forms: edited, turn: write},
		{event: "PostToolUse", forms: []form{{name: "continue false", stdout: `{"continue":false,"stopReason":"SAID"}`}}, turn: echoes, solo: true},
		{name: "it has failed", event: "PostToolUseFailure", forms: words("PostToolUseFailure"), turn: fail},
	}
}

func around() []scene {
	context := func(ev string) string { return hso(ev, `"additionalContext":"SAID-context"`) }
	const block = `{"decision":"block","reason":"SAID-block"}`
	prompt := []form{
		{name: "text", stdout: "SAID-text", tells: "SAID-text"},
		{name: "exit 1", stdout: "SAID", stderr: "SAID", exit: 1},
		{name: "exit 2", stderr: "SAID-err", exit: 2, tells: "SAID-err", framed: true},
		{name: "block", stdout: block, tells: "SAID-block"},
		{name: "block without the prompt", stdout: `{"decision":"block","reason":"SAID-block","suppressOriginalPrompt":true}`, tells: "SAID-block"},
		{name: "context", stdout: context("UserPromptSubmit"), tells: "SAID-context"},
		{name: "continue false", stdout: `{"continue":false,"stopReason":"SAID-stop"}`, tells: "SAID-stop"},
		{name: "a log line before the JSON", stdout: "SAID-log\n" + block, tells: "SAID-log", instead: nothing()},
	}
	start := []form{
		{name: "text", stdout: "SAID-text", tells: "SAID-text"},
		{name: "context", stdout: context("SessionStart"), tells: "SAID-context"},
		{name: "context, exit 1", stdout: context("SessionStart"), exit: 1, tells: "SAID-context"},
		{name: "exit 2", stdout: "SAID", stderr: "SAID", exit: 2},
		{name: "block", stdout: `{"decision":"block","reason":"SAID"}`},
		{name: "continue false", stdout: `{"continue":false,"stopReason":"SAID"}`},
		{name: "a first message", stdout: hso("SessionStart", `"initialUserMessage":"SAID-first"`), tells: "SAID-first"},
	}
	again := []form{
		{name: "exit 2", stderr: "SAID-err", exit: 2, tells: "SAID-err", framed: true},
		{name: "exit 2 without a word", exit: 2, tells: "No stderr output", framed: true},
		{name: "block", stdout: block, tells: "SAID-block"},
		{name: "block, exit 1", stdout: block, exit: 1, tells: "SAID-block"},
		{name: "block, exit 2", stdout: block, stderr: "ERR", exit: 2, tells: "SAID-block"},
		{name: "context", stdout: context("Stop"), tells: "SAID-context"},
	}
	ends := []form{
		{name: "text", stdout: "SAID"},
		{name: "exit 1", stderr: "SAID", exit: 1},
		{name: "approve", stdout: `{"decision":"approve","reason":"SAID"}`},
		{name: "continue false", stdout: `{"continue":false,"stopReason":"SAID"}`},
		{name: "continue false and block", stdout: `{"continue":false,"stopReason":"SAID","decision":"block","reason":"SAID"}`},
		{name: "a log line before the JSON", stdout: "log\n" + block},
	}
	dialog := func(decision string) string { return hso("PermissionRequest", `"decision":`+decision) }
	asked := []form{
		{name: "allow", stdout: dialog(`{"behavior":"allow"}`)},
		{name: "allow another input, which is asked for again", stdout: dialog(`{"behavior":"allow","updatedInput":{"command":"echo SAID-new"}}`), stops: true},
		{name: "deny", stdout: dialog(`{"behavior":"deny","message":"SAID-no"}`), tells: "SAID-no", stops: true},
		{name: "deny without a message", stdout: dialog(`{"behavior":"deny"}`), tells: "Permission denied by hook", stops: true},
		{name: "exit 2", stderr: "SAID", exit: 2, stops: true},
		{name: "block", stdout: `{"decision":"block","reason":"SAID"}`, stops: true},
		{name: "approve", stdout: `{"decision":"approve","reason":"SAID"}`, stops: true},
		{name: "text", stdout: "SAID", stops: true},
	}
	say := func(mark string) Turn { return Say("I am done, " + mark) }
	return []scene{
		{event: "UserPromptSubmit", forms: prompt, solo: true},
		{event: "SessionStart", forms: start, solo: true},
		{name: "work goes on", event: "Stop", forms: again, turn: say},
		{event: "Stop", forms: ends, turn: say, solo: true},
		{name: "asked", event: "PermissionRequest", forms: asked, turn: echoes, calls: true, args: []string{"--settings", `{"permissions":{"ask":["Bash"]}}`}},
		{event: "PermissionRequest", forms: []form{{name: "deny and interrupt", stdout: dialog(`{"behavior":"deny","message":"SAID","interrupt":true}`), stops: true}},
			turn: echoes, calls: true, solo: true, args: []string{"--settings", `{"permissions":{"ask":["Bash"]}}`}},
	}
}
