// Package guard holds the built-in rules: pure functions of an event, with nothing to install.
//
// Invariant: a guard can only refuse, and two calls with the same event say the same. It knows tool
// calls and files, no agent, and starts no program.
package guard
