// Package starter looks at a project and writes a first manifest for it: guards for the files that must
// not be read, the formatter of its language, its tests as a gate.
//
// Invariants: what it writes is a valid manifest that does something from the first call on; a command
// that is not certain stands in a comment; an existing file is never touched. It reads a project and
// starts nothing.
package starter
