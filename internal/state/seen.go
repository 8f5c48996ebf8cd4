package state

import (
	"bytes"
	"os"

	"github.com/hookspan/hookspan/internal/wire"
)

// seenBytes is how much of the journal's end is looked through for another record of a call: some
// ten records. Two registrations of one call are served within milliseconds of each other.
const seenBytes = 4 << 10

// Seen reports whether the end of the journal holds a record of the same call. Reading is all it
// does: a file for each call would cost a tool call more than all the rest of the run.
func (s *Store) Seen(agent, event, call string) bool {
	if s.dir == "" || call == "" {
		return false
	}
	f, err := openFile(s.path("journal", currentName), os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	from := max(0, info.Size()-seenBytes)
	tail := make([]byte, info.Size()-from)
	n, _ := f.ReadAt(tail, from)
	mark := append(append([]byte(`"call":`), wire.AppendString(nil, call)...), ',')
	for line := range bytes.Lines(tail[:n]) {
		if bytes.Contains(line, mark) && isRecordOf(line, agent, event) {
			return true
		}
	}
	return false
}

// isRecordOf reports whether a journal line is of an agent's event.
func isRecordOf(line []byte, agent, event string) bool {
	v, err := wire.Parse(line)
	return err == nil && v.Get("agent").Str() == agent && v.Get("event").Str() == event
}
