// Package copilot is everything hookspan knows about the hooks of GitHub Copilot CLI
// (@github/copilot): where they are found, what arrives, what can be answered.
//
// Copilot speaks two languages. A hook registered under a camelCase event (preToolUse) gets camelCase
// payloads without the event's name, and native tool names; one registered under a Pascal event
// (PreToolUse), as in a repository's .claude/settings.json, gets snake_case payloads that name the
// event, and Claude's tool names over native keys. Both are read here, and both are answered with the
// same words: those that Copilot honours in either. FACTS.md lists what differs from common belief.
//
// Invariants, each a test:
//
//   - one occurrence has one call key, in whichever language it arrives;
//   - exit code 2 is never said where it decides: before a tool its stderr reaches nobody, so a no is
//     JSON with exit code 0; elsewhere exit 2 only carries a text for the user;
//   - on permissionRequest stdout holds one JSON object or nothing: any other text there is a denial;
//   - tool arguments that are cut JSON text are an error, never a call without arguments.
//
// The package must not know other agents, manifests, files or processes.
package copilot
