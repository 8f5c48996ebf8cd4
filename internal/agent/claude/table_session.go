package claude

import (
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// sessionEvents are those about the session as a whole.
func sessionEvents() []agent.Row {
	return []agent.Row{{
		Native: "SessionStart", Name: hook.SessionStart,
		Fires: "at the start (source: startup, resume, clear, compact, fork)",
		Cut:   cut(), NoExit: true,
		Cells: agent.Cells{
			agent.Context: can(asContext, ""),
			agent.Notice:  can(asNotice, noticeOld),
			agent.Rest:    can(asRest, "initialUserMessage, sessionTitle, watchPaths, reloadSkills, terminalSequence"),
			agent.Deny:    cannot(agent.Notice, onlyTold),
			agent.End:     cannot(agent.None, noStop),
		},
	}, {
		Native: "Setup",
		Fires:  "with --init, --init-only and --maintenance (trigger: init, maintenance)",
		Cut:    cut(),
		Cells: agent.Cells{
			agent.Context: read(asContext, "was not seen in the request of --init"),
			agent.Notice:  read(asNotice, noticeOld),
			agent.Rest:    read(asRest, ""),
			agent.Deny:    {Else: agent.Notice, Note: onlyTold, Proof: src()},
			agent.End:     cannot(agent.None, noStop),
		},
	}, {
		Native: "InstructionsLoaded",
		Fires:  "for each instruction file that is loaded (load_reason: session_start, nested_traversal, path_glob_match, include, compact)",
		NoExit: true,
		Cells:  onlyRest("terminalSequence"),
	}, {
		Native: "SessionEnd", Name: hook.SessionEnd,
		Fires:   "at the end and on /clear (reason: other in `-p` and on signals, clear, prompt_input_exit, resume, logout)",
		Timeout: agent.Limit{Register: 1500 * time.Millisecond, Cap: time.Minute, Opens: true},
		NoExit:  true,
		Cells:   onlyRest("terminalSequence"),
	}, {
		Native: "Notification", Name: hook.Notification,
		Fires:  "when the user is wanted (notification_type: permission_prompt, idle_prompt, auth_success, elicitation_dialog, …)",
		NotIn:  []string{"-p"},
		NoExit: true,
		Cells:  onlyRest("terminalSequence; additionalContext is ignored"),
	}}
}

// promptEvents are those about what the user types.
func promptEvents() []agent.Row {
	return []agent.Row{{
		Native: "UserPromptSubmit", Name: hook.UserPromptSubmit,
		Fires: "for each prompt; 2.1.332 also for injected <task-notification> prompts; not for built-in slash commands",
		// The default is 30 s, less than a handler may take.
		Timeout: limit(time.Minute),
		Cut:     cut(),
		Cells: agent.Cells{
			agent.Deny:    can(asBlock, "no request; the prompt leaves the history, the user sees the reason; `-p` exits 0 with that text as its result"),
			agent.Context: can(asContext, ""),
			agent.End:     can(asEnd, "no request, but the prompt stays in the history and goes along with the next one"),
			agent.Notice:  can(asNotice, noticeOld),
			agent.Rest:    can(asRest, "sessionTitle, suppressOriginalPrompt, suppressOutput, terminalSequence"),
		},
	}, {
		Native: "UserPromptExpansion",
		Fires:  "when a typed slash command expands into a prompt; in 2.1.220 before UserPromptSubmit, in 2.1.332 after it",
		Cut:    cut(),
		Cells: agent.Cells{
			agent.Deny:    can(asBlock, "the command is not expanded, the user sees the reason"),
			agent.Context: read(asContext, ""),
			agent.End:     read(asEnd, ""),
			agent.Notice:  read(asNotice, noticeOld),
			agent.Rest:    read(asRest, "suppressOriginalPrompt (2.1.332), terminalSequence"),
		},
	}, {
		Native: "PreSkillShellCommand", Since: version,
		Fires: "before a shell command that stands inline in a skill or command file",
		Cells: agent.Cells{
			agent.Deny:    can(`hookSpecificOutput.permissionDecision "deny"`, "the command does not run; ask and defer keep it from running as well, since nobody can be asked"),
			agent.End:     read(asEnd, "the skill is stopped"),
			agent.Notice:  read(asNotice, ""),
			agent.Rest:    read(asRest, ""),
			agent.Rewrite: cannot(agent.None, "never applied: any updatedInput keeps the command from running"),
			agent.Allow:   cannot(agent.None, "nothing is asked here"),
		},
	}}
}
