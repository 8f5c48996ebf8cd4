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
		if s.dir == "" {
			return
		}
		// The current segment is opened before the closed ones are listed: if it is closed meanwhile
		// it is still the last that we read, and all before it are in the list.
		current, err := s.open(s.path("journal", currentName), os.O_RDONLY)
		if err == nil {
			defer current.Close()
		} else if !errors.Is(err, fs.ErrNotExist) && !yield(Record{}, unreadable(err)) {
			return
		}
		for _, g := range s.segments() {
			if goOn, last := s.scanClosed(g.path, current, f, yield); !goOn {
				return
			} else if last {
				break
			}
		}
		if current != nil {
			scan(current, f, yield)
		}
	}
}

// scanClosed yields the records of a closed segment; last = it is the one that is open as current.
func (s *Store) scanClosed(path string, current *os.File, f Filter, yield func(Record, error) bool) (goOn, last bool) {
	file, err := s.open(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return true, false // removed as the oldest
	}
	if err != nil {
		return yield(Record{}, unreadable(err)), false
	}
	defer file.Close()
	if current != nil && same(file, current) {
		return true, true
	}
	return scan(file, f, yield), false
}

func same(a, b *os.File) bool {
	x, err1 := a.Stat()
	y, err2 := b.Stat()
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

func unreadable(err error) error { return fmt.Errorf("failed to read the journal: %w", err) }

// scan yields the records of one open segment; false = the reader wants no more.
func scan(file *os.File, f Filter, yield func(Record, error) bool) bool {
	goOn := true
	err := eachLine(file, func(number int, line []byte, fault error) bool {
		goOn = emit(file.Name(), number, line, fault, f, yield)
		return goOn
	})
	if err != nil && goOn {
		return yield(Record{}, unreadable(err))
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

// errLong is a plain text: a formatted one would be made at every start of the program.
var errLong = errors.New("a line of more than 262144 bytes") // recordMax

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
