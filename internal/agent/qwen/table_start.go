package qwen

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

func startEvents() []agent.Row {
	return []agent.Row{sessionStart(), userPromptSubmit(), userPromptExpansion()}
}

func sessionStart() agent.Row {
	return agent.Row{
		Native: "SessionStart", Name: hook.SessionStart,
		Fires: "at the start, on resume, on /clear (source: startup, resume, clear)",
		Cells: agent.Cells{
			agent.Context: can(asContext, "at the end of the system prompt, < and > escaped"),
			agent.Notice:  cannot(agent.Later, unseen),
			agent.Deny:    cannot(agent.Notice, "a block is ignored"),
			agent.End:     cannot(agent.Notice, "continue:false is ignored"),
		},
	}
}

func userPromptSubmit() agent.Row {
	return agent.Row{
		Native: "UserPromptSubmit", Name: hook.UserPromptSubmit,
		Fires: "for each prompt and each Stop continuation; again after every tool call with an empty prompt, which is no event for handlers",
		Cells: agent.Cells{
			agent.Deny:    can(asBlock, "no request; headless prints nothing at all and exits 0, the terminal shows the reason"),
			agent.End:     can(asEnd, "as a deny"),
			agent.Context: can(asContext, "a further part behind the prompt, < and > escaped"),
			agent.Notice:  cannot(agent.Later, unseen),
			agent.Allow:   cannot(agent.None, "nothing is asked here"),
		},
	}
}

func userPromptExpansion() agent.Row {
	return agent.Row{
		Native: "UserPromptExpansion",
		Fires:  "when a slash command becomes a prompt, before UserPromptSubmit",
		Cut:    agent.Cut{Chars: 10000, How: "cut at the end after the escaping of & < >"},
		Cells: agent.Cells{
			agent.Deny:    can(asBlock, "no request; headless exits 1 with the reason"),
			agent.Context: can(asContext, "behind the prompt's text, so UserPromptSubmit sees it in prompt"),
			agent.Notice:  cannot(agent.Later, unseen),
			agent.End:     cannot(agent.Deny, "a block ends it here"),
		},
	}
}
