package session

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
)

// Run starts the agent, waits for it, and removes the session's folder. It returns the agent's exit code,
// 128 and the signal's number where a signal ended it, as shells do.
//
// The agent shares our terminal and our process group, so what is typed there reaches it directly; other
// signals are handed on.
func (s *Session) Run() (exit int, err error) {
	defer func() {
		if e := s.Close(); err == nil {
			err = e
		}
	}()
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, handed()...)
	defer signal.Stop(signals)

	cmd := exec.Command(s.Program, s.Args...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Environ, os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return 1, fmt.Errorf("failed to start %s: %w", s.Program, err)
	}
	if s.Dir != "" {
		_ = note(s.Dir, cmd.Process.Pid) // for the case that only we are killed
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case sig := <-signals:
			if !typed(sig) {
				_ = cmd.Process.Signal(sig) // it may have ended just now
			}
		case err := <-ended:
			return result(cmd, err)
		}
	}
}

func result(cmd *exec.Cmd, err error) (int, error) {
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return 1, fmt.Errorf("failed to wait for %s: %w", cmd.Path, err)
	}
	return code(cmd.ProcessState), nil
}
