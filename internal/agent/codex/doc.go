// Package codex is everything hookspan knows about the hooks of the Codex CLI (OpenAI's
// @openai/codex): where they are found and trusted, what arrives, what can be answered.
//
// Codex speaks a protocol that looks like Claude's and is stricter: it knows fewer words, and one
// key or value outside its schema voids the whole answer, a deny with it. Files are edited by
// patches, there is no tool that reads, and a tool's result can be replaced but not commented.
// FACTS.md lists what differs from common belief.
//
// Invariants, each a test:
//
//   - every answer is valid by the schemas in the shipped program, in each combination of words;
//   - an answer is one JSON object with exit code 0, or nothing: exit code 2 without text fails
//     open, and plain text fails on Stop;
//   - "allow" stands only beside updatedInput, which Codex requires; it grants nothing there, the
//     new command is still asked for;
//   - a reason is never blank.
//
// The package must not know other agents, manifests, files or processes.
package codex
