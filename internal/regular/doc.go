// Package regular opens regular files the cheap way, for what agents start.
//
// os.OpenFile prepares every file for waiting (epoll), which a regular file never needs; the first
// one costs a whole run about as much as reading the manifest.
//
// Invariant: opening never waits, whatever lies at the path: a pipe without a writer is opened and
// told apart by its mode.
package regular
