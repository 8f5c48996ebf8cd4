package wire

import "strconv"

// ErrKind says in which way an input was unreadable.
type ErrKind uint8

// The kinds of errors. Their String is a stable word for the journal.
const (
	Empty      ErrKind = iota + 1 // the input ended before anything but blanks and byte order marks
	Truncated                     // the input ended inside the value
	TooBig                        // more than Limits.Bytes without a complete value
	TooDeep                       // more than Limits.Depth arrays and objects inside each other
	Encoding                      // bytes outside strings that are not UTF-8 or UTF-16 text
	Syntax                        // not JSON; for Read also a value that is not an object
	Duplicate                     // an object has the same key twice
	Deadline                      // Limits.Time is over, or the context ended
	Unreadable                    // the reader itself failed (closed file, directory, I/O error)
)

// String returns the stable word for the kind: "empty", "truncated", "too big",
// "too deep", "encoding", "syntax", "duplicate", "deadline" or "unreadable".
func (k ErrKind) String() string {
	switch k {
	case Empty:
		return "empty"
	case Truncated:
		return "truncated"
	case TooBig:
		return "too big"
	case TooDeep:
		return "too deep"
	case Encoding:
		return "encoding"
	case Syntax:
		return "syntax"
	case Duplicate:
		return "duplicate"
	case Deadline:
		return "deadline"
	case Unreadable:
		return "unreadable"
	}
	return "unknown"
}

// Error is the one error type of this package.
type Error struct {
	Kind ErrKind
	// Offset counts the bytes before the fault, byte order marks included. It is
	// the offset in the input, except behind UTF-16 or replaced bytes, where it
	// counts in the UTF-8 text that was made of the input.
	Offset int64
	// Key is the decoded key for Duplicate, else "".
	Key string
	// Msg says in plain words what is wrong.
	Msg string
	// Err is the cause for Deadline and Unreadable, else nil.
	Err error
}

// Error returns, for instance,
// "failed to read JSON: truncated at byte 12: the input ends inside a string".
func (e *Error) Error() string {
	s := "failed to read JSON: " + e.Kind.String() + " at byte " + strconv.FormatInt(e.Offset, 10) + ": " + e.Msg
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
