// Package gemini is everything hookspan knows about the hooks of Gemini CLI (Google's
// @google/gemini-cli): where they are found, what arrives, what can be answered.
//
// Gemini has its own event names (BeforeTool, AfterAgent, ...), its own tool names with keys close
// to Claude's, and no id of a tool call. FACTS.md lists what differs from common belief.
//
// Invariants, each a test:
//
//   - no opinion is nothing on stdout and nothing on stderr: with an empty stdout Gemini reads
//     stderr as the answer;
//   - an answer is one JSON object on stdout with exit code 0: a plain text decides by exit code,
//     and every code but 0 and 1 blocks;
//   - "ask" is never said: without a terminal it ends the whole run, and no payload tells whether
//     there is one.
//
// The package must not know other agents, manifests, files or processes.
package gemini
