// Package state is everything that hookspan remembers between two runs: the journal, sessions,
// answers of calls, running copies of handlers, compiled manifests.
//
// It exists because each hook call is a process of its own, and several of them run at once: an
// agent starts one for each of its parallel tool calls, and two registrations may fire for the same
// call. So there is no server and no memory, only files that many processes write at the same time.
//
// # Invariants
//
//   - A write is an append, a claim (a file that only one process can create, rename or lock) or a
//     whole new file put in place by one rename. Nothing is read, changed and written back without
//     a lock.
//   - A file's name is a hash of ids, never an id: "../../x" and "s1\n" are ids like any other.
//   - Folders are 0700, files 0600, and files that are written once are 0400 (see [Store.Seal]).
//   - The journal is at most 64 MiB, a record at most 256 KiB on one line, whatever it is given.
//   - Nothing is created before there is something to write, and a state folder that is missing,
//     read-only or full never changes an answer: it costs memory of the past, told by an error.
//   - What is read is bounded and checked. It may have been cut by a full disk or put there by
//     somebody else.
//
// # Layout
//
//	journal/current.jsonl, journal/000000000001.jsonl, ...   one JSON object a line, oldest number first
//	last.json        the last record
//	sessions/SESSION/   facts, notices, claims and counters of one session
//	calls/CALL       the answer of a call, locked while it is being found
//	slots/HANDLER.N  locked while a copy of the handler runs
//	plans/, good/, trust/   sealed files: compiled manifests, last good manifests, grants
//	locks/, tmp/     what the others need
//
// # What it must not know
//
// Agents, manifests, and what a decision means. It stores words and bytes.
package state
