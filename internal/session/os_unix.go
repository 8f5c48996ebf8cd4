//go:build unix

package session

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// handed are the signals that must not end us before the agent.
func handed() []os.Signal {
	return []os.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2}
}

// typed reports whether a signal comes from the keys of our terminal, which has sent it to the agent as
// well; twice would mean something else (Ctrl-C twice ends most agents).
func typed(sig os.Signal) bool {
	if sig != syscall.SIGINT && sig != syscall.SIGQUIT {
		return false
	}
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == syscall.Getpgrp()
}

func code(p *os.ProcessState) int {
	if w, ok := p.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return p.ExitCode()
}

func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// roots reports whether a folder and all above it belong to root and nobody else may write there, and
// whether what we make in it does so too.
func roots(dir string) bool {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || real != dir || os.Geteuid() != 0 {
		return false
	}
	for ; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&0o022 != 0 {
			return false
		}
		if st, ok := info.Sys().(*syscall.Stat_t); !ok || st.Uid != 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}
