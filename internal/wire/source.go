package wire

import (
	"context"
	"errors"
	"io"
	"time"
)

// Sizes of one read: the first is enough for nearly every payload, the second is
// what a pipe holds.
const (
	firstRead = 4 << 10
	largeRead = 64 << 10
)

// source reads pieces of a stream and can be told to stop waiting.
type source struct {
	r      io.Reader
	ctx    context.Context
	buf    []byte
	timer  *time.Timer      // nil without a time limit
	result chan readResult  // nil if nothing can interrupt a read
	late   <-chan time.Time // nil without a time limit
}

type readResult struct {
	n   int
	err error
}

func newSource(ctx context.Context, r io.Reader, limit time.Duration) *source {
	if ctx == nil {
		ctx = context.Background()
	}
	s := &source{r: r, ctx: ctx, buf: make([]byte, firstRead)}
	if limit > 0 {
		s.timer = time.NewTimer(limit)
		s.late = s.timer.C
	}
	if limit > 0 || ctx.Done() != nil {
		s.result = make(chan readResult, 1)
	}
	return s
}

func (s *source) stop() {
	if s.timer != nil {
		s.timer.Stop()
	}
}

// next returns what arrives next. Both results may be set. The bytes are valid
// until the following call.
func (s *source) next() ([]byte, error) {
	if s.r == nil {
		return nil, errors.New("there is no reader")
	}
	for range 100 {
		res := s.read()
		if res.n < 0 || res.n > len(s.buf) {
			return nil, errors.New("the reader returned an impossible count")
		}
		if res.n == 0 && res.err == nil {
			continue
		}
		chunk := s.buf[:res.n]
		if res.n == len(s.buf) && res.n < largeRead {
			s.buf = make([]byte, largeRead)
		}
		return chunk, res.err
	}
	return nil, io.ErrNoProgress
}

// read makes one call of the reader, in a goroutine where the call might have to
// be abandoned: a blocking read of a pipe cannot be interrupted.
func (s *source) read() readResult {
	if s.result == nil {
		n, err := s.r.Read(s.buf)
		return readResult{n, err}
	}
	if res, over := s.over(); over {
		return res
	}
	go readInto(s.r, s.buf, s.result)
	select {
	case res := <-s.result:
		return res
	case <-s.ctx.Done():
		return deadline(s.ctx.Err())
	case <-s.late:
		return deadline(context.DeadlineExceeded)
	}
}

// over makes a stream of many small pieces end in time too.
func (s *source) over() (readResult, bool) {
	select {
	case <-s.ctx.Done():
		return deadline(s.ctx.Err()), true
	case <-s.late:
		return deadline(context.DeadlineExceeded), true
	default:
		return readResult{}, false
	}
}

func deadline(cause error) readResult {
	return readResult{0, &Error{Kind: Deadline, Msg: "no complete JSON object arrived in time", Err: cause}}
}

// readInto turns a panic of the reader into an error: nobody could recover it
// from outside this goroutine, and a panic ends the process with exit code 2,
// which agents take for a refusal.
func readInto(r io.Reader, buf []byte, result chan<- readResult) {
	res := readResult{0, errors.New("the reader panicked")}
	defer func() {
		_ = recover()
		result <- res
	}()
	n, err := r.Read(buf)
	res = readResult{n, err}
}
