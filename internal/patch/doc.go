// Package patch reads the texts in which agents describe changes of several files at once, and
// tells which files such a text touches: the `*** Begin Patch` dialect (Codex apply_patch, Droid
// ApplyPatch, OpenCode patchText, Copilot apply_patch) with [Parse], unified diffs with
// [ParseUnified].
//
// Invariant: a file that any of these agents would touch is in the result, also where the text is
// malformed. Guards depend on it, so the reading is wider than each agent's own: Codex accepts
// blanks before a header line, OpenCode a header without a blank after its colon, and a model
// writes "***Update File:" now and then. What could not be understood comes back as an error
// beside the files, never instead of them. The price is a file too many in a text that the agent
// would refuse anyway.
//
// The package must not know agents, tools, the file system or the working folder: paths come back
// as they were written, and making them absolute is the caller's part.
package patch
