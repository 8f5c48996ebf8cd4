// Package wire reads the first JSON object of a stream and gives strict access
// to it: members keep their order, keys match exactly, digits stay as they were
// written.
//
// It exists because agents start a hook with a payload on standard input that
// may come in several writes, with byte order marks, in UTF-16, with broken
// UTF-8 or lone surrogates inside strings, and that may never be followed by an
// end of input. A decoder that waits for the end hangs, and one that turns
// numbers into float64, matches keys without regard to case, or lets the last of
// two equal keys win shows a guard something else than what the agent will run.
//
// # Invariant
//
// The text of a Value is always one complete JSON value (RFC 8259) in valid
// UTF-8, in which no object has the same key twice. So the accessors never fail:
// a question that does not fit the value is answered with the zero value.
// Nothing in this package recurses on input that has not been bounded in depth.
//
// # What it must not know
//
// Agents, events, decisions, files and the journal. It imports neither reflect
// nor fmt nor encoding/json: this code runs before each tool call.
package wire
