package opencode

import "github.com/hookspan/hookspan/internal/agent"

// requestHooks are hooks that no common event means. The bridge passes them on where they are asked for.
func requestHooks() []agent.Row {
	system := agent.Cells{agent.Context: can("op context: a further system message, for this request alone", "not stored")}
	return []agent.Row{
		{Native: "shell.env", Fires: "before a shell is started, also for the user's own command"},
		{Native: "experimental.chat.system.transform", Fires: "each request to the model, also for titles and summaries", Hot: hot, Children: true, Cells: system},
		{Native: "experimental.chat.messages.transform", Fires: "each main request and each compaction, with the whole conversation", Hot: hot, Children: true},
		{Native: "chat.params", Fires: "each request to the model", Hot: hot, Children: true},
		{Native: "chat.headers", Fires: "each request to the model", Hot: hot, Children: true},
		{Native: "experimental.compaction.autocontinue", Fires: "after an automatic compaction"},
		{Native: "experimental.text.complete", Fires: "at the end of each text of an answer", Hot: "fires for each text of each answer", Children: true},
		{Native: "experimental.provider.small_model", Fires: "when a small model is chosen", Proof: src()},
		{Native: "tool.definition", Fires: "for each tool of each request", Hot: "fires a dozen times for every request to the model", Children: true},
		{Native: "config", Fires: "once at the start, with the merged configuration"},
		{Native: "permission.ask", Fires: "never: it is in the typings, and the program does not call it"},
	}
}

// busEvents are the events that nobody waits for.
func busEvents() []agent.Row {
	const often = "fires many times for each answer"
	rows := []agent.Row{
		{Native: "event.session.updated", Fires: "when a session's data change", Hot: "fires several times a turn"},
		{Native: "event.session.status", Fires: "busy, idle or retry", Hot: "fires for every request to the model"},
		{Native: "event.session.diff", Fires: "when the session's changes of files are summed up", Hot: "fires several times a turn"},
		{Native: "event.session.error", Fires: "when a turn fails or is interrupted"},
		{Native: "event.session.deleted", Fires: "when a session is deleted"},
		{Native: "event.message.updated", Fires: "when a message's data change", Hot: often},
		{Native: "event.message.part.delta", Fires: "for each piece of a streamed answer", Hot: often},
		{Native: "event.permission.replied", Fires: "when a permission question is answered"},
		{Native: "event.todo.updated", Fires: "when the list of tasks changes"},
		{Native: "event.file.edited", Fires: "when a tool has changed a file"},
		{Native: "event.file.watcher.updated", Fires: "when a file changes", Hot: "fires for every change of a file, by anybody"},
		{Native: "event.command.executed", Fires: "after a slash command"},
		{Native: "event.plugin.added", Fires: "at the start, for each plugin", Hot: "fires dozens of times at the start"},
		{Native: "event.catalog.updated", Fires: "when the list of models changes"},
		{Native: "event.integration.updated", Fires: "when an integration changes"},
		{Native: "event.reference.updated", Fires: "when a reference changes"},
	}
	for i := range rows {
		rows[i].Children = true
	}
	return rows
}
