package claude

import (
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// The events around the end of a turn, of a subagent, of a task.

func stop() agent.Row {
	return agent.Row{
		Native: "Stop", Name: hook.Stop,
		Fires: "when the turn ends by itself; not after Esc or an API error (StopFailure)",
		Cut:   cut(),
		Cells: agent.Cells{
			agent.Continue: can(asBlock, "the 9th in a row is overridden, a tool call between starts the count anew; over the cap the result of `-p` is empty"),
			agent.Context:  can(asContext, "the model goes on at once, and Stop fires again"),
			agent.End:      can(asEnd, "the turn ends; the model gets stopReason with the next prompt"),
			agent.Notice:   can(asNotice, noticeOld),
			agent.Rest:     can(asRest, "suppressOutput, terminalSequence"),
			agent.Deny:     cannot(agent.Continue, "a no here means keep working"),
			agent.Feedback: cannot(agent.Context, ""),
		},
	}
}

func subagentStop() agent.Row {
	r := stop()
	r.Native, r.Name = "SubagentStop", hook.SubagentStop
	r.Fires = "when a subagent ends; also for the agent of a compaction, with an empty agent_type and no SubagentStart"
	r.Cells[agent.End].Note = "the subagent ends"
	r.Cells[agent.Context].Note = "the subagent goes on at once"
	return r
}

func stopFailure() agent.Row {
	return agent.Row{
		Native: "StopFailure",
		Fires:  "in place of Stop when an API error ended the turn (error: rate_limit, overloaded, authentication_failed, …)",
		NoExit: true,
		Cells:  onlyRest("terminalSequence"),
	}
}

func messageDisplay() agent.Row {
	return agent.Row{
		Native:  "MessageDisplay",
		Fires:   "for each batch of lines of an answer that is being shown",
		Timeout: agent.Limit{Register: 10 * time.Second, Opens: true},
		Hot:     "fires for each batch of lines while an answer streams",
		NoExit:  true,
		Failing: "the lines are shown as they are",
		Cells:   onlyRest("displayContent replaces the lines on the screen; the model's copy stays"),
	}
}

func subagentStart() agent.Row {
	return agent.Row{
		Native: "SubagentStart", Name: hook.SubagentStart,
		Fires: "when a subagent starts",
		Cut:   cut(), NoExit: true,
		Cells: agent.Cells{
			agent.Context: can(asContext, "for the subagent"),
			agent.Rest:    read(asRest, "terminalSequence"),
			agent.Deny:    {Else: agent.None, Note: noNo, Proof: src()},
			agent.End:     {Else: agent.None, Note: noStop, Proof: src()},
			agent.Notice:  cannot(agent.Later, "systemMessage goes into the subagent's own messages"),
		},
	}
}

// taskEvents are those of the task list and of agent teams.
func taskEvents() []agent.Row {
	return []agent.Row{{
		Native: "TaskCreated",
		Fires:  "when a task is about to be created; the Task tools are off by default in 2.1.332",
		Proof:  agent.Fact{Level: agent.Live, Version: oldVersion, Date: date},
		Cells: agent.Cells{
			agent.Deny: can(asBlock, "no task; the model gets the reason"),
			agent.Rest: read(asRest, "terminalSequence"),
			agent.End:  {Else: agent.None, Note: noStop, Proof: src()},
		},
	}, {
		Native: "TaskCompleted",
		Fires:  "when a task is about to be marked as completed; in a team also when a teammate stops with open tasks",
		Proof:  agent.Fact{Level: agent.Live, Version: oldVersion, Date: date},
		Cells: agent.Cells{
			agent.Deny: can(asBlock, "the task stays open; the model gets the reason"),
			agent.End:  read(asEnd, "counts for teammates; elsewhere it is ignored"),
			agent.Rest: read(asRest, "terminalSequence"),
		},
	}, {
		Native: "TeammateIdle",
		Fires:  "when a teammate is about to go idle",
		Proof:  src(),
		Cells: agent.Cells{
			agent.Deny: can(asBlock, "the teammate keeps working; it gets the reason"),
			agent.End:  can(asEnd, "the teammate stops"),
			agent.Rest: can(asRest, "terminalSequence"),
		},
	}}
}
