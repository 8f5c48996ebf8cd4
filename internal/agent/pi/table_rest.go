package pi

import "github.com/hookspan/hookspan/internal/agent"

// otherEvents are the events that no common event means. The bridge passes them on where they are asked for.
func otherEvents() []agent.Row {
	const (
		request = "fires for every request to the model"
		stream  = "fires many times for each answer, and the stream waits"
	)
	rows := []agent.Row{
		{Native: "before_agent_start", Fires: "once for each prompt that starts a turn, after input; not for one that is sent while a turn runs",
			Cells: agent.Cells{agent.Context: can("op context: a message behind the prompt", "hidden from the user")}},
		{Native: "project_trust", Fires: "before a project's extensions are loaded, where trust is undecided; the bridge has no session then"},
		{Native: "resources_discover", Fires: "after session_start"},
		{Native: "agent_start", Fires: "when the agent loop starts"},
		{Native: "agent_end", Fires: "when the agent loop ends; it may go on"},
		{Native: "agent_settled", Fires: "when a run is over for good"},
		{Native: "turn_start", Fires: "before each request to the model", Hot: request},
		{Native: "turn_end", Fires: "after each answer and its tool calls", Hot: request},
		{Native: "context", Fires: "each request to the model, with the whole conversation", Hot: request},
		{Native: "context_with_system", Fires: "each request to the model, with the whole conversation", Hot: request},
		{Native: "before_provider_headers", Fires: "each request to the model", Hot: request},
		{Native: "before_provider_request", Fires: "each request to the model", Hot: request},
		{Native: "after_provider_response", Fires: "each request to the model", Hot: request},
		{Native: "provider_stream_event", Fires: "for each piece of a streamed answer", Hot: stream},
		{Native: "message_start", Fires: "when a message begins", Hot: "fires for every message"},
		{Native: "message_update", Fires: "for each piece of a streamed answer", Hot: stream},
		{Native: "message_end", Fires: "when a message is complete", Hot: "fires for every message"},
		{Native: "tool_execution_start", Fires: "for each call, also of unknown tools and with invalid arguments", Hot: "fires beside every tool_call"},
		{Native: "tool_execution_update", Fires: "for each piece of a tool's output", Hot: "fires many times for each call"},
		{Native: "tool_execution_end", Fires: "after each call, also those that were blocked, unknown or invalid", Hot: "fires beside every tool_result"},
		{Native: "session_compact_failed", Fires: "when a compaction fails or is cancelled"},
		{Native: "user_bash", Fires: "for a shell command that the user types behind ! or !!", NotIn: []string{"print", "json"}},
		{Native: "session_before_switch", Fires: "before /new and /resume", NotIn: []string{"print", "json"}},
		{Native: "session_before_fork", Fires: "before /fork", NotIn: []string{"print", "json"}, Proof: src()},
		{Native: "session_before_tree", Fires: "before the user moves in the tree of the session", NotIn: []string{"print", "json"}, Proof: src()},
		{Native: "session_tree", Fires: "after the user moved in the tree of the session", NotIn: []string{"print", "json"}, Proof: src()},
		{Native: "session_info_changed", Fires: "when the session gets a name", Proof: src()},
		{Native: "model_select", Fires: "when a model is chosen", Proof: src()},
		{Native: "thinking_level_select", Fires: "when the thinking level is chosen", Proof: src()},
		{Native: "ui_prompt_end", Fires: "when an extension no longer waits for the user", Proof: src()},
		{Native: "mcp_servers_change", Fires: "when MCP servers change", Proof: src()},
		{Native: "cache_warming_decision", Fires: "before the provider's cache is kept warm", Proof: src()},
	}
	return rows
}
