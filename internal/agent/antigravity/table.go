package antigravity

import (
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// The forms of no opinion.
const (
	silentTool  = "exit 0, nothing on stdout ({} would be a refusal)"
	silentOther = "{}, exit 0"
)

const (
	unknownFailure = "not known: by one report exit codes are ignored, by another all but 0 refuse"
	nothing        = "nothing is known to happen"
)

// The forms on the wire.
const (
	asDeny     = `{"decision":"deny","reason":…}, exit 0`
	asAsk      = `{"decision":"force_ask","reason":…}, exit 0`
	asContinue = `{"decision":"continue","reason":…}, exit 0`
	asContext  = `{"injectSteps":[{"ephemeralMessage":…}]}, exit 0`
)

// Texts that several rows share.
const (
	noField = "the answer has no field for it; PreInvocation can carry it"
	noEnd   = "no word ends the turn"
	twoWays = "1.5.14 and later have systemMessage in its place, and a field that a version does not know rejects the answer; " +
		"no payload tells the version, so the older word is said, which more reports confirm"
)

// doc is what was read about a version.
func doc(version string) agent.Fact {
	return agent.Fact{Level: agent.Doc, Version: version, Date: date}
}

func can(as, note string) agent.Cell { return agent.Cell{Can: true, As: as, Note: note} }

func cannot(instead agent.Word, note string) agent.Cell { return agent.Cell{Else: instead, Note: note} }

// limit is what we register: the default is 30 s. What happens at its end nobody tells, so it counts
// as going on.
func limit(d time.Duration) agent.Limit { return agent.Limit{Register: d, Opens: true} }

func events(yield func(*agent.Row) bool) {
	agent.Yield(yield, complete, []func() agent.Row{
		sessionStart, preToolUse, postToolUse, stop, preInvocation, postInvocation,
	})
}

// complete fills in what the rows share.
func complete(r *agent.Row) {
	r.Silence, r.Missing, r.Failing = silentOther, nothing, nothing
	if r.Native == "PreToolUse" {
		r.Silence, r.Missing, r.Failing = silentTool, unknownFailure, unknownFailure
	}
}

func sessionStart() agent.Row {
	return agent.Row{
		Native: "SessionStart", Name: hook.SessionStart,
		Fires:   "when a conversation begins, not when one is resumed",
		Since:   "1.1.1",
		Timeout: limit(time.Minute),
		Hot:     "in no document of Antigravity's, and by one report such an entry disables the whole file",
		Proof:   doc("1.1.17"),
		Cells: agent.Cells{
			agent.Context: cannot(agent.Later, noField),
			agent.Deny:    cannot(agent.Notice, "no answer counts"),
			agent.End:     cannot(agent.Notice, "no answer counts"),
		},
	}
}

func preToolUse() agent.Row {
	return agent.Row{
		Native: "PreToolUse", Name: hook.PreToolUse,
		Fires:   "before a call; the matcher is a regular expression on the tool's name, or ignored (2026-08-07)",
		Timeout: limit(10 * time.Minute),
		Proof:   doc("1.2.7"),
		Cells: agent.Cells{
			agent.Deny:     can(asDeny, "the model gets the reason, also under --dangerously-skip-permissions"),
			agent.Ask:      can(asAsk, "always asks; \"ask\" may be satisfied by an earlier \"always allow\""),
			agent.Allow:    cannot(agent.None, "by one report it does not skip Antigravity's question, by another it overrides the user's own rules"),
			agent.Rewrite:  cannot(agent.Deny, "overwrite is told by one report of 1.1.8 and wants an allow beside it: a version that ignores it would run the original, granted"),
			agent.Context:  cannot(agent.Later, noField),
			agent.Feedback: cannot(agent.Context, noField),
			agent.End:      cannot(agent.Deny, noEnd),
		},
	}
}

func postToolUse() agent.Row {
	return agent.Row{
		Native: "PostToolUse", Name: hook.PostToolUse,
		Fires:   "after a call, also a failed one (error; then it is PostToolUseFailure); no output is told",
		Timeout: limit(10 * time.Minute),
		Proof:   doc("1.2.7"),
		Cells: agent.Cells{
			agent.Context:  cannot(agent.Later, noField),
			agent.Feedback: cannot(agent.Context, noField),
			agent.Deny:     cannot(agent.Context, noField),
			agent.Output:   cannot(agent.None, "the answer is {}"),
			agent.End:      cannot(agent.Notice, noEnd),
		},
	}
}

// failed is PostToolUse of a call that failed.
func failed(r agent.Row) agent.Row {
	r.Name = hook.PostToolUseFailure
	return r
}

func stop() agent.Row {
	return agent.Row{
		Native: "Stop", Name: hook.Stop,
		Fires:   "when the turn ends, also by an error, a cancel or a cap (terminationReason)",
		Timeout: limit(10 * time.Minute),
		Proof:   doc("1.2.7"),
		Cells: agent.Cells{
			agent.Continue: can(asContinue, "\"block\" is not the word; by Antigravity's own document it counts in one place and is ignored in another; repeats are capped"),
			agent.Deny:     cannot(agent.Continue, "a stop cannot be refused"),
			agent.End:      cannot(agent.Notice, "the turn is ending"),
			agent.Context:  cannot(agent.Later, noField),
			agent.Feedback: cannot(agent.Context, noField),
		},
	}
}

// brokenOff is Stop of a turn that the user or an error ended. Sending the agent back would set it
// to work against the user's will, or into the same error again.
func brokenOff(r agent.Row) agent.Row {
	const why = "the user or an error ended the turn; going on would run into the same again"
	r.Cells[agent.Continue] = cannot(agent.Notice, why)
	r.Cells[agent.Deny] = cannot(agent.Notice, why)
	return r
}

func preInvocation() agent.Row {
	return agent.Row{
		Native:  "PreInvocation",
		Fires:   "before each request to the model (invocationNum 0: the first after a prompt, which is not told)",
		Timeout: limit(time.Minute),
		Hot:     "fires before each request to the model",
		Proof:   doc("1.2.6"),
		Cells: agent.Cells{
			agent.Context:  can(asContext, twoWays),
			agent.Feedback: cannot(agent.Context, "there is one word for the model"),
			agent.Deny:     cannot(agent.Context, "a request cannot be refused"),
			agent.End:      cannot(agent.Context, noEnd),
		},
	}
}

func postInvocation() agent.Row {
	return agent.Row{
		Native:  "PostInvocation",
		Fires:   "after each answer of the model",
		Timeout: limit(time.Minute),
		Hot:     "fires after each answer of the model",
		Proof:   doc("1.2.7"),
		Cells: agent.Cells{
			agent.Context:  cannot(agent.Later, noField),
			agent.Feedback: cannot(agent.Context, noField),
			agent.Deny:     cannot(agent.Context, noField),
			agent.End:      cannot(agent.Notice, "terminationBehavior stands in two test suites alone"),
		},
	}
}
