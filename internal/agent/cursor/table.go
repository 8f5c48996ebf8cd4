package cursor

import (
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// The forms of no opinion.
const (
	silentPermission = `{"permission":"allow"}, exit 0`
	silentContinue   = `{"continue":true}, exit 0`
	silent           = "exit 0, nothing on stdout"
)

// What Cursor does when the program is not there or fails.
const (
	missingGate = "goes on: exit 127 fails open; with failClosed it is denied"
	failingGate = "goes on: another exit code, no start, a timeout; denied: any text on stdout that is no valid answer, and everything under failClosed"
	nothing     = "nothing"
)

// The forms on the wire.
const (
	asDeny     = `{"permission":"deny","user_message":…,"agent_message":…}, exit 0`
	asAsk      = `{"permission":"ask","user_message":…,"agent_message":…}, exit 0`
	asBlock    = `{"continue":false,"user_message":…}, exit 0`
	asContext  = "additional_context"
	asRewrite  = `{"permission":"allow","updated_input":…}, the whole input`
	asFollowUp = `{"followup_message":…}, exit 0`
)

// Texts that several rows share.
const (
	noGrant = "allow is printed where nothing is refused; whether it skips a question of Cursor's own is not known, so none is promised"
	noField = "no field for it"
	noEnd   = "no word ends the turn"
	twice   = "preToolUse or postToolUse fires for the same call: handlers would run twice, and people be asked twice"
	dropped = "beyond it the whole text is dropped; with failClosed the tool is denied"
)

// Modes in which events do not fire.
const (
	inPrint    = "-p"
	inTerminal = "cli"
	inCloud    = "cloud"
)

func src() agent.Fact { return agent.Fact{Level: agent.Source, Version: sdkVersion, Date: date} }
func doc() agent.Fact { return agent.Fact{Level: agent.Doc, Version: docVersion, Date: date} }

// can and cannot are cells that were read in the runtime's own schema and consumers.
func can(as, note string) agent.Cell { return agent.Cell{Can: true, As: as, Note: note, Proof: src()} }

func cannot(instead agent.Word, note string) agent.Cell {
	return agent.Cell{Else: instead, Note: note, Proof: src()}
}

// limit is what we register: the default of 60 s would end a test suite in a Stop gate. There is no
// upper bound, and at the end Cursor goes on.
func limit(d time.Duration) agent.Limit { return agent.Limit{Register: d, Opens: true} }

func cut() agent.Cut { return agent.Cut{Chars: contextLimit, How: dropped} }

// events are the 21 that the loader knows; any other name voids a file. When they fire is told by
// documents, so that is what the rows say; the cells are better known.
func events(yield func(*agent.Row) bool) {
	agent.Yield(yield, complete, []func() agent.Row{
		sessionStart, beforePrompt, preToolUse, postToolUse, postToolUseFailure, subagentStart, func() agent.Row { return finish("subagentStop", hook.SubagentStop, "when a subagent ends") }, preCompact, func() agent.Row {
			return finish("stop", hook.Stop, "when the turn ends, also by the user or an error (status: completed, aborted, error)")
		}, sessionEnd,
	}, specificEvents, watchEvents)
}

func complete(r *agent.Row) {
	r.Proof = doc()
	if r.Timeout == (agent.Limit{}) {
		r.Timeout = limit(10 * time.Minute)
	}
	switch {
	case permits(r.Native):
		r.Silence, r.Missing, r.Failing = silentPermission, missingGate, failingGate
	case r.Native == beforeSubmitPrompt:
		r.Silence, r.Missing, r.Failing = silentContinue, missingGate, "goes on; with failClosed it is blocked"
	default:
		r.Silence, r.Missing, r.Failing = silent, nothing, nothing
	}
}

func sessionStart() agent.Row {
	return agent.Row{
		Native: "sessionStart", Name: hook.SessionStart,
		Fires: "when a conversation begins; no source is told",
		NotIn: []string{inCloud},
		Cut:   cut(),
		Cells: agent.Cells{
			agent.Context: {Can: true, As: asContext, Proof: doc(), Note: "sdk-1.0.32 drops it; the IDE does not wait for the hook"},
			agent.Deny:    cannot(agent.Notice, "continue:false fails an SDK run and has no sure effect elsewhere"),
			agent.End:     cannot(agent.Notice, "continue:false fails an SDK run and has no sure effect elsewhere"),
			agent.Notice:  cannot(agent.Later, "user_message counts for a refusal only"),
		},
	}
}

func beforePrompt() agent.Row {
	return agent.Row{
		Native: beforeSubmitPrompt, Name: hook.UserPromptSubmit,
		Fires: "for each prompt, where Cursor's server asks for it",
		NotIn: []string{inPrint},
		Cut:   cut(),
		Cells: agent.Cells{
			agent.Deny:    can(asBlock, "the SDK's own run ignores the answer"),
			agent.Context: can(asContext, "passed on where the server asked for the event; the SDK's own run ignores it"),
			agent.End:     cannot(agent.Deny, "a block ends it here"),
			agent.Notice:  cannot(agent.Later, "user_message counts for a refusal only"),
		},
	}
}

func preToolUse() agent.Row {
	return agent.Row{
		Native: "preToolUse", Name: hook.PreToolUse,
		Fires:    "before a call, in front of the shell, MCP and file events of the same call",
		Narrow:   agent.NarrowRegex,
		Cut:      cut(),
		Children: true,
		Cells: agent.Cells{
			agent.Deny:     can(asDeny, "the model gets user_message and a note not to work around it; postToolUseFailure fires"),
			agent.Rewrite:  can(asRewrite, "Shell: command, cwd, timeout; Write, Read, Delete, List, ReadLints: file_path; Grep: pattern, file_path; Fetch: url; MCP: any key. A change of another key, a Write's content too, is ignored, so it is refused"),
			agent.Context:  can(asContext, ""),
			agent.Feedback: cannot(agent.Context, "nothing has happened yet"),
			agent.Ask:      cannot(agent.Deny, "ask is the same as allow here: the call runs"),
			agent.Allow:    cannot(agent.None, noGrant),
			agent.End:      cannot(agent.Deny, noEnd),
		},
	}
}

func postToolUse() agent.Row {
	return agent.Row{
		Native: "postToolUse", Name: hook.PostToolUse,
		Fires:    "after a call, in some builds also one whose command failed (exitCode)",
		Narrow:   agent.NarrowRegex,
		Cut:      cut(),
		Children: true,
		Cells:    afterCells("the result of MCP tools alone can be replaced"),
	}
}

func afterCells(noOutput string) agent.Cells {
	return agent.Cells{
		agent.Context:  can(asContext, ""),
		agent.Feedback: cannot(agent.Context, "no word but additional_context"),
		agent.Deny:     cannot(agent.Context, "it has happened"),
		agent.Output:   cannot(agent.None, noOutput),
		agent.End:      cannot(agent.Context, noEnd),
	}
}

// afterMCP is postToolUse of an MCP tool, whose result can be replaced.
func afterMCP(r agent.Row) agent.Row {
	r.Cells[agent.Output] = can("updated_mcp_tool_output", "a string, {content:[…]} or any JSON")
	return r
}

func postToolUseFailure() agent.Row {
	return agent.Row{
		Native: "postToolUseFailure", Name: hook.PostToolUseFailure,
		Fires:    "after a failed call or one that took too long, and after a refused one (then it keeps its own name: nothing has run)",
		Narrow:   agent.NarrowRegex,
		Cut:      cut(),
		Children: true,
		Cells:    afterCells("there is no result"),
	}
}

// denied is postToolUseFailure of a call that a hook or the user refused: it never ran.
func denied(r agent.Row) agent.Row {
	r.Name = ""
	return r
}

func subagentStart() agent.Row {
	return agent.Row{
		Native: "subagentStart", Name: hook.SubagentStart,
		Fires: "before a subagent starts, where Cursor's server asks for it",
		NotIn: []string{inTerminal, inPrint},
		Cells: agent.Cells{
			agent.Deny:    can(asDeny, ""),
			agent.Ask:     cannot(agent.Deny, "ask has no effect"),
			agent.Allow:   cannot(agent.None, noGrant),
			agent.End:     cannot(agent.Deny, noEnd),
			agent.Context: cannot(agent.Later, noField),
		},
	}
}

// finish is stop or subagentStop.
func finish(native string, name hook.Name, fires string) agent.Row {
	r := agent.Row{
		Native: native, Name: name,
		Fires: fires + ", where Cursor's server asks for it",
		NotIn: []string{inPrint},
		Cells: agent.Cells{
			agent.Continue: can(asFollowUp, "the next user message; Cursor skips the hook once loop_count reaches loop_limit (5; none for a hook of Claude Code's settings)"),
			agent.Deny:     cannot(agent.Continue, "a stop cannot be refused"),
			agent.End:      cannot(agent.Notice, "the turn is ending"),
			agent.Context:  cannot(agent.Later, noField),
			agent.Feedback: cannot(agent.Context, noField),
		},
	}
	if name == hook.SubagentStop {
		r.NotIn = []string{inTerminal, inPrint}
	}
	return r
}

// brokenOff is the end of a turn that the user or an error ended. A follow-up would set the agent to
// work against the user's will, or into the same error again.
func brokenOff(r agent.Row) agent.Row {
	const why = "the user or an error ended the turn; a follow-up would run into the same again"
	r.Cells[agent.Continue] = agent.Cell{Else: agent.Notice, Note: why, Proof: doc()}
	r.Cells[agent.Deny] = agent.Cell{Else: agent.Notice, Note: why, Proof: doc()}
	return r
}

func preCompact() agent.Row {
	return agent.Row{
		Native: "preCompact", Name: hook.PreCompact,
		Fires: "before a compaction, where Cursor's server asks for it (trigger: auto, manual)",
		Cells: agent.Cells{
			agent.Notice:  {Can: true, As: "user_message", Proof: doc(), Note: "what the user sees of it was not seen"},
			agent.Deny:    cannot(agent.Notice, "a compaction cannot be stopped"),
			agent.End:     cannot(agent.Notice, noEnd),
			agent.Context: cannot(agent.Later, noField),
		},
	}
}

func sessionEnd() agent.Row {
	return agent.Row{
		Native: "sessionEnd", Name: hook.SessionEnd,
		Fires:   "when a conversation ends (reason: completed, aborted, error, window_close, user_close)",
		NotIn:   []string{inCloud},
		Timeout: limit(time.Minute),
		Cells:   agent.Cells{agent.Deny: cannot(agent.Notice, "no answer counts"), agent.End: cannot(agent.Notice, "no answer counts")},
	}
}
