package splice

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Fault says which law a file or an edit breaks.
type Fault uint8

// The faults. Nothing has been written when one of them is returned.
const (
	Syntax     Fault = iota + 1 // the text is not in the caller's format
	Duplicate                   // a key on the path of an edit stands twice
	Shape                       // something on the path is no object, no list, or not there
	Encoding                    // UTF-16, NUL bytes, or bytes that are not UTF-8
	TooBig                      // more than MaxSize bytes, or nested deeper than MaxDepth
	NotFile                     // a folder, a pipe, a device
	BadLink                     // a link that leads nowhere, or to itself
	Outside                     // a link that leads out of Store.Root
	HardLink                    // the file has a second name, which a replacement would cut off
	ReadOnly                    // the file is marked read-only
	Permission                  // the file or its folder may not be read or written
	Owner                       // owner, group or attributes could not be kept
	Busy                        // the lock is held, or another program keeps changing the file
	IO                          // the system failed: disk full, bad disk
)

// Error is a refusal. It names the file, the place, what is wrong and what to do.
type Error struct {
	Fault  Fault
	Path   string // the file, as the caller named it
	Line   int    // from 1; 0: the whole file
	Column int    // in characters, from 1; 0: the whole line
	What   string // what is wrong
	Hint   string // what to do about it; may be empty
	Err    error  // the system's error, if it caused this one
}

// Error returns "FILE:LINE:COLUMN: what: cause; hint".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Path)
	if e.Line > 0 {
		b.WriteString(":" + strconv.Itoa(e.Line))
	}
	if e.Line > 0 && e.Column > 0 {
		b.WriteString(":" + strconv.Itoa(e.Column))
	}
	b.WriteString(": " + e.What)
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Unwrap returns the system's error.
func (e *Error) Unwrap() error { return e.Err }

// fail makes an Error at an offset of a text.
func fail(f Fault, name string, text []byte, at int, what, hint string) *Error {
	line, column := position(text, at)
	return &Error{Fault: f, Path: name, Line: line, Column: column, What: what, Hint: hint}
}

// position turns an offset into line and column, both from 1. A byte order mark takes no column.
func position(text []byte, at int) (line, column int) {
	at = min(at, len(text))
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	line = bytes.Count(text[:at], []byte{'\n'}) + 1
	return line, utf8.RuneCount(bytes.TrimPrefix(text[start:at], []byte(bom))) + 1
}
