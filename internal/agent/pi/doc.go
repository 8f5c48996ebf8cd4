// Package pi is everything hookspan knows about the hooks of Pi (@earendil-works/pi-coding-agent): where
// its extensions are found, what arrives, what can be answered, and the bridge between the two.
//
// Pi runs functions in its own process, not programs, so [Bridge] generates an extension that starts
// hookspan. What arrives is what the bridge sends: {"event"} as Pi handed it to the extension, less what
// repeats the conversation, and "ctx", which is the bridge's own: what it read from the handler's second
// argument (cwd, mode, session) and what it has kept of earlier events (turn, last answer). What is
// answered is {"ops":[…]}, a list of operations that the bridge applies (see encode.go and bridge.js).
//
// Invariants, each a test:
//
//   - no opinion is nothing on stdout, and the exit code is always 0: every other code is a failure;
//   - an operation is a word that the row allows; the bridge decides nothing by itself;
//   - the bridge never throws when it is loaded, since that would end Pi: it has one export, a function,
//     imports node:child_process alone and is plain JavaScript.
//
// The package must not know other agents, manifests, files or processes. FACTS.md lists what differs
// from common belief.
package pi
