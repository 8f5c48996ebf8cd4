package droid

import (
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

const silence = "exit 0, nothing on stdout"

// What Droid does when the program cannot be started, fails or takes too long: nothing decides but
// exit codes 2 and 3, and the time limit counts as exit 1.
const (
	missing = "goes on"
	failing = "goes on; exit 1 shows stderr to the user (before a tool: to the model, in front of the result)"
)

// The forms on the wire.
const (
	asDeny    = "exit 2 + stderr"
	asContext = "hookSpecificOutput.additionalContext"
	asEnd     = `{"continue":false,"stopReason":…}`
	asNotice  = "systemMessage"
)

const (
	observes = "nothing is honoured here"
	noField  = "no field for it"
	unseen   = "systemMessage is read and not shown here"
)

func live() agent.Fact { return agent.Fact{Level: agent.Live, Version: version, Date: date} }
func src() agent.Fact  { return agent.Fact{Level: agent.Source, Version: version, Date: date} }

func can(as, note string) agent.Cell { return agent.Cell{Can: true, As: as, Note: note} }

func cannot(instead agent.Word, note string) agent.Cell { return agent.Cell{Else: instead, Note: note} }

// notice is a text that the terminal shows to the user alone. No run saw it there: it was read in the
// program. `droid exec` does not print it.
func notice() agent.Cell {
	return agent.Cell{Can: true, As: asNotice, Note: "in the terminal only", Proof: src()}
}

// limit is what we register: the default of 60 s would end a test suite in a Stop gate. No upper bound
// was found, and at the end Droid goes on.
func limit(d time.Duration) agent.Limit { return agent.Limit{Register: d, Opens: true} }

func events(yield func(*agent.Row) bool) {
	agent.Yield(yield, complete, []func() agent.Row{
		sessionStart, userPromptSubmit, preToolUse, postToolUse, subagentStop, preCompact, notification,
		stop, sessionEnd,
	})
}

// complete fills in what the rows share.
func complete(r *agent.Row) {
	r.Silence, r.Missing, r.Failing = silence, missing, failing
	if r.Timeout.Register == 0 {
		r.Timeout = limit(10 * time.Minute)
	}
	if r.Proof == (agent.Fact{}) {
		r.Proof = live()
	}
}

func sessionStart() agent.Row {
	return agent.Row{
		Native: "SessionStart", Name: hook.SessionStart,
		Fires:    "at the start; with resume before a compaction and with compact and a new session after it; in each subagent (calling_session_id tells the parent)",
		Timeout:  agent.Limit{Register: 10 * time.Second, Cap: 10 * time.Second, Opens: true},
		Children: true,
		Cells: agent.Cells{
			agent.Context: can(asContext, "a message in front of the prompt; after 10 s the session starts without it"),
			agent.Deny:    cannot(agent.Notice, "every decision is ignored"),
			agent.End:     cannot(agent.Notice, "continue:false is ignored"),
			agent.Notice:  cannot(agent.Later, unseen),
		},
	}
}

func userPromptSubmit() agent.Row {
	return agent.Row{
		Native: "UserPromptSubmit", Name: hook.UserPromptSubmit,
		Fires:    "for each prompt in the terminal, and for the task of a subagent",
		NotIn:    []string{"exec"},
		Children: true,
		Cells: agent.Cells{
			agent.Deny:    can(asDeny, "no request; the prompt goes back into the input box, the reason is shown"),
			agent.Context: can(asContext, "a message of its own in front of the prompt; of several hooks only the first one's counts"),
			agent.End:     cannot(agent.Deny, "a refused prompt starts no turn"),
			agent.Notice:  cannot(agent.Later, unseen),
			agent.Allow:   cannot(agent.None, "nothing is asked here"),
		},
	}
}

func preToolUse() agent.Row {
	return agent.Row{
		Native: "PreToolUse", Name: hook.PreToolUse,
		Fires:  "before each call, also of a tool that is not there",
		Narrow: agent.NarrowRegex, Children: true,
		Cells: agent.Cells{
			agent.Deny:    can(asDeny, "the model gets \"Error: reason\"; it survives an allow that an earlier hook said, which a permissionDecision does not"),
			agent.Allow:   can(`hookSpecificOutput.permissionDecision "allow"`, "skips the approval, of high risk in read-only exec too, and mutes the permissionDecision of every later hook"),
			agent.Rewrite: can("hookSpecificOutput.updatedInput, the changed keys", "merged into the input, so no key can be taken out; of several hooks the first wins"),
			agent.End:     can(asEnd, "not run; the whole run ends: exec prints nothing and exits 0"),
			agent.Ask:     cannot(agent.Deny, "ask has no effect: the call runs where nobody is asked"),
			agent.Context: cannot(agent.Later, "additionalContext is ignored here; the PostToolUse of the call carries it"),
			agent.Notice:  cannot(agent.Later, unseen),
		},
	}
}

func postToolUse() agent.Row {
	return agent.Row{
		Native: "PostToolUse", Name: hook.PostToolUse,
		Fires:  "after a call that succeeded; a command with another exit code than 0 fires nothing",
		Narrow: agent.NarrowRegex, Children: true,
		Cells: agent.Cells{
			agent.Context:  can(asContext, "a user message behind the result; of several hooks only the first one's counts"),
			agent.Feedback: cannot(agent.Context, "decision:block is ignored here"),
			agent.Deny:     cannot(agent.Context, "decision:block is ignored here"),
			agent.End:      can(asEnd, "the whole run ends: exec prints nothing and exits 0"),
			agent.Output:   cannot(agent.None, "updatedToolOutput is ignored: the model has the result"),
			agent.Notice:   notice(),
		},
	}
}

func subagentStop() agent.Row {
	return agent.Row{
		Native: "SubagentStop", Name: hook.SubagentStop,
		Fires: "in the parent when a subagent has ended; the subagent's own Stop came before, in its session",
		Cells: agent.Cells{
			agent.Continue: cannot(agent.Notice, "the subagent has ended; its own Stop can keep it working"),
			agent.Deny:     cannot(agent.Notice, observes),
			agent.End:      cannot(agent.Notice, observes),
			agent.Context:  cannot(agent.Later, observes),
			agent.Feedback: cannot(agent.Later, observes),
			agent.Notice:   cannot(agent.Later, observes),
		},
	}
}

func preCompact() agent.Row {
	return agent.Row{
		Native: "PreCompact", Name: hook.PreCompact,
		Fires: "before a compaction (trigger: auto, for /compress without a text too)",
		Cells: agent.Cells{
			agent.Deny:    {Can: true, As: asDeny, Note: "nothing is compacted; the reason goes to the log", Proof: src()},
			agent.End:     cannot(agent.Deny, "continue:false is ignored here"),
			agent.Context: cannot(agent.Later, noField),
			agent.Notice:  cannot(agent.Later, unseen),
		},
	}
}

func notification() agent.Row {
	return agent.Row{
		Native: "Notification", Name: hook.Notification,
		Fires:   "when a permission question is shown",
		Timeout: limit(time.Minute),
		Cells:   nothing(),
	}
}

func stop() agent.Row {
	return agent.Row{
		Native: "Stop", Name: hook.Stop,
		Fires:    "at the end of each turn, also of a subagent's session; not when the user breaks off",
		Children: true,
		Cells: agent.Cells{
			agent.Continue: can(`{"decision":"block","reason":…}`, "the reason becomes the next user message; no cap is known"),
			agent.End:      can(asEnd, "the reason is shown to the user"),
			agent.Notice:   notice(),
			agent.Deny:     cannot(agent.Continue, "a no here means keep working"),
			agent.Context:  cannot(agent.Later, "additionalContext is ignored here"),
			agent.Feedback: cannot(agent.Later, "additionalContext is ignored here"),
		},
	}
}

func sessionEnd() agent.Row {
	return agent.Row{
		Native: "SessionEnd", Name: hook.SessionEnd,
		Fires:    "at exit, twice on some exits of the terminal, and at the end of each subagent (reason: other)",
		Timeout:  limit(time.Minute),
		Children: true,
		Cells:    nothing(),
	}
}

// nothing is the vocabulary of events that only observe.
func nothing() agent.Cells {
	return agent.Cells{
		agent.Deny:    cannot(agent.Notice, observes),
		agent.End:     cannot(agent.Notice, observes),
		agent.Context: cannot(agent.Later, observes),
		agent.Notice:  cannot(agent.Later, observes),
	}
}
