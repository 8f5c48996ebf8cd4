package opencode

import (
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

const (
	silence = "exit 0, nothing on stdout"
	// What the bridge does where OpenCode itself knows no program.
	missing = "the bridge says so once and goes on"
	blocks  = "the bridge says so once and goes on; with on_failure: block it blocks the call"
)

// The forms on the wire.
const (
	asBlock   = `op block: the bridge throws`
	asKept    = `op context: kept by the bridge; the session's next tool result or prompt carries it`
	asNotice  = `op notice: a toast in the terminal, a line on stderr in run`
	asEnd     = `op end: the bridge aborts the session; run exits 1`
	asNothing = `nothing`
)

const hot = "fires for every request to the model"

func live() agent.Fact { return agent.Fact{Level: agent.Live, Version: version, Date: date} }
func src() agent.Fact  { return agent.Fact{Level: agent.Source, Version: version, Date: date} }

func can(as, note string) agent.Cell { return agent.Cell{Can: true, As: as, Note: note} }

func cannot(instead agent.Word, note string) agent.Cell { return agent.Cell{Else: instead, Note: note} }

// limit is the bridge's own: OpenCode waits for a hook for ever.
func limit(d time.Duration) agent.Limit { return agent.Limit{Register: d, Opens: true} }

func events(yield func(*agent.Row) bool) {
	agent.Yield(yield, complete, []func() agent.Row{
		sessionCreated, sessionResumed, chatMessage, toolBefore, toolAfter, partUpdated, permissionAsked,
		permissionWaiting, compacting, compacted, sessionIdle, dispose, commandBefore,
	}, requestHooks, busEvents)
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
	if !r.Cells[agent.Notice].Can && r.Native != "dispose" && r.Native != "permission.ask" {
		r.Cells[agent.Notice] = can(asNotice, "")
	}
}

func sessionCreated() agent.Row {
	return agent.Row{
		Native: "event.session.created", Name: hook.SessionStart,
		Fires:    "when the first prompt makes the session (source: startup); for a subagent's session it is SubagentStart",
		Timeout:  limit(10 * time.Minute),
		Children: true,
		Cells:    startCells(),
	}
}

func sessionResumed() agent.Row {
	return agent.Row{
		Native: "event.session.resumed", Name: hook.SessionStart,
		Fires:   "told by the bridge at the first prompt of a session that was made earlier, for which OpenCode has no event (source: resume)",
		Timeout: limit(10 * time.Minute),
		Cells:   startCells(),
	}
}

func startCells() agent.Cells {
	return agent.Cells{
		agent.Context: can("op context: the bridge adds it to the session's first prompt, which waits for it", "hidden from the user (synthetic)"),
		agent.Deny:    cannot(agent.Notice, "the session is there already"),
		agent.End:     cannot(agent.Notice, "nothing runs yet"),
	}
}

func chatMessage() agent.Row {
	return agent.Row{
		Native: "chat.message", Name: hook.UserPromptSubmit,
		Fires:   "for each prompt of the user; the bridge leaves out those of subagents and its own",
		Timeout: limit(10 * time.Minute),
		Cells: agent.Cells{
			agent.Deny: can(asBlock+`; nothing is stored and no request is made`,
				"run exits 1; OpenCode says only \"Unexpected server error\", so the bridge shows the reason"),
			agent.Context: can("op context: a further part of the prompt", "hidden from the user (synthetic)"),
			agent.End:     cannot(agent.Deny, "no turn has begun"),
		},
	}
}

func toolBefore() agent.Row {
	return agent.Row{
		Native: "tool.execute.before", Name: hook.PreToolUse,
		Fires:    "before the arguments are checked and before the permission question; also for unknown tools (tool invalid) and MCP tools",
		Timeout:  limit(10 * time.Minute),
		Narrow:   agent.NarrowExact,
		Missing:  blocks,
		Failing:  blocks,
		Children: true,
		Cells: agent.Cells{
			agent.Allow:   can("op allow: the bridge answers OpenCode's permission question for this call with once", "the question is shown for a moment"),
			agent.Ask:     cannot(agent.Deny, "permission.ask is never called, and a plugin cannot open a question"),
			agent.Deny:    can(asBlock, "the model reads the reason as the tool's result, word for word"),
			agent.Rewrite: can("op set: one key of the arguments, in place", "the recorded call shows the new input: the model believes that it asked for it"),
			agent.Context: can("op context: behind the call's result; in the reason where it is blocked", "kept for the next result or prompt where the call fails"),
			agent.End:     can(asEnd, "the call is not run"),
		},
	}
}

func toolAfter() agent.Row {
	return agent.Row{
		Native: "tool.execute.after", Name: hook.PostToolUse,
		Fires:    "after a call that succeeded; a shell command with another exit code than 0 has (metadata.exit)",
		Timeout:  limit(10 * time.Minute),
		Narrow:   agent.NarrowExact,
		Children: true,
		Cells: agent.Cells{
			agent.Context:  can("op context: behind the result", ""),
			agent.Feedback: can("op context: behind the result", ""),
			agent.Output:   can("op output: in place of the result's text", ""),
			agent.Deny:     cannot(agent.Feedback, "a throw would replace the result by the error"),
			agent.End:      can(asEnd, ""),
		},
	}
}

func partUpdated() agent.Row {
	return agent.Row{
		Native: "event.message.part.updated", Name: hook.PostToolUseFailure,
		Fires: "when a tool call has failed (part.state.status error), without waiting; in run also at the end of the turn (Stop). " +
			"The bridge leaves out every other part, and calls that a hook or the user refused",
		Timeout:  limit(10 * time.Minute),
		Narrow:   agent.NarrowExact,
		Children: true,
		Cells: agent.Cells{
			agent.Context:  can(asKept, "the error itself cannot be changed any more"),
			agent.Feedback: can(asKept, ""),
			agent.Deny:     cannot(agent.Feedback, "it has happened"),
			agent.Output:   cannot(agent.Feedback, "the error is stored already"),
			agent.End:      can(asEnd, ""),
		},
	}
}

func sessionIdle() agent.Row {
	return agent.Row{
		Native: "event.session.idle", Name: hook.Stop,
		Fires: "when the turn is over because the model has finished; not after an interruption or an error. In run, which leaves then, the bridge tells " +
			"it earlier, at the model's last step (event.message.part.updated). Of a subagent's session it is SubagentStop",
		Timeout: limit(10 * time.Minute),
		Cells:   stopCells(),
	}
}

func stopCells() agent.Cells {
	return agent.Cells{
		agent.Continue: can("op prompt: the bridge sends the reason as a prompt with the same agent and model", "OpenCode has no cap"),
		agent.End:      can(asNothing+": the turn ends; its text is a notice", ""),
		agent.Deny:     cannot(agent.Continue, "a no here means keep working"),
		agent.Context:  cannot(agent.Later, "the turn is over"),
		agent.Feedback: cannot(agent.Later, "the turn is over"),
	}
}

func permissionAsked() agent.Row {
	return agent.Row{
		Native: "event.permission.asked", Name: hook.PermissionRequest,
		Fires:    "when a permission question is about to be shown; in run, which rejects it by itself, the bridge answers first",
		Timeout:  limit(10 * time.Minute),
		Narrow:   agent.NarrowExact,
		Children: true,
		Cells: agent.Cells{
			agent.Allow:   can("op allow: answered with once", "in the terminal the user may be faster"),
			agent.Ask:     can(asNothing+": OpenCode asks", "run rejects"),
			agent.Deny:    can("op block: rejected with the reason; the turn goes on", "in the terminal the user may be faster"),
			agent.Rewrite: cannot(agent.Deny, "the arguments are fixed by then"),
			agent.Context: cannot(agent.Later, ""),
			agent.End:     cannot(agent.Deny, ""),
		},
	}
}

func permissionWaiting() agent.Row {
	return agent.Row{
		Native: "event.permission.waiting", Name: hook.Notification,
		Fires: "told by the bridge with event.permission.asked: somebody is asked (notification_type: permission_prompt)",
		NotIn: []string{"run"},
	}
}

func compacting() agent.Row {
	return agent.Row{
		Native: "experimental.session.compacting", Name: hook.PreCompact,
		Fires:   "before a compaction, by hand or automatic; which of them is not told",
		Timeout: limit(10 * time.Minute),
		Cells: agent.Cells{
			agent.Context: can("op context: at the end of the prompt for the summary", ""),
			agent.Deny:    cannot(agent.Notice, "a throw breaks the turn"),
			agent.End:     cannot(agent.Notice, ""),
		},
	}
}

func compacted() agent.Row {
	return agent.Row{
		Native: "event.session.compacted", Name: hook.PostCompact,
		Fires: "after a compaction, without waiting",
		Cells: agent.Cells{
			agent.Context: can(asKept, ""),
			agent.Deny:    cannot(agent.Notice, ""),
			agent.End:     cannot(agent.Notice, ""),
		},
	}
}

func dispose() agent.Row {
	return agent.Row{
		Native: "dispose", Name: hook.SessionEnd,
		Fires:   "when OpenCode leaves, once for each session that had a prompt; not when it is killed",
		Timeout: limit(30 * time.Second),
	}
}

func commandBefore() agent.Row {
	return agent.Row{
		Native: "command.execute.before",
		Fires:  "for a slash command, before the chat.message that it becomes",
		Cells: agent.Cells{
			agent.Deny:    can(asBlock, "as chat.message"),
			agent.Context: can("op context: a further part of the command's prompt", ""),
		},
	}
}

// childStart is event.session.created of a subagent's session.
func childStart(r agent.Row) agent.Row {
	r.Name = hook.SubagentStart
	r.Cells[agent.Context] = can("op context: the bridge adds it to the subagent's task", "hidden from the user (synthetic)")
	return r
}

// childStop is event.session.idle of a subagent's session: the tool call that started it returns.
func childStop(r agent.Row) agent.Row {
	r.Name = hook.SubagentStop
	r.Cells[agent.Continue] = cannot(agent.Notice, "the subagent's session is over, and its result is on the way")
	return r
}

// lastStep is event.message.part.updated at the end of a turn of run.
func lastStep(r agent.Row) agent.Row {
	r.Name, r.Narrow, r.Children = hook.Stop, agent.NarrowNo, false
	r.Cells = stopCells()
	r.Cells[agent.Notice] = can(asNotice, "")
	return r
}

// unnamed is an event that here does not mean what its row means.
func unnamed(r agent.Row) agent.Row {
	r.Name = ""
	r.Cells = agent.Cells{agent.Notice: can(asNotice, "")}
	return r
}
