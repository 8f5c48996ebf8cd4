// Package hook is the one language of hookspan: what happened in a coding agent (Event) and what
// a handler says about it (Decision), in Claude Code's words and JSON.
//
// It is for people who write hooks in Go (see the root package's Main) and for the stages of a
// run, which hand these two values to each other. It knows no agent, no file and no process.
//
// Words that are easily confused: an event's [Name] is its word ("PreToolUse"), an [Event] is one
// occurrence; an agent is the coding agent, a subagent is a child that it starts, [Tool] is what the
// agent calls; a hook is what the agent registers, a handler is ours.
//
// Invariant: what an agent did not send is absent here (nil or zero), never invented.
package hook
