// Package cursor is everything hookspan knows about the hooks of Cursor, in the IDE and in its
// command line: where they are found, what arrives, what can be answered.
//
// Neither was ever run here. What is marked `source` was read in the hook runtime that Cursor ships
// as @cursor/sdk 1.0.32, and its parts were called one by one; all else is from documents and other
// people's probes. FACTS.md lists what differs from common belief.
//
// Invariants, each a test:
//
//   - an event on which something can be refused is always answered with an object, also where the
//     input could not be read: Cursor starts hooks in a login shell, and whatever a profile prints
//     in front of an empty answer is a refusal there;
//   - no value stands in an answer that Cursor's schema refuses, since that is a refusal as well;
//   - a rewrite of a key that Cursor ignores is never said: the original would run.
//
// The package must not know other agents, manifests, files or processes.
package cursor
