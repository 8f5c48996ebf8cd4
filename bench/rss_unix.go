//go:build unix

package main

import (
	"os"
	"syscall"
)

// maxRSS is the most memory that a finished process had resident, in KiB as Linux counts it.
func maxRSS(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss
	}
	return 0
}
