package session

import "os"

// handed are the signals that must not end us before the agent.
func handed() []os.Signal { return []os.Signal{os.Interrupt} }

// typed reports whether a signal comes from our console, which has sent it to the agent as well: there is
// no other kind.
func typed(os.Signal) bool { return true }

func code(p *os.ProcessState) int { return p.ExitCode() }

func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}

// roots is a matter of POSIX.
func roots(string) bool { return false }
