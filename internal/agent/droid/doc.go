// Package droid is everything hookspan knows about the hooks of Factory's Droid (@factory/cli): where
// they are found, what arrives, what can be answered.
//
// Droid has Claude Code's events and keys, its own tool names, and half of Claude Code's answers.
// FACTS.md lists what differs from common belief.
//
// Invariants, each a test:
//
//   - a no is exit code 2 with the reason on stderr: of several permissionDecisions the first hook's
//     counts, an allow over our deny, and exit 2 survives it;
//   - "ask" is never said: it has no effect, and the call would run;
//   - what stands on stdout has a key that Droid knows: any other object is put into the conversation
//     as it is, plain text too;
//   - a rewrite holds the changed keys alone: Droid merges them into its input.
//
// The package must not know other agents, manifests, files or processes.
package droid
