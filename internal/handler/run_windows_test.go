package handler

import (
	"context"
	"strings"
	"testing"
	"time"
)

func TestRunOnWindows(t *testing.T) {
	c := Command{Argv: []string{"cmd.exe", "/c", "echo hello& exit 3"}, Timeout: 20 * time.Second}
	out := c.Run(context.Background())
	if out.Exit != 3 || strings.TrimSpace(string(out.Stdout)) != "hello" {
		t.Errorf("%+v", out)
	}
	out = Command{Argv: []string{"no-such-program"}}.Run(context.Background())
	if out.StartErr == nil {
		t.Errorf("%+v", out)
	}
}

// The Job object holds ping, the child of cmd: otherwise its hold on stdout would keep the run.
func TestTimeoutEndsTheJob(t *testing.T) {
	c := Command{Argv: []string{"cmd.exe", "/c", "ping -n 60 127.0.0.1"}, Timeout: 2 * time.Second}
	if out := c.Run(context.Background()); !out.TimedOut || out.Took > 3*time.Second {
		t.Errorf("%s, %v", out.Took, out.TimedOut)
	}
}

func TestShellOnWindows(t *testing.T) {
	out := Command{Shell: "exit 3", Timeout: 20 * time.Second}.Run(context.Background())
	if out.Exit != 3 {
		t.Errorf("%+v", out)
	}
}
