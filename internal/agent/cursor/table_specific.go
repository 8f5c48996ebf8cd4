package cursor

import (
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// specificEvents are those of one kind of call, which fire beside preToolUse and postToolUse. They
// are for people who register them on purpose: beforeShellExecution is the only event that can ask.
func specificEvents() []agent.Row {
	return []agent.Row{{
		Native: "beforeShellExecution", Name: hook.PreToolUse,
		Fires: "after preToolUse, before a command runs",
		Hot:   twice, Children: true,
		Cells: askingCells(can(asAsk, "forces a question; without a person it depends on the host")),
	}, {
		Native: "beforeMCPExecution", Name: hook.PreToolUse,
		Fires: "after preToolUse, before an MCP tool is called",
		NotIn: []string{inCloud},
		Hot:   twice, Children: true,
		Cells: askingCells(cannot(agent.Deny, "ask has no effect: the tool runs")),
	}, {
		Native: "beforeReadFile", Name: hook.PreToolUse,
		Fires: "after a file was read, before the model sees it",
		Hot:   twice, Children: true,
		Cells: askingCells(cannot(agent.Deny, "ask is no valid answer, which denies")),
	}, {
		Native: "afterShellExecution", Name: hook.PostToolUse,
		Fires: "after a command, also one that failed or took too long; no exit code is told",
		Hot:   twice, Children: true, Cells: mute(),
	}, {
		Native: "afterMCPExecution", Name: hook.PostToolUse,
		Fires: "after an MCP tool was called",
		NotIn: []string{inCloud},
		Hot:   twice, Children: true, Cells: mute(),
	}, {
		Native: "afterFileEdit", Name: hook.PostToolUse,
		Fires: "after a Write, before its postToolUse, with the changed parts",
		Hot:   twice, Children: true, Cells: mute(),
	}, {
		Native: "beforeTabFileRead",
		Fires:  "before a file is read for a completion, without any agent",
		NotIn:  []string{inTerminal, inPrint, inCloud},
		Hot:    "fires while the user types",
		Cells:  askingCells(cannot(agent.Deny, "ask is no valid answer, which denies")),
	}, {
		Native: "afterTabFileEdit",
		Fires:  "after a completion was taken",
		NotIn:  []string{inTerminal, inPrint, inCloud},
		Hot:    "fires while the user types",
		Cells:  mute(),
	}}
}

func askingCells(ask agent.Cell) agent.Cells {
	return agent.Cells{
		agent.Deny:     can(asDeny, `the model gets "… blocked by a hook: " and user_message; postToolUseFailure fires`),
		agent.Ask:      ask,
		agent.Allow:    cannot(agent.None, noGrant),
		agent.Rewrite:  cannot(agent.Deny, "updated_input counts on preToolUse alone"),
		agent.Context:  cannot(agent.Later, noField),
		agent.Feedback: cannot(agent.Context, noField),
		agent.End:      cannot(agent.Deny, noEnd),
	}
}

// mute is the vocabulary of events on which no answer counts: texts wait for one that has a field.
func mute() agent.Cells {
	const none = "no answer counts"
	return agent.Cells{
		agent.Context:  cannot(agent.Later, none),
		agent.Feedback: cannot(agent.Context, none),
		agent.Deny:     cannot(agent.Feedback, none),
		agent.Output:   cannot(agent.None, none),
		agent.End:      cannot(agent.Notice, none),
	}
}

// watchEvents have no common meaning, and no answer counts.
func watchEvents() []agent.Row {
	return []agent.Row{{
		Native:  "afterAgentResponse",
		Fires:   "after a message of the model",
		NotIn:   []string{inPrint},
		Timeout: limit(time.Minute),
		Hot:     "fires for each message of the model",
		Cells:   mute(),
	}, {
		Native:  "afterAgentThought",
		Fires:   "after a block of the model's thoughts",
		NotIn:   []string{inPrint},
		Timeout: limit(time.Minute),
		Hot:     "fires for each thought of the model",
		Cells:   mute(),
	}, {
		Native:  "workspaceOpen",
		Fires:   "when a workspace is opened; it carries no conversation",
		NotIn:   []string{inCloud},
		Since:   "2026.08.31",
		Timeout: limit(time.Minute),
		Hot:     "older versions do not know it, and one unknown event voids the whole file",
		Cells:   mute(),
	}}
}
