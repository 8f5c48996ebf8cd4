package qwen

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// watchEvents are those that no common event means, but Notification.
func watchEvents() []agent.Row {
	return []agent.Row{{
		Native: "Notification", Name: hook.Notification,
		Fires: "auth_success, and in the terminal permission_prompt and idle_prompt",
		Cells: nothing(),
	}, {
		Native: "InstructionsLoaded",
		Fires:  "for each file of instructions that is loaded",
		Cells:  nothing(),
	}, {
		Native: "MessageDisplay",
		Fires:  "again and again while an answer is shown, with all of its text so far",
		Hot:    "fires again and again while an answer is shown",
		Cells:  nothing(),
	}, todo("TodoCreated", "when the model adds an item to its list", live()),
		todo("TodoCompleted", "when the model closes an item of its list", src()), {
			Native: "SessionDelete",
			Fires:  "after the user has deleted a session",
			Proof:  src(),
			Cells:  nothing(),
		}}
}

// todo is an event of todo_write, which is off unless tools.todoWrite.enabled is set.
func todo(native, fires string, proof agent.Fact) agent.Row {
	return agent.Row{
		Native: native,
		Fires:  fires + " (phase validation), and once it is written (phase postWrite, which can refuse nothing)",
		Proof:  proof,
		Cells: agent.Cells{
			agent.Deny:    can(asBlock, "the list stays as it was, the model reads why"),
			agent.End:     cannot(agent.Deny, noEnd),
			agent.Context: cannot(agent.Later, "no field for it"),
			agent.Notice:  cannot(agent.Later, unseen),
		},
	}
}

// written is an event of todo_write whose list is written already.
func written(r agent.Row) agent.Row {
	r.Cells = nothing()
	return r
}
