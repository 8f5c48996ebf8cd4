package state

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"
)

// Filter chooses records. Empty fields choose all.
type Filter struct {
	Since, Until time.Time // Since <= time < Until
	Agent        string
	Event        string // the common name or the agent's own
	Session      string
	Verdict      string
}

func (f Filter) takes(r *Record) bool {
	return (f.Since.IsZero() || !r.Time.Before(f.Since)) &&
		(f.Until.IsZero() || r.Time.Before(f.Until)) &&
		(f.Agent == "" || f.Agent == r.Agent) &&
		(f.Event == "" || f.Event == r.Event || f.Event == r.Native) &&
		(f.Session == "" || f.Session == r.Session) &&
		(f.Verdict == "" || f.Verdict == r.Verdict)
}

// Records yields the journal's records that the filter takes, in the order of writing. Each is
// yielded with a nil error; a line that is no record is yielded as an error that names its file and
// line, with the line in Record.Line, and reading goes on behind it.
func (s *Store) Records(f Filter) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		done := 0 // the number of the last segment that was read
		for s.dir != "" {
			more, number := s.unread(done)
			if number == 0 {
				// A segment may be closed while we open it; then it is there under its number.
				current, err := s.open(s.path("journal", currentName), os.O_RDONLY)
				if _, again := s.unread(done); again != 0 {
					if err == nil {
						current.Close()
					}
					continue
				}
				if err == nil {
					s.scan(current, s.path("journal", currentName), f, yield)
					current.Close()
				} else if !errors.Is(err, fs.ErrNotExist) {
					yield(Record{}, fmt.Errorf("failed to read the journal: %w", err))
				}
				return
			}
			file, err := s.open(more, os.O_RDONLY)
			done = number
			if errors.Is(err, fs.ErrNotExist) {
				continue // removed as the oldest
			}
			if err != nil {
				if !yield(Record{}, fmt.Errorf("failed to read the journal: %w", err)) {
					return
				}
				continue
			}
			goOn := s.scan(file, more, f, yield)
			file.Close()
			if !goOn {
				return
			}
		}
	}
}

// unread returns the oldest closed segment with a number above done; 0 = none.
func (s *Store) unread(done int) (path string, number int) {
	for _, g := range s.segments() {
		if g.number > done {
			return g.path, g.number
		}
	}
	return "", 0
}

// scan yields the records of one open segment; false = the reader wants no more.
func (s *Store) scan(file *os.File, path string, f Filter, yield func(Record, error) bool) bool {
	goOn := true
	err := eachLine(file, func(number int, line []byte, fault error) bool {
		goOn = emit(path, number, line, fault, f, yield)
		return goOn
	})
	if err != nil && goOn {
		return yield(Record{}, fmt.Errorf("failed to read the journal: %w", err))
	}
	return goOn
}

func emit(path string, number int, line []byte, fault error, f Filter, yield func(Record, error) bool) bool {
	r, ok := decode(line)
	if fault == nil && !ok {
		fault = errors.New("not a record")
	}
	if fault != nil {
		return yield(Record{Line: bytes.Clone(line)}, fmt.Errorf("%s:%d: %w", filepath.Base(path), number, fault))
	}
	return !f.takes(&r) || yield(r, nil)
}

// lines calls do for each line of a file that is not blank, until it returns false.
func (s *Store) lines(path string, do func(number int, line []byte, fault error) bool) error {
	f, err := s.open(path, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	return eachLine(f, do)
}

var errLong = fmt.Errorf("a line of more than %d bytes", recordMax)

// eachLine reads line by line with bounded memory. Of a line that is too long the beginning is
// given, with errLong. The bytes are valid until do returns.
func eachLine(f *os.File, do func(number int, line []byte, fault error) bool) error {
	if _, err := stat(f); err != nil {
		return err
	}
	in := bufio.NewReaderSize(f, recordMax)
	for number := 1; ; number++ {
		line, err := in.ReadSlice('\n')
		var fault error
		if err == bufio.ErrBufferFull {
			fault, line = errLong, bytes.Clone(line[:1<<10])
			for err == bufio.ErrBufferFull {
				_, err = in.ReadSlice('\n')
			}
		}
		if line = bytes.TrimSpace(line); len(line) > 0 && !do(number, line, fault) {
			return nil
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Latest returns the n newest records that the filter takes, oldest first.
func (s *Store) Latest(f Filter, n int) []Record {
	if n <= 0 || s.dir == "" {
		return nil
	}
	paths := []string{s.path("journal", currentName)}
	closed := s.segments()
	for i := len(closed) - 1; i >= 0; i-- {
		paths = append(paths, closed[i].path)
	}
	var out []Record
	for _, path := range paths {
		var part []Record
		s.lines(path, func(_ int, line []byte, fault error) bool {
			if r, ok := decode(line); ok && fault == nil && f.takes(&r) {
				if part = append(part, r); len(part) >= 2*n {
					part = append(part[:0], part[len(part)-n:]...)
				}
			}
			return true
		})
		out = append(part, out...)
		if len(out) >= n {
			return out[len(out)-n:]
		}
	}
	return out
}

// Fired names an event of an agent.
type Fired struct{ Agent, Event string }

// LastFired returns when each event last came from each agent. Events without a common name have
// the agent's.
func (s *Store) LastFired() map[Fired]time.Time {
	out := map[Fired]time.Time{}
	for r, err := range s.Records(Filter{}) {
		key := Fired{r.Agent, cmp.Or(r.Event, r.Native)}
		if err == nil && r.Time.After(out[key]) {
			out[key] = r.Time
		}
	}
	return out
}
