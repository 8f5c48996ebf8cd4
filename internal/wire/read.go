package wire

import (
	"context"
	"errors"
	"io"
	"strconv"
	"time"
)

// The limits of Read where Limits says nothing.
const (
	DefaultBytes = 32 << 20
	DefaultDepth = 500
)

// maxDepth is the most that Limits.Depth allows: functions over whole values may
// call themselves once per level.
const maxDepth = 10_000

// Limits bounds what Read accepts. Zero fields mean the defaults.
type Limits struct {
	// Bytes is the most text, as UTF-8, up to the end of the value, blanks before
	// it included; DefaultBytes if 0.
	Bytes int
	// Depth is the most arrays and objects inside each other; DefaultDepth if 0,
	// at most 10 000.
	Depth int
	// Time is how long Read may take; without limit if 0.
	Time time.Duration
}

func (l Limits) orDefault() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	if l.Depth <= 0 {
		l.Depth = DefaultDepth
	}
	l.Bytes = min(l.Bytes, maxBytes)
	l.Depth = min(l.Depth, maxDepth)
	return l
}

// Notes tells what Read mended or left behind.
type Notes struct {
	BOMs     int  // byte order marks before the value
	UTF16    bool // the input was UTF-16
	Replaced int  // broken characters in strings that became U+FFFD
	// Trailing says that something other than blanks had already arrived behind
	// the value. Read never waits for it, so it depends on how the writer wrote.
	Trailing bool
	// Head is the beginning of the text where no value could be read, at most 4 KiB: for telling
	// what it was meant to be, never for acting on it.
	Head string
}

// Read returns the first complete JSON object of a stream, and returns at its
// last byte: it never waits for the end of input, which may never come, and
// leaves alone what follows. Every hook payload is an object; any other value is
// a Syntax error.
//
// UTF-8 and UTF-16, with or without byte order marks, are read; broken characters
// inside strings become U+FFFD and are counted. The value's text is otherwise
// verbatim.
//
// Read gives up when ctx ends or lim.Time is over; a goroutine may then stay
// behind in r.Read until that returns. The error is an *Error.
func Read(ctx context.Context, r io.Reader, lim Limits) (Value, Notes, error) {
	lim = lim.orDefault()
	src := newSource(ctx, r, lim.Time)
	defer src.stop()
	f := framer{lim: lim, scan: newScanner(lim.Depth)}
	f.scan.stream = true
	for {
		chunk, fault := src.next()
		done, err := f.add(chunk, fault == io.EOF)
		if err == nil && !done && fault != nil {
			err = f.end(fault)
		}
		if err != nil {
			return Value{}, f.failed(), err
		}
		if done {
			return f.value(), f.notes(), nil
		}
	}
}

// framer collects text until it holds one value.
type framer struct {
	lim      Limits
	dec      decoder
	scan     scanner
	text     []byte
	replaced int
}

// add reports whether the value is complete.
func (f *framer) add(chunk []byte, last bool) (bool, *Error) {
	f.text = f.dec.decode(f.text, chunk, last)
	err := f.scan.scan(f.text[:min(len(f.text), f.lim.Bytes)])
	for _, at := range f.dec.fixes {
		if at < f.scan.pos {
			f.replaced++
		}
	}
	switch {
	case err != nil:
		return false, err
	case f.scan.state == complete:
		return true, nil
	case len(f.text) > f.lim.Bytes:
		return false, f.scan.fail(TooBig, f.lim.Bytes, "no complete JSON object in "+strconv.Itoa(f.lim.Bytes)+" bytes")
	}
	return false, nil
}

// end explains an input that stopped before the value was complete.
func (f *framer) end(fault error) *Error {
	var e *Error
	if errors.Is(fault, io.EOF) {
		return f.scan.finish()
	}
	if !errors.As(fault, &e) {
		e = f.scan.fail(Unreadable, 0, "the input cannot be read")
		e.Err = fault
	}
	e.Offset = int64(f.scan.pos)
	return e
}

func (f *framer) value() Value { return Value{f.text[f.scan.start:f.scan.end:f.scan.end]} }

// maxHead bounds Notes.Head.
const maxHead = 4 << 10

func (f *framer) failed() Notes {
	n := f.notes()
	n.Head = string(f.text[:min(len(f.text), maxHead)])
	return n
}

func (f *framer) notes() Notes {
	n := Notes{
		BOMs:     f.scan.boms,
		UTF16:    f.dec.form == formUTF16LE || f.dec.form == formUTF16BE,
		Replaced: f.replaced,
	}
	if f.scan.state == complete {
		n.Trailing = skipBlanks(f.text, f.scan.end) < len(f.text)
	}
	return n
}
