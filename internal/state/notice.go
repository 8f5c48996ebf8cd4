package state

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/hookspan/hookspan/internal/wire"
)

const (
	noticeMax  = 4 << 10  // bytes of one notice
	noticesMax = 64 << 10 // bytes that wait in a session
)

// PushNotice keeps a text for the user until an event comes that can show it. It is masked and cut
// to 4 KiB.
func (n *Session) PushNotice(text string) error {
	if n.size("notices") > noticesMax {
		return errors.New("failed to keep a notice: too many wait already")
	}
	f, err := n.store.lock(n.path("notices"), time.Now().Add(lockWait))
	if err != nil {
		return fmt.Errorf("failed to keep a notice: %w", err)
	}
	defer f.Close()
	line := wire.AppendString(nil, (&cutter{noticeMax, noticeMax}).text(text))
	if _, err = f.Seek(0, io.SeekEnd); err == nil {
		_, err = f.Write(ownLine(line))
	}
	if err != nil {
		return fmt.Errorf("failed to keep a notice: %w", err)
	}
	return nil
}

// TakeNotices returns the texts that wait, oldest first, and forgets them. Of two processes that ask
// at once each text goes to one.
func (n *Session) TakeNotices() []string {
	if n.size("notices") == 0 {
		return nil
	}
	f, err := n.store.lock(n.path("notices"), time.Now().Add(lockWait))
	if err != nil {
		return nil // the one who holds it takes them, or the next event does
	}
	defer f.Close()
	out := n.Notices()
	if f.Truncate(0) != nil {
		return nil // shown now, they would be shown again
	}
	return out
}

// Notices returns the texts that wait, and leaves them.
func (n *Session) Notices() (out []string) {
	data, _, err := n.store.read(n.path("notices"), readMax)
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(data) {
		if v, err := wire.Parse(line); err == nil && v.Str() != "" {
			out = append(out, v.Str())
		}
	}
	return out
}
