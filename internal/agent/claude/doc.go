// Package claude is everything hookspan knows about the hooks of Claude Code: where they are found,
// what arrives, what can be answered.
//
// Claude's protocol is the one language of handlers, so nothing is translated here. The package
// holds the law of transparency: a handler has the same effect through us as it has without us, but for the
// differences that docs/protocol.md and FACTS.md state.
// Therefore the payload is handed on as it is ([hook.Event].Plain), a rewrite replaces the whole
// input as in Claude, and keys that only Claude knows are merged back into the answer. FACTS.md lists
// what differs from common belief.
//
// Invariants, each a test:
//
//   - a handler's input is the very payload and one member more, "hookspan";
//   - an answer is valid by the schemas of both known versions, whatever handlers said;
//   - no JSON is printed on the events whose stdout is taken raw (PreCompact, PostCompact,
//     WorktreeCreate);
//   - "allow" is printed only where a handler allowed the very input that is printed with it.
//
// The package must not know other agents, manifests, files or processes.
package claude
