package qwen

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

func toolEvents() []agent.Row {
	return []agent.Row{permissionRequest(), preToolUse(), postToolUse(), postToolUseFailure(), postToolBatch(), permissionDenied()}
}

func permissionRequest() agent.Row {
	return agent.Row{
		Native: "PermissionRequest", Name: hook.PermissionRequest,
		Fires:  "before a permission question; in the terminal before PreToolUse",
		NotIn:  []string{"-p"},
		Narrow: agent.NarrowExact, Children: true,
		Cells: agent.Cells{
			agent.Allow:   can(`hookSpecificOutput.decision {"behavior":"allow"}`, "the question is not asked"),
			agent.Deny:    can(`hookSpecificOutput.decision {"behavior":"deny","message":…}`, "exit 2 has no effect here"),
			agent.Ask:     can(asNothing, ""),
			agent.Rewrite: cannot(agent.Deny, "updatedInput counts only with an allow, which a rewrite must not say"),
			agent.End:     cannot(agent.Deny, "interrupt is read and not used"),
			agent.Context: cannot(agent.Later, "no field for it"),
			agent.Notice:  cannot(agent.Later, unseen),
		},
	}
}

func preToolUse() agent.Row {
	return agent.Row{
		Native: "PreToolUse", Name: hook.PreToolUse,
		Fires:  "before a call, after the permission question; not for unknown or disabled tools",
		Narrow: agent.NarrowExact, Children: true,
		Cells: agent.Cells{
			agent.Deny:    can(asDeny, "the model gets the bare reason as the result; without continue:false the allow of a hook behind ours would undo it, an exit 2 as well"),
			agent.Ask:     can(`hookSpecificOutput.permissionDecision "ask"`, "headless it is a refusal with the reason"),
			agent.Allow:   cannot(agent.None, "the permission question was before; PermissionRequest can allow"),
			agent.Rewrite: cannot(agent.Deny, "updatedInput is ignored: the original would run"),
			agent.End:     cannot(agent.Deny, "continue:false refuses the call, the turn goes on"),
			agent.Context: cannot(agent.Later, "additionalContext is ignored here; PostToolUse carries it"),
			agent.Notice:  cannot(agent.Later, unseen),
		},
	}
}

func postToolUse() agent.Row {
	return agent.Row{
		Native: "PostToolUse", Name: hook.PostToolUse,
		Fires:  "after a call that succeeded",
		Narrow: agent.NarrowExact, Children: true,
		Cells: agent.Cells{
			agent.Context:  can(asContext, "behind the result, < and > escaped"),
			agent.Feedback: cannot(agent.Context, noBlock),
			agent.Deny:     cannot(agent.Context, noBlock),
			agent.Output:   can(`{"continue":false,"stopReason":…}`, "the text takes the result's place as an error, the turn goes on; context goes into it, since additionalContext is dropped then"),
			agent.End:      cannot(agent.Notice, "continue:false replaces the result, the turn goes on"),
			agent.Notice:   cannot(agent.Later, unseen),
		},
	}
}

func postToolUseFailure() agent.Row {
	return agent.Row{
		Native: "PostToolUseFailure", Name: hook.PostToolUseFailure,
		Fires:  "after a call that failed, also a command with another exit code than 0",
		Narrow: agent.NarrowExact, Children: true,
		Cells: agent.Cells{
			agent.Context:  can(asContext, "behind the error"),
			agent.Feedback: cannot(agent.Context, noBlock),
			agent.Deny:     cannot(agent.Context, noBlock),
			agent.End:      cannot(agent.Notice, noEnd),
			agent.Notice:   cannot(agent.Later, unseen),
		},
	}
}

func postToolBatch() agent.Row {
	return agent.Row{
		Native:   "PostToolBatch",
		Fires:    "when all calls of one answer are done, also those of unknown tools",
		Children: true,
		Cells: agent.Cells{
			agent.Context:  can(asContext, "behind the last result"),
			agent.Feedback: cannot(agent.Context, "a block takes the place of a result"),
			agent.Deny:     cannot(agent.Context, "a block takes the place of a result, the turn goes on"),
			agent.End:      cannot(agent.Notice, "continue:false takes the place of a result, the turn goes on"),
			agent.Notice:   cannot(agent.Later, unseen),
		},
	}
}

func permissionDenied() agent.Row {
	return agent.Row{
		Native:   "PermissionDenied",
		Fires:    "when the classifier of the mode auto refused a call",
		Narrow:   agent.NarrowExact,
		Children: true,
		Proof:    src(),
		Cells:    nothing(),
	}
}

// nothing is the vocabulary of events on which every answer is ignored.
func nothing() agent.Cells {
	return agent.Cells{
		agent.Context: cannot(agent.Later, ignored),
		agent.Notice:  cannot(agent.Later, ignored),
		agent.Deny:    cannot(agent.Notice, ignored),
		agent.End:     cannot(agent.Notice, ignored),
	}
}
