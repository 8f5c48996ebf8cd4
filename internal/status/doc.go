// Package status tells what is wired on this machine: agent by agent and event by event, whether our
// hooks are registered, whether anything stops them, and when they last fired.
//
// Where an agent keeps its hooks, what switches them off and how its own trust is read stand in the agent's
// folder (agent.Setup, Gates, FolderTrust), whose an entry is, is install's judgement, when an event last
// came is the journal's word. This package puts them side by side, says what to type, and knows no agent.
//
// # Invariants
//
//   - It reads and changes nothing, and starts nothing.
//   - What it cannot read it says; it never takes silence for a yes.
//   - What is off (Finding.Wrong) is something that is written down and does not work, or guards less than it
//     says. What is merely so (an agent without hooks, a folder that an agent will ask about) is a note.
//   - Each finding says what to do.
package status
