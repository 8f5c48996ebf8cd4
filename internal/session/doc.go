// Package session starts an agent with hooks for one session: the verb `with`.
//
// What an agent takes for one session is data (agent.With); what a registration holds is install's
// affair. This package puts the two into a private folder, starts the agent there, and removes the folder
// when the agent has ended.
//
// # Invariants
//
//   - No file outside of the session's folder is written. The agent keeps its own state as ever.
//   - The person's arguments, standard input and output, and terminal reach the agent as they are, and
//     its exit code comes back.
//   - The folder is 0700 and goes with the agent, whatever ends it; what a killed process leaves behind,
//     the next session removes.
//   - What the machine's owner has set stays in force: a settings file of the machine that ours stands
//     in for is carried over, or the session is refused.
//
// It must not know what a hook answers, nor which agent is which.
package session
