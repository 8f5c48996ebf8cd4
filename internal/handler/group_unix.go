//go:build unix

package handler

import (
	"os"
	"syscall"
)

// group is the session of a program: its process group has the program's own id.
type group struct{ pid int }

// startGroup starts a program in a new session, as Claude Code does: it can be ended with all its
// children, and it cannot stop at a terminal that it shares with the agent.
func startGroup(path string, argv []string, dir string, env []string, files []*os.File) (*os.Process, group, error) {
	p, err := os.StartProcess(path, argv, &os.ProcAttr{
		Dir: dir, Env: env, Files: files, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return nil, group{}, err
	}
	return p, group{p.Pid}, nil
}

func (g group) terminate() { _ = syscall.Kill(-g.pid, syscall.SIGTERM) }
func (g group) kill()      { _ = syscall.Kill(-g.pid, syscall.SIGKILL) }
func (g group) close()     {}

// closePipe wakes a reader that waits in the pipe.
func closePipe(f *os.File) error { return f.Close() }

// exitOf reads an exit code, and the name of a signal that ended the program.
func exitOf(state *os.ProcessState) (code int, signal string) {
	if state == nil {
		return 128, "unknown"
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal()), ws.Signal().String()
	}
	return state.ExitCode(), ""
}

// unnamed takes an open file's name away: the file is gone with the last who has it open.
func unnamed(f *os.File) (*os.File, error) {
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
