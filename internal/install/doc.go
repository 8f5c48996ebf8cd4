// Package install registers hookspan in the agents and takes the registration out again.
//
// What is written where is data: agent.Setup. How a file is changed is splice's affair. This package
// decides which entries a file must hold, finds ours among those of others, and remembers in a ledger
// what it did.
//
// # Invariants
//
//   - An entry is ours by what it starts (a program named hookspan, then run, then the agent's name),
//     never by a comment, a marker or a text inside somebody else's command.
//   - Nothing to change, nothing written: no byte, no new file, no new time stamp. Agents tie trust to it.
//   - What is not ours keeps its bytes and, in Codex, the position that its trust hangs on.
//   - A refusal leaves every file of that agent as it was, and names the file, the line and what to do.
//   - Uninstall restores the very bytes where nobody else has edited since; else it takes out our parts.
//   - Killed at any moment, each file is the old one or the new one, and the next call sets all right.
//
// It must not know what a hook answers, nor run any handler.
package install
