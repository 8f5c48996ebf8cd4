// Package splice edits other people's settings files and gives them back.
//
// It has two halves that know nothing of each other. A [Doc] is a text in memory, JSON, JSON with comments, or TOML:
// [Parse], look with Get, change with Append, Set, Require and Remove, take Bytes and [Undo]. A [Store] puts bytes into
// files: Update locks, reads, asks for the new bytes, and replaces the file in one step.
//
// # What always holds
//
//   - An edit changes the text at the place it names. Every other byte stays: comments, order, indentation, the spelling
//     of numbers and strings, byte order mark, line breaks, the last line break or its absence. New text looks like its
//     neighbours.
//   - The result of an edit is read again before it counts. A text that its reader would refuse is neither accepted nor
//     made.
//   - Exact undo is the identity: while the file is what was written, [Undo.Exact] returns the very bytes from before,
//     or that there was no file. It is checked when the record is made and again when it is used.
//   - After foreign edits, [Doc.Revert] takes out our parts, wherever they stand and however they are laid out, and the
//     lists and objects that were made for them once they are empty. What others have put beside ours, or into it, stays.
//   - What cannot be edited for certain is refused with file, line, reason and hint, and nothing has changed: broken
//     text, a key on the path that stands twice, a string where an object is needed, dotted keys inside of brackets.
//   - Whatever happens to the process, a file is the old one or the new one. A change that another program makes
//     meanwhile is kept: the plan is made again. Mode, owner, attributes and links stay. Nothing is left beside the
//     file; what a killed process leaves there, the next Update of that file removes.
//   - Where nothing changes, nothing is written.
//
// # What it must not know
//
// Agents, hooks, events and the product's own entries: which file, which path and which value is the caller's business,
// and so is the ledger that keeps the Undo. Nor does it print, or read variables.
package splice
