package run

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hookspan/hookspan/internal/agent/all"
	"github.com/hookspan/hookspan/internal/wire"
)

// TestAnUnfinishedInputIsAnsweredInTime: a pipe that nobody closes is given up in time for an answer, where the
// command names an event with a limit smaller than ours, and not before ours elsewhere. The clock is a false one.
func TestAnUnfinishedInputIsAnsweredInTime(t *testing.T) {
	for _, c := range []struct {
		agent, native string
		took          time.Duration
	}{
		{"claude", "SessionEnd", 1350 * time.Millisecond},
		{"codex", "SessionEnd", 900 * time.Millisecond},
		{"claude", "PreToolUse", readLimit},
		{"droid", "SessionStart", readLimit},
		{"codex", "", readLimit},
		{"claude", "NoSuchEvent", readLimit},
		{"nosuchagent", "SessionEnd", readLimit},
		{"", "", readLimit},
	} {
		t.Run(c.agent+" "+c.native, func(t *testing.T) {
			h := newHome(t, "hooks: {}\n")
			synctest.Test(t, func(t *testing.T) {
				r, w := io.Pipe()
				go w.Write([]byte(`{"session_id":"s",`))
				rep := Do(context.Background(), Request{Agent: c.agent, Native: c.native, Stdin: r, Environ: h.environ()})
				if rep.Took != c.took || rep.Err == nil || !strings.Contains(rep.Err.Error(), "deadline") {
					t.Errorf("given up after %s, want %s (%v)", rep.Took, c.took, rep.Err)
				}
				w.Close() // ends the read that was left behind
				synctest.Wait()
			})
		})
	}
}

// TestEveryLimitLeavesTimeToWait: patience may be waited on every event of every agent.
func TestEveryLimitLeavesTimeToWait(t *testing.T) {
	for _, a := range all.Agents() {
		for _, r := range a.Events {
			if d := r.Timeout.Deadline(); d > 0 && d <= 2*patience {
				t.Errorf("%s %s: its deadline is %s", a.Name, r.Native, d)
			}
		}
	}
}

// TestAPipesEndIsAskedForLate: what is there in time needs no end; what is not gets the end that is told then.
func TestAPipesEndIsAskedForLate(t *testing.T) {
	for text, patient := range map[string]time.Duration{`{"a":1}`: time.Hour, `{"a":`: time.Millisecond} {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		defer out.Close()
		if _, err := out.WriteString(text); err != nil {
			t.Fatal(err)
		}
		asked := 0
		r, ok := timed(in, time.Now().Add(patient), func() time.Time {
			asked++
			return time.Now().Add(10 * time.Millisecond)
		})
		if !ok {
			t.Skip("pipes are not waited for in the kernel here")
		}
		_, _, err = wire.Read(context.Background(), r, wire.Limits{})
		if whole := text[len(text)-1] == '}'; whole != (err == nil) || asked == 0 != whole || err != nil && !strings.Contains(err.Error(), "deadline") {
			t.Errorf("%s: asked %d times, %v", text, asked, err)
		}
	}
}
