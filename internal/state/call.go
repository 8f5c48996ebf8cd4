package state

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/hookspan/hookspan/internal/sha256"
)

// answerMax bounds a stored answer, in bytes.
const answerMax = 8 << 20

// Call is one occurrence that may reach us more than once, held by the process that finds its answer.
type Call struct {
	file   *os.File
	answer []byte
	known  bool
}

// Claim makes one process of several find the answer of a call. The first gets a Call without an
// answer; it must Store one, or Release the call. The others wait for it and get the answer. If the
// first ends without one, however it ends, the next in line is the first.
//
// The key tells the call from all others: agent, session, the agent's id of the call. An error means
// that nobody knows whether the call is answered elsewhere: it still was not at the deadline, or the
// state folder cannot be used. Answers are kept for ten minutes, as they are, in files of mode 0600.
func (s *Store) Claim(deadline time.Time, key ...string) (*Call, error) {
	f, err := s.lock(s.path("calls", hashed(key...)), deadline)
	if err != nil {
		return nil, fmt.Errorf("failed to claim a call: %w", err)
	}
	c := &Call{file: f}
	if c.answer, c.known = readChecked(f); c.known {
		c.Release()
	}
	return c, nil
}

// Answer returns the stored answer; false if this process has to find it.
func (c *Call) Answer() ([]byte, bool) { return c.answer, c.known }

// Store keeps the answer for the others and releases the call.
func (c *Call) Store(answer []byte) error {
	defer c.Release()
	if c.file == nil {
		return errors.New("failed to store an answer: the call is released")
	}
	if len(answer) > answerMax {
		return fmt.Errorf("failed to store an answer: it has %d bytes, more than %d", len(answer), answerMax)
	}
	if info, err := c.file.Stat(); err == nil && info.Size() > 0 {
		c.file.Truncate(0) // remains of a holder that died while writing, or of a damaged answer
	}
	if _, err := c.file.WriteAt(checked(answer), 0); err != nil {
		return fmt.Errorf("failed to store an answer: %w", err)
	}
	return nil
}

// Release lets the next process find the answer, if none is stored. It may be called again.
func (c *Call) Release() {
	c.file.Close()
	c.file = nil
}

// checked puts a checksum in front of data, by which cut data is known.
func checked(data []byte) []byte {
	sum := sha256.Sum256(data)
	return append(sum[:], data...)
}

// unchecked returns the data behind a right checksum.
func unchecked(b []byte) ([]byte, bool) {
	if len(b) < sha256.Size {
		return nil, false
	}
	sum, data := b[:sha256.Size], b[sha256.Size:]
	want := sha256.Sum256(data)
	return data, bytes.Equal(sum, want[:])
}

func readChecked(f *os.File) ([]byte, bool) {
	info, err := stat(f)
	if err != nil || info.Size() == 0 || info.Size() > answerMax+sha256.Size {
		return nil, false
	}
	b := make([]byte, info.Size())
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, info.Size()), b); err != nil {
		return nil, false
	}
	return unchecked(b)
}
