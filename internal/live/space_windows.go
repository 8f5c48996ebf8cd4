package live

import (
	"os/exec"
	"strconv"
)

// group has nothing to do: taskkill finds the tree by the parents' ids.
func group(cmd *exec.Cmd) { cmd.Cancel = func() error { return killTree(cmd) } }

func killGroup(cmd *exec.Cmd) { _ = killTree(cmd) }

func killTree(cmd *exec.Cmd) error {
	return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
}
