package handler

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/hookspan/hookspan/hook"
)

// Limits on what a program may print.
const (
	maxStdout  = 1 << 20 // more is a failure: an answer is small
	keepStderr = 64 << 10
)

// drain is how long output is still awaited behind the end of a program: a child that it left in
// the background may hold the pipe for ever.
const drain = 100 * time.Millisecond

// Command is a program to start.
type Command struct {
	Shell   string        // text for the shell: sh, on Windows Git's sh, else PowerShell
	Argv    []string      // without a shell, where Shell is ""
	Dir     string        // working folder; "" = ours
	Env     []string      // the whole environment, see Environ
	Timeout time.Duration // from start to the very end, killing included; 0 = only the context's
	Stdin   []byte
	most    int // bytes of stdout that are no failure; 0 = maxStdout
}

// Output is what a program left.
type Output struct {
	Stdout   []byte // its first 1 MiB
	Stderr   []byte // its last 64 KiB
	TooMuch  bool   // it printed more than 1 MiB on stdout
	Exit     int    // exit code; 128 plus the number where a signal ended it, as shells have it
	Signal   string // the signal's name, "" = it left by itself
	TimedOut bool   // we ended it: the timeout was over, or the context
	StartErr error  // it could not be started: nothing else is told
	Took     time.Duration
}

// Run starts the program in a session of its own, feeds it and waits for its end, or until the
// timeout or the context is over. Then the whole group gets SIGTERM and, after a grace of at most
// 200 ms that is part of the timeout, SIGKILL (on Windows the Job object is ended).
//
// Children that a program leaves in the background when it ends in time go on; what they print is
// not awaited. A program that does not read its input is no failure. Run does not write to our own
// standard streams and leaves nothing behind but such children.
func (c Command) Run(ctx context.Context) Output {
	start := time.Now()
	r := &run{c: c, start: start}
	out := r.run(ctx)
	out.Took = time.Since(start)
	return out
}

// Decide runs the program for an event and reads its answer. Each error says why there is none; it
// never comes with a decision.
func (c Command) Decide(ctx context.Context, ev hook.Event) (hook.Decision, Output, error) {
	if path, missing := c.MissingScript(); missing {
		err := fmt.Errorf("the script %s does not exist", path)
		return hook.Decision{}, Output{StartErr: err}, err
	}
	out := c.Run(ctx)
	d, err := c.Answer(ev, out)
	return d, out, err
}

// Answer reads a finished run by the rules of the function [Answer], and knows what makes a run no
// answer at all: it did not start, did not end in time, printed too much, its interpreter did not
// find the script. A program that a signal ended grants nothing.
func (c Command) Answer(ev hook.Event, out Output) (hook.Decision, error) {
	switch {
	case out.StartErr != nil:
		return hook.Decision{}, out.StartErr
	case out.TimedOut:
		return hook.Decision{}, fmt.Errorf("it did not end within %s and was stopped", round(out.Took))
	case out.TooMuch:
		return hook.Decision{}, fmt.Errorf("it printed more than %d MiB on stdout", maxStdout>>20)
	}
	if script, gone := c.scriptGone(out); gone {
		return hook.Decision{}, fmt.Errorf("the script %s does not exist", script)
	}
	d, err := Answer(ev, out.Stdout, out.Stderr, out.Exit)
	signal := out.signal()
	if signal == "" {
		return d, err
	}
	if err != nil || d.Verdict == hook.Allow || d.Input != nil {
		return hook.Decision{}, fmt.Errorf("a signal ended it: %s", signal)
	}
	return d, nil
}

// signal names what ended the program: also where a shell that we started only passes it on, as the exit
// code 128 plus the number.
func (o Output) signal() string {
	const most = 64 // Linux has that many
	if o.Signal == "" && o.Exit > 128 && o.Exit <= 128+most {
		return fmt.Sprintf("exit code %d", o.Exit)
	}
	return o.Signal
}

