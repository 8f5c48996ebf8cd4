package state

import (
	"bytes"
	"context"
	"io"
	"iter"
	"os"
	"time"
)

// followEvery is how often Follow looks for new records.
const followEvery = 200 * time.Millisecond

// Follow yields the records that are written from now on, until the context ends or the reader
// stops.
func (s *Store) Follow(ctx context.Context, f Filter) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		var r follower
		defer func() { r.file.Close() }()
		if file, err := s.open(s.path("journal", currentName), os.O_RDONLY); err == nil {
			r.file = file
			r.at, _ = file.Seek(0, io.SeekEnd)
		}
		for {
			// Look for a successor before reading: what is read then is the whole of a closed segment.
			next := s.successor(r.file)
			if !r.read(f, yield) {
				next.Close()
				return
			}
			if next != nil {
				r.file.Close()
				r = follower{file: next}
				continue
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(followEvery):
			}
		}
	}
}

// successor opens the segment that was begun after the open one; nil if that is the current one.
// Several segments may have been closed since we looked last.
func (s *Store) successor(file *os.File) *os.File {
	var ours os.FileInfo
	if file != nil {
		ours, _ = file.Stat()
	}
	if now, err := os.Lstat(s.path("journal", currentName)); err != nil || os.SameFile(now, ours) {
		return nil
	}
	for range attempts {
		if closed := s.after(ours); closed != nil {
			next, _ := s.open(closed.path, os.O_RDONLY)
			return next
		}
		next, err := s.open(s.path("journal", currentName), os.O_RDONLY)
		if err != nil {
			return nil
		}
		if s.after(ours) == nil {
			return next
		}
		next.Close() // closed while we opened it
	}
	return nil
}

// after returns the closed segment that follows ours; nil if there is none, and where nothing was
// open. If ours was removed, all that are left are newer.
func (s *Store) after(ours os.FileInfo) *segment {
	if ours == nil {
		return nil
	}
	closed := s.segments()
	for i := range closed {
		info, err := os.Lstat(closed[i].path)
		if err != nil || !os.SameFile(info, ours) {
			continue
		}
		if i+1 < len(closed) {
			return &closed[i+1]
		}
		return nil
	}
	if len(closed) > 0 {
		return &closed[0]
	}
	return nil
}

// follower reads a file that grows.
type follower struct {
	file *os.File
	at   int64
	rest []byte // of a line that is not complete yet
}

// read yields the complete lines behind the place where it stopped; false if the reader wants no more.
func (r *follower) read(f Filter, yield func(Record, error) bool) bool {
	if r.file == nil {
		return true
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := r.file.ReadAt(buf, r.at)
		r.at += int64(n)
		r.rest = append(r.rest, buf[:n]...)
		for {
			line, behind, found := bytes.Cut(r.rest, []byte{'\n'})
			if !found {
				break
			}
			r.rest = behind
			if line = bytes.TrimSpace(line); len(line) > 0 && !emit(r.file.Name(), 0, line, nil, f, yield) {
				return false
			}
		}
		if len(r.rest) > recordMax {
			r.rest = nil
		}
		if err != nil || n == 0 {
			return true
		}
	}
}
