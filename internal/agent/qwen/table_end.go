package qwen

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

func endEvents() []agent.Row {
	return []agent.Row{subagentStart(), subagentStop(), preCompact(), postCompact(), stop(), stopFailure(), sessionEnd()}
}

func subagentStart() agent.Row {
	return agent.Row{
		Native: "SubagentStart", Name: hook.SubagentStart,
		Fires: "when the agent tool starts a child",
		Cells: agent.Cells{
			agent.Context: cannot(agent.Later, "additionalContext reached no request of the child"),
			agent.Notice:  cannot(agent.Later, unseen),
			agent.Deny:    cannot(agent.Notice, "a block is ignored"),
			agent.End:     cannot(agent.Notice, "continue:false is ignored"),
		},
	}
}

func subagentStop() agent.Row {
	return agent.Row{
		Native: "SubagentStop", Name: hook.SubagentStop,
		Fires: "when a child is about to stop",
		Cells: agent.Cells{
			agent.Continue: can(asBlock, "the reason becomes the child's next task; cut after 8 blocks in a row"),
			agent.End:      can("nothing: the child stops by itself", "continue:false means keep working; the text is in the debug log only"),
			agent.Deny:     cannot(agent.Continue, "a block here means keep working"),
			agent.Context:  cannot(agent.Later, "additionalContext is ignored here"),
			agent.Feedback: cannot(agent.Later, "additionalContext is ignored here"),
			agent.Notice:   cannot(agent.Later, unseen),
		},
	}
}

func stop() agent.Row {
	return agent.Row{
		Native: "Stop", Name: hook.Stop,
		Fires: "when the turn is about to end",
		Cells: agent.Cells{
			agent.Continue: can(asBlock, "the reason is the next user message; cut after 8 blocks in a row, QWEN_CODE_STOP_HOOK_BLOCK_CAP, at most 100"),
			agent.End:      can("nothing but its text as systemMessage: the turn ends by itself", "continue:false means keep working here, the reverse of Claude"),
			agent.Notice:   can(asNotice, "of several hooks the last one is shown"),
			agent.Deny:     cannot(agent.Continue, "a block here means keep working"),
			agent.Context:  cannot(agent.Later, "additionalContext is ignored here"),
			agent.Feedback: cannot(agent.Later, "additionalContext is ignored here"),
		},
	}
}

func preCompact() agent.Row {
	return agent.Row{
		Native: "PreCompact", Name: hook.PreCompact,
		Fires: "before the conversation is compacted (trigger: manual, auto)",
		Cells: agent.Cells{
			agent.Context: cannot(agent.Later, "additionalContext becomes instructions for the summary, not context"),
			agent.Deny:    cannot(agent.Notice, "the program says that exit 2 blocks compaction, and does not look"),
			agent.End:     cannot(agent.Notice, "continue:false is ignored"),
			agent.Notice:  cannot(agent.Later, unseen),
		},
	}
}

func postCompact() agent.Row {
	return agent.Row{
		Native: "PostCompact", Name: hook.PostCompact,
		Fires: "after the conversation was compacted (trigger: manual, auto)",
		Proof: src(),
		Cells: nothing(),
	}
}

func stopFailure() agent.Row {
	return agent.Row{
		Native: "StopFailure",
		Fires:  "when an API error or a loop ends the turn, in place of Stop",
		Proof:  src(),
		Cells:  nothing(),
	}
}

func sessionEnd() agent.Row {
	return agent.Row{
		Native: "SessionEnd", Name: hook.SessionEnd,
		Fires: "at exit and on /clear (reason: prompt_input_exit, clear)",
		NotIn: []string{"-p"},
		Cells: nothing(),
	}
}
