package state

import (
	"os"
	"time"
)

// LastSent returns when the agent was last sent back in this turn, the zero time if it was not.
func (n *Session) LastSent(turn string) time.Time {
	var last time.Time
	for count := 0; ; count++ {
		info, err := os.Lstat(n.sentPath(turn, count))
		if err != nil {
			return last
		}
		last = info.ModTime()
	}
}
