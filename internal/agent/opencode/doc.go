// Package opencode is everything hookspan knows about the hooks of OpenCode (opencode-ai): where its
// plugins are found, what arrives, what can be answered, and the bridge between the two.
//
// OpenCode runs functions in its own process, not programs, so [Bridge] generates a plugin that starts
// hookspan. What arrives is what the bridge sends: {"hook","input","output","directory","worktree"} as
// OpenCode handed it to the plugin, and "ctx", which is the bridge's own: what it has kept of earlier
// hooks (parent of a subagent, turn, last answer). What is answered is {"ops":[…]}, a list of operations
// that the bridge applies (see encode.go and bridge.js).
//
// Invariants, each a test:
//
//   - no opinion is nothing on stdout, and the exit code is always 0: every other code is a failure;
//   - an operation is a word that the row allows; the bridge decides nothing by itself;
//   - the bridge never throws when it is loaded, exports one function and imports node:child_process alone.
//
// The package must not know other agents, manifests, files or processes. FACTS.md lists what differs
// from common belief.
package opencode
