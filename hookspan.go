// Package hookspan is for hooks written in Go: one program, right in every coding agent.
//
// A hook is a function from an event to a decision. Main reads the event from standard input,
// calls the function and prints its answer, in Claude Code's protocol:
//
//	func main() {
//		hookspan.Main(func(ctx context.Context, ev hook.Event) hook.Decision {
//			if ev.Tool != nil && strings.Contains(ev.Tool.Command, "npm publish") {
//				return hook.Decision{Verdict: hook.Deny, Reason: "releases are made by CI"}
//			}
//			return hook.Decision{}
//		})
//	}
//
// Name the program in hookspan.yaml and `hookspan` runs it in every agent; registered directly in
// Claude Code it works as it is.
//
// Invariant: a fault of the hook (a panic, unreadable input) leaves with exit code 1, which is a
// failed handler in every agent, and never with 2, which is a no.
package hookspan

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/hookspan/hookspan/hook"
)

// Main runs a hook as the whole program: it does not return.
func Main(decide func(context.Context, hook.Event) hook.Decision) {
	os.Exit(Run(context.Background(), os.Stdin, os.Stdout, os.Stderr, decide))
}

// Run reads one event from in, writes the decision's answer to out, and returns the exit code: 0, or
// 1 if the hook could not do its work, with the reason on errOut.
func Run(ctx context.Context, in io.Reader, out, errOut io.Writer, decide func(context.Context, hook.Event) hook.Decision) (exit int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(errOut, "hook crashed: %v\n", p)
			exit = 1
		}
	}()
	answer, err := answer(ctx, in, decide)
	if err == nil {
		_, err = out.Write(answer)
	}
	if err != nil {
		fmt.Fprintln(errOut, err)
		return 1
	}
	return 0
}

func answer(ctx context.Context, in io.Reader, decide func(context.Context, hook.Event) hook.Decision) ([]byte, error) {
	b, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("failed to read the event: %w", err)
	}
	ev, err := hook.Decode(b)
	if err != nil {
		return nil, err
	}
	return decide(ctx, ev).Encode(ev.Name)
}
