// Package qwen is everything hookspan knows about the hooks of Qwen Code (@qwen-code/qwen-code):
// where they are found, what arrives, what can be answered.
//
// Qwen Code began as a fork of Gemini CLI and then took Claude Code's event names and answers. It
// has Gemini's tools, Claude's words, and rules of its own for half of them, so a hook for either
// does something else here. FACTS.md lists the differences.
//
// Invariants, each a test:
//
//   - no opinion is nothing on stdout and nothing on stderr: with an empty stdout Qwen reads stderr;
//   - an answer is one JSON object on stdout with exit code 0;
//   - a deny before a tool is said twice in it, since the word alone is undone by another hook's
//     allow;
//   - continue:false is never said on Stop, where it means the reverse;
//   - UserPromptSubmit with an empty prompt is Qwen's repeat after each tool call, no event: Decode
//     gives it no name, and the run then answers silence.
//
// The package must not know other agents, manifests, files or processes.
package qwen