func round(d time.Duration) time.Duration {
	if d > time.Second {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}

func (c Command) maxStdout() int {
	if c.most > 0 {
		return c.most
	}
	return maxStdout
}

// run is one running program.
type run struct {
	c      Command
	start  time.Time
	proc   *os.Process
	group  group
	stdin  *os.File
	stdout *capture
	stderr *capture
	end    time.Time // when all must be over; zero = no such time
}

// limits are the moments at which a program that does not end is told so, and is ended.
type limits struct{ term, kill, end time.Time }

// limits takes the grace out of the time there is, so that all is over when it is over.
func (r *run) limits(ctx context.Context) (limits, bool) {
	end, ok := ctx.Deadline()
	if r.c.Timeout > 0 {
		if own := r.start.Add(r.c.Timeout); !ok || own.Before(end) {
			end, ok = own, true
		}
	}
	if !ok {
		return limits{}, false
	}
	grace := graceOf(end.Sub(r.start))
	return limits{term: end.Add(-grace), kill: end.Add(-grace / 4), end: end}, true
}

// sooner is what remains when the caller gives up now.
func (l limits) sooner(now time.Time, limited bool) limits {
	const grace = 200 * time.Millisecond
	end := now.Add(grace)
	if limited && l.end.Before(end) {
		end = l.end
	}
	return limits{kill: end.Add(-grace / 4), end: end}
}

// graceOf is the time between SIGTERM and the end: a tenth, at most 200 ms.
func graceOf(whole time.Duration) time.Duration {
	return max(0, min(whole/10, 200*time.Millisecond))
}

func (r *run) run(ctx context.Context) Output {
	if err := ctx.Err(); err != nil {
		return Output{StartErr: fmt.Errorf("there was no time left to start it")}
	}
	if err := r.launch(); err != nil {
		return Output{StartErr: err}
	}
	ended := make(chan *os.ProcessState, 1)
	go func() {
		state, _ := r.proc.Wait()
		ended <- state
	}()
	go r.feed()
	state, inTime := r.await(ctx, ended)
	return r.collect(state, inTime)
}

// feed writes the input. Writing fails where the program does not read, which is its right.
func (r *run) feed() {
	if len(r.c.Stdin) > 0 {
		_, _ = r.stdin.Write(r.c.Stdin)
	}
	_ = r.stdin.Close()
}

// await waits for the end of the program and forces it when time is up.
func (r *run) await(ctx context.Context, ended <-chan *os.ProcessState) (state *os.ProcessState, inTime bool) {
	lim, limited := r.limits(ctx)
	r.end = lim.end
	var term <-chan time.Time
	if limited {
		t := time.NewTimer(time.Until(lim.term))
		defer t.Stop()
		term = t.C
	}
	select {
	case state = <-ended:
		return state, true
	case <-term:
	case <-ctx.Done():
		lim = lim.sooner(time.Now(), limited)
	}
	r.group.terminate()
	t := time.NewTimer(time.Until(lim.kill))
	defer t.Stop()
	select {
	case state = <-ended:
	case <-t.C:
	}
	r.group.kill() // also the children of a program that obeyed
	if state == nil {
		state = last(ended, lim.end)
	}
	return state, false
}

// last waits for a program that was killed. One that hangs in the system, or that we may not kill,
// is given up.
func last(ended <-chan *os.ProcessState, end time.Time) *os.ProcessState {
	t := time.NewTimer(max(time.Until(end), drain/10))
	defer t.Stop()
	select {
	case state := <-ended:
		return state
	case <-t.C:
		return nil
	}
}

// collect takes what was printed, and lets go of the pipes.
func (r *run) collect(state *os.ProcessState, inTime bool) Output {
	t := time.NewTimer(r.drainTime(inTime))
	defer t.Stop()
	for _, c := range []*capture{r.stdout, r.stderr} {
		select {
		case <-c.done:
		case <-t.C:
			t.Reset(0) // the time is over for both
		}
	}
	out := Output{TimedOut: !inTime, Stderr: r.stderr.take()}
	out.Stdout = r.stdout.take()
	out.TooMuch = r.stdout.overflow
	out.Exit, out.Signal = exitOf(state)
	r.group.close()
	_ = closePipe(r.stdin)
	return out
}

// drainTime is how long the end of the pipes is awaited: not beyond the end of all, but long enough
// to take what is in them.
func (r *run) drainTime(inTime bool) time.Duration {
	const least = drain / 10
	switch {
	case !inTime:
		return least
	case r.end.IsZero():
		return drain
	}
	return max(least, min(drain, time.Until(r.end)))
}

// launch starts the program with three pipes.
func (r *run) launch() error {
	argv, path, err := r.c.resolve()
	if err != nil {
		return err
	}
	p, err := newPipes()
	if err != nil {
		return fmt.Errorf("failed to start it: %w", err)
	}
	r.proc, r.group, err = startGroup(path, argv, r.c.Dir, r.c.Env, p.theirs[:])
	p.closeTheirs()
	if err != nil {
		p.closeOurs()
		return startError(path, r.c.Dir, err)
	}
	r.stdin = p.ours[0]
	r.stdout = newCapture(p.ours[1], r.c.maxStdout(), false)
	r.stderr = newCapture(p.ours[2], keepStderr, true)
	return nil
}

// pipes are the standard streams of a program, both ends.
type pipes struct{ ours, theirs [3]*os.File }

func newPipes() (*pipes, error) {
	p := &pipes{}
	for i := range p.ours {
		read, write, err := os.Pipe()
		if err != nil {
			p.closeOurs()
			p.closeTheirs()
			return nil, err
		}
		if i == 0 {
			p.ours[i], p.theirs[i] = write, read
		} else {
			p.ours[i], p.theirs[i] = read, write
		}
	}
	return p, nil
}

func (p *pipes) closeOurs()   { closeAll(p.ours[:]) }
func (p *pipes) closeTheirs() { closeAll(p.theirs[:]) }

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}
