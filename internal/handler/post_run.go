package handler

import (
	"context"
	"time"
)

// Run makes the request and returns what hookspan-net printed, for Answer. It ends within Timeout
// and within the context.
func (p Post) Run(ctx context.Context) Output {
	if end, ok := ctx.Deadline(); ok {
		if left := time.Until(end); p.Timeout <= 0 || left < p.Timeout {
			p.Timeout = max(left, time.Millisecond)
		}
	}
	c, err := p.command()
	if err != nil {
		return Output{StartErr: err}
	}
	return c.Run(ctx)
}
