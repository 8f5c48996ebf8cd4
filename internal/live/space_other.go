//go:build !linux

package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strconv"
	"time"
)

// space starts agents on systems without network namespaces.
type space struct {
	ln             net.Listener
	stdout, stderr io.Writer
}

func (s *space) listener() net.Listener { return s.ln }

func openSpace(alone bool, port int, stdout, stderr io.Writer) (*space, error) {
	if alone {
		return nil, errNotLinux
	}
	ln, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
	if err != nil {
		return nil, fmt.Errorf("failed to listen for the agent: %w", err)
	}
	return &space{ln: ln, stdout: stdout, stderr: stderr}, nil
}

// run starts the job and waits for its end; when ctx is over, its process group is killed.
func (s *space) run(ctx context.Context, j job) (ending, error) {
	cmd := exec.CommandContext(ctx, j.Argv[0], j.Argv[1:]...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = j.Env, j.Dir, s.stdout, s.stderr
	cmd.WaitDelay = 5 * time.Second
	group(cmd)
	if err := cmd.Start(); err != nil {
		return ending{}, err
	}
	err := cmd.Wait()
	killGroup(cmd)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) && ctx.Err() == nil {
		return ending{}, err
	}
	end := ending{Exit: cmd.ProcessState.ExitCode()}
	if end.Exit < 0 {
		end.Signal = cmd.ProcessState.String()
	}
	return end, nil
}

func (s *space) close() { _ = s.ln.Close() }

var errNotLinux = errors.New("failed to cut the network: only Linux has network namespaces; ask for a run with the network on")
