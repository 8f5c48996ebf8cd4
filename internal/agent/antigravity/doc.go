// Package antigravity is everything hookspan knows about the hooks of Google Antigravity, in the IDE
// and in its command line, agy, which share one engine and one file.
//
// Everything here is from documents and other people's reports; nothing was run, and every cell of
// the tables says `doc`. Where reports contradict each other the words were chosen that do no harm
// under any of them. FACTS.md lists what differs from common belief.
//
// Invariants, each a test:
//
//   - no opinion before a tool is nothing on stdout: an object without a decision is a refusal there;
//   - on the other events it is {}, and no answer has a member that the engine does not know, since
//     one such member rejects the answer as a whole;
//   - the exit code is always 0: reports disagree on what another one does.
//
// The package must not know other agents, manifests, files or processes.
package antigravity
