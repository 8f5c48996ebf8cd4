package codex

import (
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

const (
	silence = "exit 0, nothing on stdout"
	goesOn  = "goes on as if nothing was said; `codex exec` prints \"hook: … Failed\" without a reason"
)

// The forms on the wire.
const (
	asBlock   = `{"decision":"block","reason":…}, exit 0`
	asContext = "hookSpecificOutput.additionalContext"
	asEnd     = `{"continue":false,"stopReason":…}, exit 0`
	asNotice  = "systemMessage"
	asNothing = "nothing: Codex is asking already"
)

// Texts that several rows share.
const (
	voids   = "is outside the schema here and voids the whole answer"
	inExec  = "`codex exec` shows it to nobody"
	eachReq = "fires for every request to the model, and no answer counts"
)

func live() agent.Fact { return agent.Fact{Level: agent.Live, Version: version, Date: date} }
func src() agent.Fact  { return agent.Fact{Level: agent.Source, Version: version, Date: date} }

func can(as, note string) agent.Cell { return agent.Cell{Can: true, As: as, Note: note} }

func cannot(instead agent.Word, note string) agent.Cell { return agent.Cell{Else: instead, Note: note} }

// cut is the same for all text for the model but the reason of a deny, which is not cut.
func cut() agent.Cut {
	return agent.Cut{Chars: 10000, How: "the middle is left out, the whole goes to a file; 2,500 tokens of 4 characters (0.171.0: additionalContextLimit)"}
}

// events are those of 0.171.0. Our registration has no matcher anywhere: trust is a hash over it,
// so a matcher that follows the manifest would un-trust the entry at each change.
func events(yield func(*agent.Row) bool) {
	agent.Yield(yield, complete, []func() agent.Row{
		sessionStart, userPromptSubmit, preToolUse, permissionRequest, postToolUse, preCompact,
		postCompact, subagentStart, subagentStop, stop,
	}, newEvents)
}

// complete fills in what the rows share.
func complete(r *agent.Row) {
	r.Silence, r.Missing, r.Failing = silence, goesOn, goesOn
	if r.Proof == (agent.Fact{}) {
		r.Proof = live()
	}
	if r.Timeout == (agent.Limit{}) {
		// The default. At the end the action runs.
		r.Timeout = agent.Limit{Register: 10 * time.Minute, Opens: true}
	}
}

func sessionStart() agent.Row {
	return agent.Row{
		Native: "SessionStart", Name: hook.SessionStart,
		Fires: "with the first prompt, not at the launch (source: startup, resume, clear, compact, and in 0.171.0 fork)",
		Cut:   cut(),
		Cells: agent.Cells{
			agent.Context: can(asContext, "a developer message"),
			agent.End:     can(asEnd, "the turn is dropped, no request is made"),
			agent.Notice:  can(asNotice, inExec),
			agent.Deny:    cannot(agent.Notice, "decision "+voids),
		},
	}
}

func userPromptSubmit() agent.Row {
	return agent.Row{
		Native: "UserPromptSubmit", Name: hook.UserPromptSubmit,
		Fires: "for each prompt, also for the task of a subagent (v1)",
		Cut:   cut(),
		Cells: agent.Cells{
			agent.Deny:    can(asBlock, "no request; `codex exec` exits 0 with an empty stdout"),
			agent.Context: can(asContext, "a developer message"),
			agent.End:     can(asEnd, "the prompt is dropped"),
			agent.Notice:  can(asNotice, inExec),
		},
	}
}

func preToolUse() agent.Row {
	return agent.Row{
		Native: "PreToolUse", Name: hook.PreToolUse,
		Fires: "before a call, also before each call inside code mode; not for write_stdin, web_search and tool_search",
		Cut:   cut(),
		Cells: agent.Cells{
			agent.Deny: can(`hookSpecificOutput.permissionDecision "deny" + permissionDecisionReason, exit 0`,
				"the model gets the reason, in code mode the promise rejects"),
			agent.Rewrite: can(`permissionDecision "allow" + updatedInput`,
				"grants nothing: approval is asked for the new input; for the shell and patches only command counts"),
			agent.Context:  can(asContext, "a developer message in front of the result, also beside a deny"),
			agent.Notice:   can(asNotice, inExec),
			agent.Allow:    cannot(agent.None, "allow without updatedInput "+voids+"; silence leaves it to Codex"),
			agent.Ask:      cannot(agent.Deny, `"ask" `+voids),
			agent.Defer:    cannot(agent.Deny, `"defer" `+voids),
			agent.End:      cannot(agent.Deny, "continue:false voids the answer, and the call runs"),
			agent.Feedback: cannot(agent.Context, "nothing has happened yet"),
		},
	}
}

func permissionRequest() agent.Row {
	const form = "hookSpecificOutput.decision, exit 0"
	return agent.Row{
		Native: "PermissionRequest", Name: hook.PermissionRequest,
		Fires: "when Codex would ask the user; it carries no tool_use_id",
		NotIn: []string{"exec"},
		Cells: agent.Cells{
			agent.Allow:   can(form, "runs, nobody is asked"),
			agent.Deny:    can(form+" with message", "refused, nobody is asked"),
			agent.Ask:     can(asNothing, "under `exec --approve-for-me` a model decides"),
			agent.Notice:  can(asNotice, ""),
			agent.Rewrite: cannot(agent.Deny, "decision.updatedInput "+voids),
			agent.End:     cannot(agent.Deny, "continue:false "+voids),
			agent.Context: cannot(agent.Later, "additionalContext "+voids),
		},
	}
}

func postToolUse() agent.Row {
	return agent.Row{
		Native: "PostToolUse", Name: hook.PostToolUse,
		Fires: "after a call that succeeded, also a command with another exit code than 0; not after a failed patch or an MCP error",
		Cut:   cut(),
		Cells: agent.Cells{
			agent.Context: can(asContext, "a developer message in front of the result"),
			agent.Output: can(asBlock,
				"the reason stands in place of the result, as text; in code mode the promise rejects"),
			agent.Notice:   can(asNotice, inExec),
			agent.Feedback: cannot(agent.Context, "a block would hide the result"),
			agent.Deny:     cannot(agent.Feedback, "it has happened"),
			agent.End:      cannot(agent.Feedback, "continue:false hides the result, and the turn goes on"),
			agent.Continue: cannot(agent.Feedback, ""),
		},
	}
}

func stop() agent.Row {
	return agent.Row{
		Native: "Stop", Name: hook.Stop,
		Fires: "when the turn ends by itself; not after an interrupt, an API error or a dropped prompt",
		Cut:   cut(),
		Cells: agent.Cells{
			agent.Continue: can(asBlock, "the reason is the next prompt; Codex has no cap"),
			agent.End:      can(asEnd, "beats the block of another hook"),
			agent.Notice:   can(asNotice, inExec),
			agent.Deny:     cannot(agent.Continue, "a no here means keep working"),
			agent.Context:  cannot(agent.Later, "hookSpecificOutput "+voids),
			agent.Feedback: cannot(agent.Context, ""),
		},
	}
}

func subagentStop() agent.Row {
	r := stop()
	r.Native, r.Name = "SubagentStop", hook.SubagentStop
	r.Fires = "when a subagent has finished"
	r.Cells[agent.Continue].Note = "the subagent goes on with the reason as its prompt"
	r.Cells[agent.End].Note = "the subagent ends"
	return r
}

func subagentStart() agent.Row {
	return agent.Row{
		Native: "SubagentStart", Name: hook.SubagentStart,
		Fires: "with a subagent's first turn",
		Cut:   cut(),
		Cells: agent.Cells{
			agent.Context: can(asContext, "a developer message for the subagent"),
			agent.Notice:  can(asNotice, inExec),
			agent.Deny:    cannot(agent.Notice, "decision "+voids),
			agent.End:     cannot(agent.Notice, "continue:false is ignored"),
		},
	}
}

func preCompact() agent.Row {
	return agent.Row{
		Native: "PreCompact", Name: hook.PreCompact,
		Fires: "before a compaction (trigger: manual, auto)",
		Cells: agent.Cells{
			agent.End:     can(asEnd, "interrupts the turn; `codex exec` exits 1"),
			agent.Notice:  can(asNotice, inExec),
			agent.Deny:    cannot(agent.Notice, "there is no veto: the one answer that counts interrupts the turn"),
			agent.Context: cannot(agent.Later, "hookSpecificOutput "+voids),
		},
	}
}

func postCompact() agent.Row {
	r := preCompact()
	r.Native, r.Name = "PostCompact", hook.PostCompact
	r.Fires = "after a compaction"
	r.Cells[agent.End].Note = "interrupts the turn after the summary was made"
	r.Cells[agent.Deny].Note = "it has happened"
	return r
}

// newEvents came with 0.171.0. 0.144.5 ignores the unknown names in silence.
func newEvents() []agent.Row {
	short := agent.Limit{Register: time.Second, Cap: 3 * time.Second, Opens: true}
	return []agent.Row{{
		Native: "SessionEnd", Name: hook.SessionEnd, Since: version,
		Fires:   "at the end of exec, when the terminal is left, when a thread is archived (reason: always other)",
		NotIn:   []string{"tui (with its daemon)"},
		Timeout: short,
		Cells: agent.Cells{
			agent.Deny:    cannot(agent.None, "no answer counts"),
			agent.Context: cannot(agent.None, "no answer counts"),
			agent.Notice:  cannot(agent.Later, "shown to nobody"),
		},
	}, {
		Native: "Interrupt", Since: version,
		Fires:   "at Esc, and when exec stops while a goal is active",
		Timeout: short,
		Proof:   src(),
		Cells: agent.Cells{
			agent.Notice:  can(asNotice, ""),
			agent.Deny:    cannot(agent.Notice, "it has happened"),
			agent.Context: cannot(agent.Later, "there is no field for it"),
		},
	}, {
		Native: "PreModelRequest", Since: version,
		Fires: "before each request to the model (kind: sampling, foreground_compaction)",
		Hot:   eachReq,
		Cells: agent.Cells{agent.Deny: cannot(agent.None, "no answer counts")},
	}, {
		Native: "PostModelRequest", Since: version,
		Fires: "after each request to the model, with token_usage",
		Hot:   eachReq,
		Cells: agent.Cells{agent.Deny: cannot(agent.None, "no answer counts")},
	}}
}
