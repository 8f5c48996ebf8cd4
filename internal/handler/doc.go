// Package handler starts the programs that people write as handlers, ends them in time, and reads
// what they answer.
//
// Three things stand here: [Command] runs one program, [Post] hands one request to the program
// hookspan-net, and [Answer] reads standard output, standard error and exit code by the rules of
// Claude Code, so that a handler has there the same effect through us as without us, but for the four
// differences that docs/protocol.md states.
//
// Invariants: nothing that went wrong is ever an opinion: a crash, a timeout, a missing script, an
// answer that cannot be read are errors, and the caller's on_failure decides. A run ends within its
// timeout, whatever the program and its children do.
//
// The package knows no agent, no manifest and no journal. It opens no connection.
package handler
