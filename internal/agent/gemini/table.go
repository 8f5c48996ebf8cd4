package gemini

import (
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

const silence = "exit 0, nothing on stdout and nothing on stderr"

// What Gemini does when the program cannot be started: bash says so and leaves with 127, and every
// code but 0 and 1 blocks where there is text.
const (
	missingBlocks = "blocks: exit 127 with bash's message is a deny"
	missingWarns  = "a warning, else nothing"
	failing       = "exit 1: goes on, the text is shown; other codes with text: as a deny; without text, timeout or signal: goes on"
	failingWarns  = "a warning, else nothing"
)

// The forms on the wire.
const (
	asDeny    = `{"decision":"deny","reason":…}, exit 0`
	asContext = `hookSpecificOutput.additionalContext`
	asEnd     = `{"continue":false,"stopReason":…}, exit 0`
	asNotice  = `systemMessage`
)

// hot is why the model events are not registered without being asked for.
const hot = "fires for every request to the model"

func live() agent.Fact { return agent.Fact{Level: agent.Live, Version: version, Date: date} }
func src() agent.Fact  { return agent.Fact{Level: agent.Source, Version: version, Date: date} }

func can(as, note string) agent.Cell { return agent.Cell{Can: true, As: as, Note: note} }

func cannot(instead agent.Word, note string) agent.Cell { return agent.Cell{Else: instead, Note: note} }

// limit is what we register: the default of 60 s would end a test suite in a Stop gate. There is no
// upper bound, and at the end Gemini goes on.
func limit(d time.Duration) agent.Limit { return agent.Limit{Register: d, Opens: true} }

func events(yield func(*agent.Row) bool) {
	agent.Yield(yield, complete, []func() agent.Row{
		sessionStart, beforeAgent, beforeTool, afterTool, afterAgent, notification, sessionEnd,
	}, modelEvents)
}

// complete fills in what the rows share.
func complete(r *agent.Row) {
	r.Silence = silence
	if r.Proof == (agent.Fact{}) {
		r.Proof = live()
	}
}

func sessionStart() agent.Row {
	return agent.Row{
		Native: "SessionStart", Name: hook.SessionStart,
		Fires:   "at the start, on --resume, on /clear (source: startup, resume, clear)",
		Timeout: limit(10 * time.Minute),
		Missing: missingWarns, Failing: failingWarns,
		Cells: agent.Cells{
			agent.Context: can(asContext, "headless it is put in front of the prompt text; after /clear it is dropped, there it waits for the prompt"),
			agent.Notice:  can(asNotice, ""),
			agent.Deny:    cannot(agent.Notice, "every decision is ignored"),
			agent.End:     cannot(agent.Notice, "continue:false is ignored"),
		},
	}
}

func beforeAgent() agent.Row {
	return agent.Row{
		Native: "BeforeAgent", Name: hook.UserPromptSubmit,
		Fires:   "for each prompt, and again for each retry that an AfterAgent hook asked for (the prompt is then its reason)",
		Timeout: limit(10 * time.Minute),
		Missing: missingBlocks, Failing: failing,
		Cells: agent.Cells{
			agent.Deny:    can(asDeny, "no request is made, the prompt leaves the history; headless exits 0 with a warning on stderr"),
			agent.Context: can(asContext, "a further part behind the prompt"),
			agent.Notice:  can(asNotice, "the terminal shows it in place of a deny's reason, so a deny's reason goes in front of it"),
			agent.End:     cannot(agent.Deny, "continue:false leaves the prompt in the history, and the next prompt sends it along"),
			agent.Allow:   cannot(agent.None, "nothing is asked here"),
		},
	}
}

func beforeTool() agent.Row {
	return agent.Row{
		Native: "BeforeTool", Name: hook.PreToolUse,
		Fires:   "before the permission question and the call; not for unknown tools or invalid parameters",
		Timeout: limit(10 * time.Minute),
		Narrow:  agent.NarrowRegex,
		Missing: missingBlocks, Failing: failing,
		Children: true,
		Cells: agent.Cells{
			agent.Deny:    can(asDeny, `the model gets {"error":"Tool execution blocked: …"}`),
			agent.Rewrite: can("hookSpecificOutput.tool_input, the whole input", "it replaces the input; the model's own call stays in the history, and the result says that it was changed"),
			agent.End:     can(asEnd, "not run, no further request, no AfterAgent"),
			agent.Notice:  can(asNotice, ""),
			agent.Allow:   cannot(agent.None, "allow does not skip the permission question"),
			agent.Ask:     cannot(agent.Deny, "headless it ends the run: exit 0, no answer, no SessionEnd"),
			agent.Context: cannot(agent.Later, "additionalContext is ignored here; the AfterTool of the call carries it"),
		},
	}
}

func afterTool() agent.Row {
	return agent.Row{
		Native: "AfterTool", Name: hook.PostToolUse,
		Fires:    "after the call, also a failed one (then it is PostToolUseFailure) or one the user broke off; not after a denial",
		Timeout:  limit(10 * time.Minute),
		Narrow:   agent.NarrowRegex,
		Cut:      agent.Cut{Chars: 30000, How: "of result and context together the first 8,000 and the last 32,000 characters stay, the whole goes to a file"},
		Missing:  "the model gets bash's message in place of the result",
		Failing:  "exit 1: goes on, the text is shown; other codes with text: in place of the result; without text, timeout or signal: goes on",
		Children: true,
		Cells: agent.Cells{
			agent.Context:  can(asContext, "behind the result in <hook_context>, < and > escaped"),
			agent.Feedback: cannot(agent.Context, "a deny would hide the result"),
			agent.Deny:     cannot(agent.Context, "a deny would hide the result"),
			agent.Output:   can(`{"decision":"deny","reason":…}`, `arrives as {"error":…}; context goes into it, since additionalContext is dropped then`),
			agent.End:      can(asEnd, "no further request, no AfterAgent"),
			agent.Notice:   can(asNotice, ""),
		},
	}
}

func afterAgent() agent.Row {
	return agent.Row{
		Native: "AfterAgent", Name: hook.Stop,
		Fires:   "when the turn ends without an open tool call; not after a cancel, an API error or a continue:false of another hook",
		Timeout: limit(10 * time.Minute),
		Missing: "goes on for ever, paid: exit 127 with bash's message is a deny", Failing: failing,
		Cells: agent.Cells{
			agent.Continue: can(asDeny, "the reason becomes the next prompt, BeforeAgent fires for it; Gemini has no cap"),
			agent.End:      can(asEnd, ""),
			agent.Notice:   can(asNotice, ""),
			agent.Deny:     cannot(agent.Continue, "a deny here means keep working"),
			agent.Context:  cannot(agent.Later, "additionalContext is ignored here"),
			agent.Feedback: cannot(agent.Later, "additionalContext is ignored here"),
		},
	}
}

func notification() agent.Row {
	return agent.Row{
		Native: "Notification", Name: hook.Notification,
		Fires:   "when a tool's permission question is about to be shown",
		NotIn:   []string{"-p"},
		Timeout: limit(time.Minute),
		Missing: missingWarns, Failing: failingWarns,
		Cells: onlyNotice(),
	}
}

func sessionEnd() agent.Row {
	return agent.Row{
		Native: "SessionEnd", Name: hook.SessionEnd,
		Fires:   "at exit (three times at /quit or double Ctrl-C in the terminal) and on /clear (reason: exit, clear)",
		Timeout: limit(time.Minute),
		Missing: missingWarns, Failing: failingWarns,
		Cells: onlyNotice(),
	}
}

// onlyNotice is the vocabulary of events on which every decision is ignored.
func onlyNotice() agent.Cells {
	const ignored = "every decision is ignored"
	return agent.Cells{
		agent.Notice:  can(asNotice, ""),
		agent.Deny:    cannot(agent.Notice, ignored),
		agent.End:     cannot(agent.Notice, ignored),
		agent.Context: cannot(agent.Later, ignored),
	}
}

// modelEvents are the events about the traffic with the model. None means what a common event means.
func modelEvents() []agent.Row {
	return []agent.Row{{
		Native:  "PreCompress",
		Fires:   "before every request to the model (trigger auto), whether or not anything is compressed, and on /compress (trigger manual: PreCompact)",
		Timeout: limit(time.Minute),
		Missing: missingWarns, Failing: failingWarns,
		Hot:   "trigger auto fires before every request to the model",
		Cells: onlyNotice(),
	}, {
		Native:  "BeforeModel",
		Fires:   "before each request to the model, also of subagents",
		Timeout: limit(time.Minute),
		Missing: missingBlocks, Failing: failing,
		Hot: hot, Children: true,
		Cells: agent.Cells{
			agent.Deny:    can(asDeny, "no request; AfterAgent fires"),
			agent.End:     can(asEnd, "no request, no AfterAgent"),
			agent.Notice:  {Can: true, As: asNotice, Proof: src()},
			agent.Context: cannot(agent.Later, "additionalContext is ignored here"),
		},
	}, {
		Native:  "BeforeToolSelection",
		Fires:   "right after BeforeModel",
		Timeout: limit(time.Minute),
		Missing: "sets the tool mode AUTO with an empty list", Failing: "sets the tool mode AUTO with an empty list where there is text",
		Hot: hot, Children: true,
		Cells: agent.Cells{
			agent.Deny:    cannot(agent.None, "any output without toolConfig, a deny too, sets the tool mode AUTO with an empty list"),
			agent.Context: cannot(agent.Later, "any output sets the tool mode"),
		},
	}, {
		Native:  "AfterModel",
		Fires:   "for each chunk of an answer",
		Timeout: limit(time.Minute),
		Missing: missingBlocks, Failing: failing,
		Hot: "fires for each chunk of an answer", Children: true,
		Cells: agent.Cells{
			agent.Deny:    can(asDeny, "the chunk is shown all the same, tool calls in later chunks are lost"),
			agent.End:     can(asEnd, ""),
			agent.Notice:  {Can: true, As: asNotice, Proof: src()},
			agent.Context: cannot(agent.Later, "no field for it"),
			agent.Output:  cannot(agent.None, "llm_response changes what is shown; the history keeps the text, so it is no redaction"),
		},
	}}
}

// afterClear is SessionStart after /clear: its context is dropped, so it waits for the prompt.
func afterClear(r agent.Row) agent.Row {
	r.Cells[agent.Context] = cannot(agent.Later, "dropped after /clear; the next prompt carries it")
	return r
}

// byHand is PreCompress on /compress: the one time when it means PreCompact.
func byHand(r agent.Row) agent.Row {
	r.Name, r.Hot = hook.PreCompact, ""
	return r
}

// failed is AfterTool of a call that failed.
func failed(r agent.Row) agent.Row {
	r.Name = hook.PostToolUseFailure
	return r
}
