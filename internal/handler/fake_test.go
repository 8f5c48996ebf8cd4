//go:build unix

package handler

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary plays the handlers: it is started again with its part in a variable.
const fakeVar = "HANDLER_TEST_FAKE"

func TestMain(m *testing.M) {
	if part := os.Getenv(fakeVar); part != "" {
		os.Exit(fake(part))
	}
	os.Exit(m.Run())
}

// fake plays one part and returns an exit code.
func fake(part string) int {
	part, arg, _ := strings.Cut(part, ":")
	switch part {
	case "say":
		fmt.Print(arg)
	case "echo":
		io.Copy(os.Stdout, os.Stdin)
	case "count":
		in, _ := io.ReadAll(os.Stdin)
		fmt.Print(len(in))
	case "env":
		fmt.Print(strings.Join(os.Environ(), "\n"))
	case "crash":
		panic("nil map")
	case "kill":
		if arg == "deny" || arg == "allow" {
			fmt.Printf(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":%q}}`, arg)
		}
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Minute)
	case "hang":
		hang(arg)
	case "noisy":
		io.Copy(os.Stdout, io.LimitReader(zeroes{}, 100<<20))
	case "noisyerr":
		io.Copy(os.Stderr, io.LimitReader(zeroes{}, 10<<20))
		fmt.Fprint(os.Stderr, "\nthe end")
		return 1
	case "full":
		os.Stdout.Write(bytes.Repeat([]byte{'x'}, maxStdout))
	case "deaf":
		os.Stdin.Close()
		time.Sleep(50 * time.Millisecond)
		fmt.Print("deaf")
	case "net":
		return fakeNet(arg)
	case "where":
		fmt.Print(os.Getwd())
	case "streams":
		for fd := range 3 {
			flags, _, _ := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFL, 0)
			fmt.Print(flags&syscall.O_NONBLOCK != 0, " ")
		}
	}
	return 0
}

// hang starts a child that hangs as well, notes both ids in a file, and waits.
func hang(file string) {
	signal.Ignore(syscall.SIGTERM)
	if ids, ok := strings.CutPrefix(file, "parent,"); ok {
		self, _ := os.Executable()
		os.StartProcess(self, []string{self}, &os.ProcAttr{
			Env:   []string{fakeVar + "=hang:" + ids},
			Files: []*os.File{nil, os.Stdout, os.Stderr},
		})
		file = ids
	}
	f, _ := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	fmt.Fprintln(f, os.Getpid())
	f.Close()
	time.Sleep(time.Minute)
}

// fakeNet plays hookspan-net: it notes its input and environment, and prints what arg says.
func fakeNet(arg string) int {
	dir, says, _ := strings.Cut(arg, "|")
	in, _ := io.ReadAll(os.Stdin)
	os.WriteFile(filepath.Join(dir, "request"), in, 0o600)
	os.WriteFile(filepath.Join(dir, "env"), []byte(strings.Join(os.Environ(), "\n")), 0o600)
	fmt.Print(says)
	return 0
}

type zeroes struct{}

func (zeroes) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '0'
	}
	return len(b), nil
}

// playing is a command that plays a part.
func playing(t testing.TB, part string) Command {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{Argv: []string{self}, Env: []string{fakeVar + "=" + part, "PATH=" + os.Getenv("PATH")}, Dir: t.TempDir(), Timeout: 20 * time.Second}
}
