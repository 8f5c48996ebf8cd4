package engine

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"sync"
	"time"

	"github.com/hookspan/hookspan/hook"
	"github.com/hookspan/hookspan/internal/handler"
	"github.com/hookspan/hookspan/internal/manifest"
)

// parallel runs the jobs of one group, at most maxParallel at a time.
func (r *run) parallel(jobs []job, outs [][]Outcome) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, maxParallel)
	for i := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			slots <- struct{}{}
			defer func() { <-slots }()
			outs[i] = r.job(jobs[i])
		}()
	}
	wg.Wait()
}

// job runs one handler: once, or once for each file.
func (r *run) job(j job) []Outcome {
	if len(j.parts) == 0 {
		return []Outcome{r.one(j, r.ev, "")}
	}
	if len(j.parts) > maxFiles {
		err := fmt.Errorf("the call touches %d files, more than the %d that a handler is run for", len(j.parts), maxFiles)
		return []Outcome{r.failed(j, Outcome{Handler: j.h.Name, Err: err})}
	}
	if len(j.parts) == 1 {
		return []Outcome{r.one(j, j.parts[0].ev, j.parts[0].path)}
	}
	outs := make([]Outcome, len(j.parts))
	var wg sync.WaitGroup
	slots := make(chan struct{}, maxParallel)
	for i, p := range j.parts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			slots <- struct{}{}
			defer func() { <-slots }()
			outs[i] = r.one(j, p.ev, p.path)
		}()
	}
	wg.Wait()
	return outs
}

// one runs a handler for one event and applies what its keys say about the answer.
func (r *run) one(j job, ev hook.Event, file string) (o Outcome) {
	start := time.Now()
	o = Outcome{Handler: j.h.Name, File: file, Guard: j.h.Type == manifest.Guard, Async: j.h.Async}
	defer func() {
		if p := recover(); p != nil {
			o.Err = fmt.Errorf("crashed: %v", p)
			o = r.failed(j, o)
		}
		o.Took = time.Since(start)
	}()
	if j.h.Type == manifest.Guard {
		o.Decision, o.Err = r.env.Guards.Check(j.h, ev, r.base(j.plan))
	} else {
		o = r.program(j, ev, o)
	}
	if o.Err != nil {
		return r.failed(j, o)
	}
	if j.h.Untrusted {
		for i := range o.Decision.Context {
			o.Decision.Context[i].Untrusted = true
		}
	}
	if j.h.Mode == manifest.Warn {
		return warned(o)
	}
	return r.counted(j, o)
}

// program runs a command or an http handler, or takes the answer that the same call got before.
func (r *run) program(j job, ev hook.Event, o Outcome) Outcome {
	key := j.key + "/" + o.File
	out, again := r.replay[key]
	if !again {
		var before uint64
		if !j.h.Async {
			before = fileMark(ev)
		}
		out.Output = r.start(j, ev)
		out.Changed = ev.Name == hook.PostToolUse && before != 0 && fileMark(ev) != before
		r.remember(key, out)
	}
	o.Exit = out.Exit
	if j.h.Async {
		o.Err = out.StartErr
		return o
	}
	if j.h.Gate {
		o.Decision, o.Err = gate(o.Handler, out.Output)
	} else {
		o.Decision, o.Err = r.env.Programs.Answer(j.plan, j.h, ev, out.Output)
	}
	if o.Decision.ByExit {
		for i := range o.Decision.Feedback { // stderr does not say whose it is; Claude frames it as well
			o.Decision.Feedback[i].Body = "[" + o.Handler + "]: " + o.Decision.Feedback[i].Body
		}
	}
	if out.Changed && o.Err == nil {
		o.Decision.Context = append(o.Decision.Context, hook.Text{
			Body: o.Handler + " changed " + ev.Tool.Files[0].Path + " after your edit; read it again before you edit it"})
	}
	return o
}

func (r *run) remember(key string, out Output) {
	if r.done == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.record == nil {
		r.record = map[string]Output{}
	}
	r.record[key] = out
}

func (r *run) start(j job, ev hook.Event) handler.Output {
	ctx, cancel := context.WithTimeout(r.ctx, j.h.Timeout)
	defer cancel()
	if !r.env.Deadline.IsZero() {
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, r.env.Deadline)
		defer stop()
	}
	return r.env.Programs.Run(ctx, j.plan, j.h, ev)
}

// failed applies on_failure. It never grants: a failed handler that may be ignored has no opinion.
func (r *run) failed(j job, o Outcome) Outcome {
	text := "hookspan: " + o.Handler + " failed: " + o.Err.Error()
	o.Decision = hook.Decision{}
	if j.h.OnFailure != manifest.Block || j.h.Mode == manifest.Warn || j.h.Async {
		o.Failed = "allow"
		if r.edited() { // the file may be unformatted, or half so: the model works on it
			o.Decision.Context = []hook.Text{{Body: text}}
			return o
		}
		if r.once("failed:" + j.key) {
			o.Decision.Notice = []string{text}
		}
		return o
	}
	o.Failed = "block"
	switch r.ev.Name.Class() {
	case hook.Gate:
		o.Decision.Verdict, o.Decision.Reason = hook.Deny, text
	case hook.After:
		o.Decision.Feedback = []hook.Text{{Body: text}}
	case hook.Finish:
		o.Decision.Continue, o.Decision.Reason = true, text
		return r.counted(j, o)
	default:
		o.Decision.Notice = []string{text}
	}
	return o
}

// edited reports whether the event tells that files were changed.
func (r *run) edited() bool {
	t := r.ev.Tool
	return r.ev.Name == hook.PostToolUse && t != nil && (t.Kind == hook.KindEdit || t.Kind == hook.KindWrite)
}

// warned turns what a handler in `mode: warn` would have done into a notice.
func warned(o Outcome) Outcome {
	d := &o.Decision
	would := ""
	switch {
	case d.Verdict == hook.Deny || d.Verdict == hook.Ask || d.Verdict == hook.Defer:
		would = "would have said " + d.Verdict.String()
	case d.Continue:
		would = "would have sent the agent back"
	case d.End != nil:
		would = "would have ended the turn"
	case d.Input != nil:
		would = "would have changed the input"
	}
	if would == "" {
		return o
	}
	reason := d.Reason
	o.Lost = append(o.Lost, would+" (mode: warn)")
	text := "hookspan: " + o.Handler + " " + would
	if reason != "" {
		text += ": " + reason
	}
	o.Decision = hook.Decision{Context: d.Context, Feedback: d.Feedback, Notice: append(d.Notice, text)}
	return o
}

// fileMark tells one state of the call's only file from another; 0 = there is none.
func fileMark(ev hook.Event) uint64 {
	if ev.Tool == nil || len(ev.Tool.Files) != 1 {
		return 0
	}
	b, err := os.ReadFile(ev.Tool.Files[0].Path)
	if err != nil || len(b) > 8<<20 {
		return 0
	}
	sum := fnv.New64a() // no tables to build at every start, as crc64 has
	sum.Write(b)
	return sum.Sum64() | 1
}
