package pi

import (
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

const (
	silence = "exit 0, nothing on stdout"
	// What the bridge does where Pi itself knows no program.
	missing = "the bridge says so once and goes on"
	blocks  = "the bridge says so once and goes on; with on_failure: block it blocks the call"
)

// The forms on the wire.
const (
	asKept   = "op context: kept by the bridge; the next tool result or prompt carries it"
	asNotice = "op notice: ctx.ui.notify in the terminal, a line on stderr in print and json mode"
	asEnd    = "op end: ctx.abort()"
	asResult = "op context: a further text behind the call's result"
)

func live() agent.Fact { return agent.Fact{Level: agent.Live, Version: version, Date: date} }
func src() agent.Fact  { return agent.Fact{Level: agent.Source, Version: version, Date: date} }

func can(as, note string) agent.Cell { return agent.Cell{Can: true, As: as, Note: note} }

func cannot(instead agent.Word, note string) agent.Cell { return agent.Cell{Else: instead, Note: note} }

// limit is the bridge's own: Pi waits for a handler for ever.
func limit(d time.Duration) agent.Limit { return agent.Limit{Register: d, Opens: true} }

func events(yield func(*agent.Row) bool) {
	agent.Yield(yield, complete, []func() agent.Row{
		sessionStart, input, toolCall, toolResult, beforeCompact, compacted, beforeSettle, sessionShutdown, promptStart,
	}, otherEvents)
}

// complete fills in what the rows share.
func complete(r *agent.Row) {
	r.Silence = silence
	if r.Missing == "" {
		r.Missing, r.Failing = missing, missing
	}
	if r.Timeout == (agent.Limit{}) {
		r.Timeout = limit(time.Minute)
	}
	if r.Proof == (agent.Fact{}) {
		r.Proof = live()
	}
	if r.Native != "project_trust" {
		r.Cells[agent.Notice] = can(asNotice, "")
	}
}

func sessionStart() agent.Row {
	return agent.Row{
		Native: "session_start", Name: hook.SessionStart,
		Fires: "when Pi has started (source startup; resume with -c, told by the bridge), at /resume, /new (source clear), /fork and /reload; " +
			"the terminal does not wait for it, the first prompt does",
		Timeout: limit(10 * time.Minute),
		Cells: agent.Cells{
			agent.Context: can("op context: the bridge adds it behind the session's first prompt", "a message of its own, hidden from the user"),
			agent.Deny:    cannot(agent.Notice, "the session is there already"),
			agent.End:     cannot(agent.Notice, "nothing runs yet"),
		},
	}
}

func input() agent.Row {
	return agent.Row{
		Native: "input", Name: hook.UserPromptSubmit,
		Fires:   "for each prompt, before skills and templates are expanded, also while a turn runs; also for those of other extensions (source extension)",
		Timeout: limit(10 * time.Minute),
		Cells: agent.Cells{
			agent.Deny: can(`op block: {action:"handled"}; nothing is stored and no request is made`,
				"pi -p then prints nothing on stdout and exits 0; the reason is a notice"),
			agent.Context: can("op context: a message behind the prompt (before_agent_start); while a turn runs one beside it", "hidden from the user"),
			agent.End:     cannot(agent.Deny, "no turn has begun"),
		},
	}
}

func toolCall() agent.Row {
	return agent.Row{
		Native: "tool_call", Name: hook.PreToolUse,
		Fires:   "before a call with valid arguments; also for each call that a codemode script makes (MCP tools among them)",
		Timeout: limit(10 * time.Minute),
		Narrow:  agent.NarrowExact,
		Missing: blocks,
		Failing: blocks,
		Cells: agent.Cells{
			agent.Allow: can("nothing: Pi has no permission question", ""),
			agent.Ask: {Can: true, As: "op ask: ctx.ui.confirm shows the reason and the call; a no blocks it", Only: "tui",
				Note: "print and json mode have nobody to ask"},
			agent.Deny:    can("op block: {block:true, reason}", "the model reads the reason as the tool's result, word for word; a codemode script gets it as an error"),
			agent.Rewrite: can("op set: one key of event.input, in place", "Pi does not check the arguments again, so the bridge refuses another type; the recorded call still shows the original"),
			agent.Context: can(asResult+"; in the reason where it is blocked", "of a call in a codemode script: behind the script's result"),
			agent.End:     can(asEnd+"; the call is blocked", "pi -p exits 1"),
		},
	}
}

func toolResult() agent.Row {
	return agent.Row{
		Native: "tool_result", Name: hook.PostToolUse,
		Fires: "after a call that ran; with isError it is PostToolUseFailure: a tool's error, or a shell command with another exit code than 0. " +
			"Not for calls that were blocked",
		Timeout: limit(10 * time.Minute),
		Narrow:  agent.NarrowExact,
		Cells: agent.Cells{
			agent.Context:  can(asResult, "of a call in a codemode script: behind the script's result"),
			agent.Feedback: can(asResult, "of a call in a codemode script: behind the script's result"),
			agent.Output:   can("op output: {content} in place of the result's", "structured content is dropped with it"),
			agent.Deny:     cannot(agent.Feedback, "it has happened"),
			agent.End:      can(asEnd, "pi -p exits 1"),
		},
	}
}

// failedResult is tool_result of a call that failed.
func failedResult(r agent.Row) agent.Row {
	r.Name = hook.PostToolUseFailure
	return r
}

func beforeCompact() agent.Row {
	return agent.Row{
		Native: "session_before_compact", Name: hook.PreCompact,
		Fires:   "before a compaction: by hand (trigger manual), near the limit or beyond it (auto)",
		Timeout: limit(10 * time.Minute),
		Cells: agent.Cells{
			agent.Deny:    can("op block: {cancel:true}", "the turn goes on with the whole conversation; the reason is a notice"),
			agent.Context: can(asKept, "the prompt for the summary cannot be added to"),
			agent.End:     cannot(agent.Deny, ""),
		},
	}
}

func compacted() agent.Row {
	return agent.Row{
		Native: "session_compact", Name: hook.PostCompact,
		Fires: "after a compaction",
		Cells: agent.Cells{
			agent.Context: can(asKept, ""),
			agent.Deny:    cannot(agent.Notice, "it has happened"),
			agent.End:     cannot(agent.Notice, ""),
		},
	}
}

func beforeSettle() agent.Row {
	return agent.Row{
		Native: "agent_before_settle", Name: hook.Stop,
		Fires: "when the turn is over because the model has finished, in print mode too; the bridge leaves out turns that were interrupted or failed, " +
			"and those that go on by themselves",
		Timeout: limit(10 * time.Minute),
		Cells: agent.Cells{
			agent.Continue: can("op prompt: {entries, continue:true} with the reason as a message of its own", "Pi has no cap; print mode shows the last answer alone"),
			agent.End:      can("nothing: the turn ends; its text is a notice", ""),
			agent.Deny:     cannot(agent.Continue, "a no here means keep working"),
			agent.Context:  can(asKept, "the turn is over"),
			agent.Feedback: can(asKept, "the turn is over"),
		},
	}
}

func sessionShutdown() agent.Row {
	return agent.Row{
		Native: "session_shutdown", Name: hook.SessionEnd,
		Fires:   "when Pi leaves (reason quit, in print mode too), at /new (reason clear), /resume, /fork and /reload; not when it is killed",
		Timeout: limit(30 * time.Second),
	}
}

func promptStart() agent.Row {
	return agent.Row{
		Native: "ui_prompt_start", Name: hook.Notification,
		Fires: "when an extension waits for the user (notification_type elicitation_dialog; the message is the dialog's title), our own question among them",
		NotIn: []string{"print", "json"},
	}
}
