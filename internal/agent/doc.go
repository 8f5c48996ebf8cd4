// Package agent holds what is common to all coding agents: the types of their tables, the one
// function that turns a decision into what an agent can say ([Lower]), and the lens that puts a
// rewrite back into an agent's own tool input ([Rewrite]).
//
//	internal/agent        the types and the generic stages (this package; knows no agent)
//	internal/agent/NAME   everything known about one agent: table, decode, encode, facts
//	internal/agent/all    the registry: one line an agent, and who called ([all.Detect])
//
// Laws, each a test:
//
//   - decode never panics, whoever sends whatever under whichever name (FuzzDecodeNeverPanics, in
//     internal/agent/all for every agent and every name, and in each agent's folder from its recordings);
//   - what Lower says, the row's table allows; Print refuses anything else, so encoders only print;
//   - a rewrite that changes nothing is the identity on the native bytes;
//   - nothing in here turns an error or a missing word into an Allow.
//
// An agent's folder imports hook, wire, agent, patch and sha256, nothing else of ours; what it wants to know
// of a machine it asks through a [Look]. This package must not know any agent's name, and no other but the
// registry may either.
package agent
