// Command hookspan-net is the part of hookspan that may open connections. hookspan starts it for
// the verbs that need one; people type only hookspan.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// verb runs one verb and returns the exit code: 0 fine, 1 found something wrong, 2 wrong usage.
type verb func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		if v := verbOf(args[0]); v != nil {
			return v(ctx, args[1:], stdin, stdout, stderr)
		}
	}
	fmt.Fprintln(stderr, "hookspan-net is started by hookspan; run `hookspan help` for what there is")
	return 2
}

func verbOf(name string) verb {
	switch name {
	case "post":
		return postVerb
	}
	return nil
}
