package handler

import (
	"os"
	"sync"
)

// capture reads a pipe to its end and keeps a part: the first bytes, or the last. All of it is
// read, so that a program that prints more is not held up.
type capture struct {
	pipe *os.File
	done chan struct{} // closed at the end of the pipe
	most int
	last bool

	mu       sync.Mutex
	kept     []byte
	overflow bool // valid behind take
	taken    bool
}

func newCapture(pipe *os.File, most int, last bool) *capture {
	c := &capture{pipe: pipe, done: make(chan struct{}), most: most, last: last}
	go c.read()
	return c
}

func (c *capture) read() {
	defer close(c.done)
	buf := make([]byte, 4<<10)
	for {
		n, err := c.pipe.Read(buf)
		if !c.keep(buf[:n]) || err != nil {
			return
		}
		if n == len(buf) && n < 64<<10 {
			buf = make([]byte, 64<<10) // it has much to say
		}
	}
}

// keep adds what was read; false = nobody wants more.
func (c *capture) keep(b []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.taken {
		return false
	}
	if c.last {
		c.kept = append(c.kept, b...)
		if len(c.kept) > 2*c.most {
			c.kept = append(c.kept[:0], c.kept[len(c.kept)-c.most:]...)
		}
		return true
	}
	room := c.most - len(c.kept)
	c.overflow = c.overflow || len(b) > room
	c.kept = append(c.kept, b[:min(len(b), room)]...)
	return true
}

// take ends the reading and returns what was kept.
func (c *capture) take() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken = true
	_ = closePipe(c.pipe)
	if c.last && len(c.kept) > c.most {
		return c.kept[len(c.kept)-c.most:]
	}
	return c.kept
}
