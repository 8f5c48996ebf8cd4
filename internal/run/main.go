package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Main is the verb `run`, what agents start: arguments in, answer out, journal last. It returns the
// exit code. It reads its own arguments, since package flag leaves with 2 on a wrong one, and 2 is a
// word of the protocol.
func Main(args []string, stdin, stdout, stderr *os.File) (exit int) {
	defer func() {
		if recover() != nil {
			exit = 0 // Go leaves with 2 on a panic, which agents read as a no that nobody said
		}
	}()
	deepen(false)
	q, err := parseArgs(args)
	q.Stdin, q.Environ = stdin, os.Environ()
	rep := Do(context.Background(), q)
	if err != nil && rep.Err == nil {
		rep.Err = err
	}
	writeErr := write(stdout, rep.Reply.Stdout)
	stdout.Close() // Copilot waits for stdout to close, not for the process
	if err := write(stderr, rep.Reply.Stderr); writeErr == nil {
		writeErr = err
	}
	if writeErr != nil && rep.Err == nil {
		rep.Err = fmt.Errorf("failed to write the answer: %w", writeErr)
	}
	journal(rep)
	return rep.Reply.Exit
}

// parseArgs reads `AGENT [NATIVE_EVENT] [--project DIR] [--manifest FILE]`. A wrong argument is an
// error for the journal and is otherwise ignored: a person's mistake in a settings file must not
// turn into an answer.
func parseArgs(args []string) (Request, error) {
	var q Request
	var names []string
	var wrong []string
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(args[i], "=")
		var to *string
		switch name {
		case "--project":
			to = &q.Project
		case "--manifest":
			to = &q.Manifest
		}
		switch {
		case to != nil && has:
			*to = value
		case to != nil && i+1 < len(args):
			i++
			*to = args[i]
		case strings.HasPrefix(args[i], "-") || len(names) == 2:
			wrong = append(wrong, args[i])
		default:
			names = append(names, args[i])
		}
	}
	if len(names) > 0 {
		q.Agent = names[0]
	}
	if len(names) > 1 {
		q.Native = names[1]
	}
	if len(wrong) > 0 {
		return q, errors.New("failed to read the arguments: unknown " + strings.Join(wrong, " ") + " (hookspan run AGENT [EVENT] [--project DIR] [--manifest FILE])")
	}
	return q, nil
}
