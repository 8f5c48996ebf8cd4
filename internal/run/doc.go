// Package run is the one run, from an agent's bytes to our answer:
//
//	stdin → wire → decode → engine (select, split, run, merge) → lower → encode → stdout, stderr, exit → journal
//
// Do computes; Main does what an agent sees: it writes the answer first and the journal after it.
//
// Laws, each a test:
//
//   - every exit 2 has a decision behind it: a crash, an unreadable input or a wrong argument never
//     leaves with 2 by accident (Go's panic and package flag do);
//   - no grant follows an error;
//   - what happens to the journal or the state never changes an answer.
package run
