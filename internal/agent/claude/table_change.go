package claude

import (
	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/agent"
)

// changeEvents are those about what changes around the conversation: its summary, the model, MCP
// questions, settings, folders and worktrees.
func changeEvents() []agent.Row {
	rows := append([]agent.Row{preCompact(), postCompact()}, modelEvents()...)
	rows = append(rows, elicitation("Elicitation", "when an MCP server wants to ask the user", live()),
		elicitation("ElicitationResult", "when the user has answered an MCP server's question", src()))
	rows = append(rows, configChange())
	rows = append(rows, folderEvents()...)
	return append(rows, worktreeEvents()...)
}

func preCompact() agent.Row {
	return agent.Row{
		Native: "PreCompact", Name: hook.PreCompact,
		Fires: "before a compaction (trigger: manual, auto)",
		Cut:   agent.Cut{Chars: 10000, How: "2.1.332 cuts the end off"},
		Cells: agent.Cells{
			agent.Deny:    can(asExit, "the compaction is refused, the user sees why"),
			agent.Context: can(asText, "goes into the instructions of the summary, raw; JSON would stand there as text"),
			agent.End:     cannot(agent.None, noStop),
			agent.Notice:  cannot(agent.Later, "stdout goes into the summary's instructions"),
		},
	}
}

func postCompact() agent.Row {
	return agent.Row{
		Native: "PostCompact", Name: hook.PostCompact,
		Fires:  "after a compaction, with compact_summary",
		NoExit: true,
		Cells: agent.Cells{
			agent.Notice: read(asText, "shown to the user, raw"),
			agent.Deny:   cannot(agent.None, noNo),
			agent.End:    cannot(agent.None, noStop),
		},
	}
}

func modelEvents() []agent.Row {
	const form = "hookSpecificOutput.permissionDecision, exit 0"
	return []agent.Row{{
		Native: "PreModelSwitch", Since: version,
		Fires: "before a switch of the model that the user asked for",
		Cells: agent.Cells{
			agent.Allow:  read(form, "skips the question about the lost prompt cache"),
			agent.Ask:    read(form, "the user confirms; without one the switch is refused"),
			agent.Deny:   read(form, "the model stays"),
			agent.Notice: read(asNotice, ""),
			agent.Rest:   read(asRest, "terminalSequence"),
			agent.End:    {Else: agent.None, Note: noStop, Proof: src()},
		},
	}, {
		Native: "PostModelSwitch", Since: version,
		Fires: "after the model has changed, whatever the cause",
		Cut:   cut(),
		Cells: agent.Cells{
			agent.Context: read(asContext, "reaches the new model with its first request"),
			agent.Notice:  read(asNotice, ""),
			agent.Rest:    read(asRest, "terminalSequence"),
			agent.Deny:    {Else: agent.Notice, Note: onlyTold, Proof: src()},
			agent.End:     {Else: agent.None, Note: noStop, Proof: src()},
		},
	}}
}

// elicitation is a row of a question of an MCP server. 2.1.220 takes decision:"block" with exit 0
// for plain text there, so the no is the exit code.
func elicitation(native, fires string, proof agent.Fact) agent.Row {
	return agent.Row{
		Native: native, Fires: fires, Proof: proof,
		Cells: agent.Cells{
			agent.Deny: read(asExit, "the server gets a decline"),
			agent.Rest: {Can: true, As: asRest, Note: "action accept, decline or cancel, with content: answers in the user's place"},
			agent.End:  {Else: agent.None, Note: noStop, Proof: src()},
		},
	}
}

func configChange() agent.Row {
	return agent.Row{
		Native: "ConfigChange",
		Fires:  "when a settings or skill file changes in a session (source: user_settings, project_settings, local_settings, policy_settings, skills)",
		NotIn:  []string{"-p"},
		Cells: agent.Cells{
			agent.Deny: can(asExit, "the old settings stay in force; ignored for policy_settings"),
			agent.Rest: read(asRest, "terminalSequence"),
			agent.End:  {Else: agent.None, Note: noStop, Proof: src()},
		},
	}
}

func folderEvents() []agent.Row {
	watch := agent.Cells{
		agent.Notice: read(asNotice, "terminal only"),
		agent.Rest:   read(asRest, "watchPaths, terminalSequence"),
		agent.Deny:   {Else: agent.Notice, Note: onlyTold, Proof: src()},
		agent.End:    cannot(agent.None, noStop),
	}
	added := watch
	added[agent.Notice] = read(asNotice, "reaches the model, as a notification")
	added[agent.Rest] = read(asRest, "terminalSequence")
	added[agent.Deny] = agent.Cell{Else: agent.None, Note: noNo, Proof: src()}
	return []agent.Row{{
		Native: "CwdChanged", Cells: watch,
		Fires: "after the working folder has changed (`cd` in a command)",
	}, {
		Native: "FileChanged", Cells: watch,
		Fires: "when a watched file changes",
		Hot:   "its matcher is the list of files to watch, so it cannot be registered for all files",
	}, {
		Native: "DirectoryAdded", NoExit: true, Cells: added,
		Fires: "after /add-dir (source: slash_command, register_repo_root)",
		NotIn: []string{"-p"},
	}}
}

func worktreeEvents() []agent.Row {
	return []agent.Row{{
		Native:  "WorktreeCreate",
		Fires:   "when a worktree is wanted",
		Danger:  "registering it replaces git worktrees: the answer must be the path of a worktree that the handler has made",
		Silence: "the path on stdout; without one no worktree is made",
		Missing: "no worktree is made",
		Failing: "no worktree is made",
		Cells: agent.Cells{
			agent.Context: can(asText, "its last line is the path of the new worktree"),
			agent.Deny:    read(asExit, "no worktree is made"),
			agent.End:     cannot(agent.None, noStop),
		},
	}, {
		Native: "WorktreeRemove",
		Fires:  "when a worktree that a hook has made is to be removed; exit 0 says that it is gone",
		Danger: "it is the removal itself: exit 0 tells Claude that the worktree is gone",
		Cells: agent.Cells{
			agent.Deny: {Can: true, As: asExit, Note: "it was not removed; the worktree stays", Proof: src()},
			agent.Rest: read(asRest, "terminalSequence"),
			agent.End:  cannot(agent.None, noStop),
		},
	}}
}
