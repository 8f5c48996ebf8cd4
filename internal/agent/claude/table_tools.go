package claude

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// The events of tool calls. All of them fire in subagents too, with agent_id.

func preToolUse() agent.Row {
	const form = "hookSpecificOutput.permissionDecision, exit 0"
	return agent.Row{
		Native: "PreToolUse", Name: hook.PreToolUse,
		Fires:   "before the permission question and the call; not for calls that fail validation",
		Narrow:  agent.NarrowExact,
		Cut:     cut(),
		Failing: goesOn + "; with onFailure:\"block\" (2.1.332) as exit 2",
		Cells: agent.Cells{
			agent.Allow:    can(form, "skips the permission question, with updatedInput for the new input"),
			agent.Ask:      can(form, "a dialog in every mode; in `-p` the call is not run"),
			agent.Defer:    can(form, "`-p`: the session ends; in the terminal it is ignored and the call runs"),
			agent.Deny:     can(form+" with permissionDecisionReason", "the model gets the reason"),
			agent.Rewrite:  can("hookSpecificOutput.updatedInput", "replaces the input; alone it is checked like a fresh call"),
			agent.Context:  can(asContext, "also beside a deny"),
			agent.End:      can(asEnd, "the call runs, then the turn ends; a deny beside it stops the call"),
			agent.Notice:   can(asNotice, noticeOld),
			agent.Rest:     can(asRest, ""),
			agent.Feedback: cannot(agent.Context, "nothing has happened yet"),
		},
	}
}

func permissionRequest() agent.Row {
	const form = "hookSpecificOutput.decision, exit 0"
	return agent.Row{
		Native: "PermissionRequest", Name: hook.PermissionRequest,
		Fires:  "when the user would be asked; in `-p` only since 2.1.332. It carries no tool_use_id",
		Narrow: agent.NarrowExact,
		NoExit: true,
		Cells: agent.Cells{
			agent.Allow:   can(form, "runs without the dialog"),
			agent.Ask:     can(asNothing, "in `-p` nobody can be asked, and the call is not run"),
			agent.Deny:    can(form, "the model gets message; interrupt:true ends the turn"),
			agent.Rewrite: can("decision.updatedInput", "only beside an allow of the same handler; else it becomes a deny"),
			agent.Rest:    can(asRest, "decision.updatedPermissions, decision.interrupt"),
			agent.End:     cannot(agent.None, noStop),
			agent.Context: cannot(agent.None, "there is no field for it"),
			agent.Notice:  cannot(agent.Later, "systemMessage is not shown here"),
		},
	}
}

func permissionDenied() agent.Row {
	return agent.Row{
		Native: "PermissionDenied",
		Fires:  "when auto mode has refused a call",
		Narrow: agent.NarrowExact,
		NoExit: true,
		Cells: agent.Cells{
			agent.Rest: can(asRest, "retry:true tells the model that it may try once more"),
			agent.Deny: cannot(agent.None, noNo),
			agent.End:  cannot(agent.None, noStop),
		},
	}
}

func postToolUse() agent.Row {
	return agent.Row{
		Native: "PostToolUse", Name: hook.PostToolUse,
		Fires:  "after a call that succeeded; not after a denial or a break by the user",
		Narrow: agent.NarrowExact,
		Cut:    cut(),
		Cells: agent.Cells{
			agent.Feedback: can(asBlock, "the result stays visible beside it"),
			agent.Context:  can(asContext, ""),
			agent.Output:   can("hookSpecificOutput.updatedToolOutput", "must have the tool's own shape: a string is ignored for Bash, and is fine for MCP"),
			agent.End:      can(asEnd, "`-p`: the result is empty; no Stop"),
			agent.Notice:   can(asNotice, noticeOld),
			agent.Rest:     can(asRest, "classifierContext (2.1.332), suppressOutput, terminalSequence"),
			agent.Deny:     cannot(agent.Feedback, "it has happened"),
			agent.Continue: cannot(agent.Feedback, ""),
		},
	}
}

func postToolUseFailure() agent.Row {
	return agent.Row{
		Native: "PostToolUseFailure", Name: hook.PostToolUseFailure,
		Fires:  "after a call that failed, also a command with another exit code than 0; not for calls that fail validation",
		Narrow: agent.NarrowExact,
		Cut:    cut(),
		Cells: agent.Cells{
			agent.Feedback: can(asBlock, "the error stays visible beside it"),
			agent.Context:  can(asContext, ""),
			agent.Notice:   can(asNotice, noticeOld),
			agent.Rest:     can(asRest, "suppressOutput, terminalSequence"),
			agent.Output:   cannot(agent.None, "updatedToolOutput is ignored on a failure"),
			agent.End:      {Else: agent.None, Note: noStop, Proof: src()},
			agent.Deny:     cannot(agent.Feedback, "it has happened"),
			agent.Continue: cannot(agent.Feedback, ""),
		},
	}
}

func postToolBatch() agent.Row {
	return agent.Row{
		Native: "PostToolBatch",
		Fires:  "once after all calls of one answer, also those that never ran",
		Cut:    cut(),
		Cells: agent.Cells{
			agent.Deny:    can(asBlock, "the turn ends at once; the model is told nothing"),
			agent.End:     can(asEnd, ""),
			agent.Context: can(asContext, ""),
			agent.Notice:  read(asNotice, noticeOld),
			agent.Rest:    read(asRest, "terminalSequence"),
		},
	}
}
