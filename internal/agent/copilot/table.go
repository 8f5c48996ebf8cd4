package copilot

import (
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

const silence = "exit 0, nothing on stdout"

// What Copilot does when the program cannot be started, fails or takes too long. Its own time limit
// opens everywhere, before a tool too.
const (
	missingDenies = "refuses every call: exit 127 is a hook error"
	failingDenies = "refuses the call without a reason (1.0.50: goes on); at the time limit it goes on"
	goesOn        = "goes on; a line in ~/.copilot/logs only"
)

// The forms on the wire. All stand at the top level: that is where both spellings of an event look.
const (
	asDeny    = `{"permissionDecision":"deny","permissionDecisionReason":…}, exit 0`
	asBlock   = `{"decision":"block","reason":…}`
	asContext = `{"additionalContext":…}`
	asNotice  = "exit 2 + stderr"
)

const (
	notHonoured = "no decision is honoured here"
	noEnd       = "continue:false is ignored"
	noField     = "no field for it"
	noNotice    = "systemMessage is ignored, and exit 2 decides here"
)

func live() agent.Fact { return agent.Fact{Level: agent.Live, Version: version, Date: date} }

func can(as, note string) agent.Cell { return agent.Cell{Can: true, As: as, Note: note} }

func cannot(instead agent.Word, note string) agent.Cell { return agent.Cell{Else: instead, Note: note} }

// notice is exit code 2 with a text on stderr, shown to the user as "! text"; JSON on stdout counts
// beside it.
func notice() agent.Cell { return can(asNotice, "the user sees \"! text\"; the JSON beside it counts") }

// limit is what we register: the default of 30 s would end a test suite in a Stop gate. There is no
// small upper bound, and at the end Copilot goes on.
func limit(d time.Duration) agent.Limit { return agent.Limit{Register: d, Opens: true} }

func events(yield func(*agent.Row) bool) {
	agent.Yield(yield, complete, []func() agent.Row{
		sessionStart, userPromptSubmitted, userPromptTransformed, preToolUse, permissionRequest,
		preMCPToolCall, postToolUse, postToolUseFailure, subagentStart, subagentStop, preCompact,
		notification, errorOccurred, agentStop, sessionEnd,
	})
}

// complete fills in what the rows share.
func complete(r *agent.Row) {
	r.Silence = silence
	if r.Missing == "" {
		r.Missing, r.Failing = goesOn, goesOn
	}
	if r.Timeout.Register == 0 {
		r.Timeout = limit(10 * time.Minute)
	}
	if r.Proof == (agent.Fact{}) {
		r.Proof = live()
	}
}

func sessionStart() agent.Row {
	return agent.Row{
		Native: "sessionStart", Name: hook.SessionStart,
		Fires: "with the first prompt, not at launch, side by side with userPromptSubmitted; the request to the model waits for both (source: new, resume)",
		Cut:   agent.Cut{Chars: 200000, How: "200 kB arrived whole, 1 MB was dropped"},
		Cells: agent.Cells{
			agent.Context: can(asContext, "a user message in front of the prompt; plain text is no context"),
			agent.Notice:  notice(),
			agent.Deny:    cannot(agent.Notice, notHonoured),
			agent.End:     cannot(agent.Notice, noEnd),
		},
	}
}

func userPromptSubmitted() agent.Row {
	return agent.Row{
		Native: "userPromptSubmitted", Name: hook.UserPromptSubmit,
		Fires:    "for each prompt, for the reason with which an agentStop hook went on, for the task of a subagent, and for a <system_notification> (an async shell that ended)",
		Children: true,
		Cells: agent.Cells{
			agent.Deny:    can(asBlock, "no request is made; headless exits 1; the user sees \"! reason\""),
			agent.Context: can(asContext, "in <system_reminder> behind the prompt; plain text is no context"),
			agent.Notice:  notice(),
			agent.End:     cannot(agent.Deny, noEnd),
			agent.Allow:   cannot(agent.None, "nothing is asked here"),
		},
	}
}

func userPromptTransformed() agent.Row {
	return agent.Row{
		Native: "userPromptTransformed", Since: midVersion,
		Fires: "when the text that the model gets has been made from the prompt; no Pascal spelling",
		Cells: agent.Cells{
			agent.Notice:  notice(),
			agent.Deny:    cannot(agent.Notice, notHonoured),
			agent.End:     cannot(agent.Notice, noEnd),
			agent.Context: cannot(agent.Later, "modifiedTransformedPrompt replaces the whole text; the next event carries it"),
		},
	}
}

func preToolUse() agent.Row {
	return agent.Row{
		Native: "preToolUse", Name: hook.PreToolUse,
		Fires:  "before each call; parallel calls get their hooks one after another",
		Narrow: agent.NarrowExact, Children: true,
		Missing: missingDenies, Failing: failingDenies,
		Cells: agent.Cells{
			agent.Deny:    can(asDeny, "the model gets \"Denied by preToolUse hook: reason\"; the stderr of an exit 2 reaches nobody"),
			agent.Allow:   can(`{"permissionDecision":"allow"}`, "skips the permission question and all permissionRequest hooks"),
			agent.Ask:     can(`{"permissionDecision":"ask","permissionDecisionReason":…}`, "a question in the terminal, even under --yolo; a denial with the reason in -p"),
			agent.Rewrite: can(`{"modifiedArgs":{…}}, the whole input`, "it replaces the input and grants nothing; the assistant's message and the screen keep the old one"),
			agent.Context: can(asContext, "a user message behind the result, also beside a deny"),
			agent.End:     cannot(agent.Deny, noEnd),
			agent.Notice:  cannot(agent.Later, noNotice),
		},
	}
}

func permissionRequest() agent.Row {
	return agent.Row{
		Native: "permissionRequest", Name: hook.PermissionRequest, Since: "1.0.16",
		Fires:    "before a write, a shell or an MCP call, under --allow-all-tools too; not for reads and searches, not after a preToolUse allow. Its tools are bash, edit (a creation too) and server/tool",
		Children: true,
		Missing:  "refuses every call: exit 127 is a hook error", Failing: "refuses; at the time limit the permission question comes",
		Cells: agent.Cells{
			agent.Allow:   can(`{"behavior":"allow"}`, "the question is not asked"),
			agent.Deny:    can(`{"behavior":"deny","message":…}`, "under --allow-all-tools too"),
			agent.End:     can(`{"behavior":"deny","message":…,"interrupt":true}`, "not run, no further request"),
			agent.Ask:     cannot(agent.Deny, "no opinion asks in the terminal, and runs under --allow-all-tools"),
			agent.Rewrite: cannot(agent.Deny, "updatedInput is ignored: the original would run"),
			agent.Context: cannot(agent.Later, noField),
			agent.Notice:  cannot(agent.Later, "any text on stdout is a denial, exit 2 as well"),
		},
	}
}

func preMCPToolCall() agent.Row {
	return agent.Row{
		Native: "preMcpToolCall",
		Fires:  "before the call of an MCP tool, after preToolUse has fired for the same call; it alone tells the server",
		Cells: agent.Cells{
			agent.Deny:    cannot(agent.None, "no word is known; the preToolUse of the call can refuse"),
			agent.End:     cannot(agent.None, "no word is known"),
			agent.Context: cannot(agent.Later, "no word is known"),
			agent.Notice:  cannot(agent.Later, "no word is known"),
		},
	}
}

func postToolUse() agent.Row {
	return agent.Row{
		Native: "postToolUse", Name: hook.PostToolUse,
		Fires:  "after a call that ran, a command with another exit code than 0 too; not after a denial",
		Narrow: agent.NarrowExact, Children: true,
		Cut: agent.Cut{Chars: 10240, How: "cut"},
		Cells: agent.Cells{
			agent.Context:  can(asContext, "behind the result as \"Additional guidance from postToolUse hooks\""),
			agent.Feedback: cannot(agent.Context, "a block would hide the result"),
			agent.Deny:     cannot(agent.Context, "a block would hide the result"),
			agent.Output:   can(`{"modifiedResult":{"resultType":"success","textResultForLlm":…}}`, "the text takes the result's place; context stands behind it"),
			agent.End:      cannot(agent.Notice, noEnd),
			agent.Notice:   notice(),
		},
	}
}

func postToolUseFailure() agent.Row {
	return agent.Row{
		Native: "postToolUseFailure", Name: hook.PostToolUseFailure,
		Fires:    "after a call whose tool failed (no such path, an MCP error), not for a failing command; its matcher is ignored",
		Children: true,
		Cells: agent.Cells{
			agent.Context:  can(asContext, "a user message; the stderr of an exit 2 goes the same way"),
			agent.Feedback: cannot(agent.Context, "context is the feedback here"),
			agent.Deny:     cannot(agent.Context, "context is the feedback here"),
			agent.End:      cannot(agent.Notice, noEnd),
			agent.Notice:   cannot(agent.Later, "the stderr of an exit 2 goes to the model here"),
		},
	}
}

func subagentStart() agent.Row {
	return agent.Row{
		Native: "subagentStart", Name: hook.SubagentStart,
		Fires: "when a subagent starts, with the parent's session",
		Cells: agent.Cells{
			agent.Context: can(asContext, "in front of the subagent's task"),
			agent.Deny:    cannot(agent.Notice, notHonoured),
			agent.End:     cannot(agent.Notice, noEnd),
			agent.Notice:  cannot(agent.Later, noField),
		},
	}
}

func subagentStop() agent.Row {
	return agent.Row{
		Native: "subagentStop", Name: hook.SubagentStop,
		Fires: "when a subagent is done, with the parent's session, after the agentStop of its own session",
		Cells: finish(can(asBlock, "the reason becomes the subagent's next prompt")),
	}
}

func agentStop() agent.Row {
	return agent.Row{
		Native: "agentStop", Name: hook.Stop,
		Fires:    "at the end of each turn, also of a subagent's (then it is SubagentStop)",
		Children: true,
		Cells:    finish(can(asBlock, "the reason becomes the next user message; exit 2 does not continue; after 8 in a row the turn ends (since 1.0.72)")),
	}
}

// finish is the vocabulary where the agent is about to stop.
func finish(again agent.Cell) agent.Cells {
	return agent.Cells{
		agent.Continue: again,
		agent.Deny:     cannot(agent.Continue, "a no here means keep working"),
		agent.End:      can("nothing but the text, as a notice", "it stops by itself"),
		agent.Notice:   notice(),
		agent.Context:  cannot(agent.Later, "additionalContext is ignored here"),
		agent.Feedback: cannot(agent.Later, "additionalContext is ignored here"),
	}
}

func preCompact() agent.Row {
	return agent.Row{
		Native: "preCompact", Name: hook.PreCompact,
		Fires: "before a compaction (trigger: manual, auto)",
		Cells: onlyNotice(),
	}
}

func notification() agent.Row {
	return agent.Row{
		Native: "notification", Name: hook.Notification, Since: "1.0.18",
		Fires:   "when a permission question is shown, when an async shell has ended (permission_prompt, shell_completed)",
		Timeout: limit(time.Minute),
		Cells: agent.Cells{
			agent.Context: can(asContext, "arrives later, as a user message"),
			agent.Deny:    cannot(agent.Notice, notHonoured),
			agent.End:     cannot(agent.Notice, noEnd),
			agent.Notice:  cannot(agent.Later, "not seen on screen in any run"),
		},
	}
}

func errorOccurred() agent.Row {
	return agent.Row{
		Native: "errorOccurred",
		Fires:  "for each failed attempt to reach the model: five retries are six",
		Cells:  onlyNotice(),
	}
}

func sessionEnd() agent.Row {
	return agent.Row{
		Native: "sessionEnd", Name: hook.SessionEnd,
		Fires:   "at exit and on /clear; twice in -p where an async shell ended after the turn, before 1.0.92 more often (reason: complete, error, user_exit)",
		Timeout: limit(time.Minute),
		Cells:   onlyNotice(),
	}
}

// onlyNotice is the vocabulary of events on which every decision is ignored.
func onlyNotice() agent.Cells {
	return agent.Cells{
		agent.Notice:  notice(),
		agent.Deny:    cannot(agent.Notice, notHonoured),
		agent.End:     cannot(agent.Notice, noEnd),
		agent.Context: cannot(agent.Later, noField),
	}
}

// ofSubagent is agentStop inside a subagent.
func ofSubagent(r agent.Row) agent.Row {
	r.Name = hook.SubagentStop
	return r
}
