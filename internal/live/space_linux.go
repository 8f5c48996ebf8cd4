package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// insideName is the argv[0] by which this program is started as the inside of a space.
const insideName = "hookspan-live-inside"

// init takes over when the program is the inside of a space: a test binary and hookspan-net alike can be
// it, without a line of their own, and cannot start their usual work by mistake.
func init() {
	if len(os.Args) == 3 && os.Args[0] == insideName {
		os.Exit(inside(os.Args[1] == "alone", os.Args[2]))
	}
}

// space is a process of ours that starts agents and ends whatever they start, in a network namespace of
// its own if it is alone there. The listener that it opened inside is served from here.
type space struct {
	cmd  *exec.Cmd
	conn *net.UnixConn
	ln   net.Listener
}

func (s *space) listener() net.Listener { return s.ln }

// openSpace starts the inside and waits for its listener.
func openSpace(alone bool, port int, stdout, stderr io.Writer) (*space, error) {
	if !alone {
		return startInside("shared", port, stdout, stderr, nil)
	}
	// A program with the right to may make a network namespace; anybody may make one in a user namespace,
	// where the system lets them.
	s, err := startInside("alone", port, stdout, stderr, &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET})
	if err == nil {
		return s, nil
	}
	s, err2 := startInside("alone", port, stdout, stderr, &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNET | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
	})
	if err2 == nil {
		return s, nil
	}
	return nil, fmt.Errorf("failed to cut the network: this system allows no network namespace (as it is: %w; in a user namespace: %w); "+
		"run as root, or set the sysctl kernel.unprivileged_userns_clone=1 or kernel.apparmor_restrict_unprivileged_userns=0", err, err2)
}

func startInside(mode string, port int, stdout, stderr io.Writer, attr *syscall.SysProcAttr) (*space, error) {
	ours, theirs, err := socketPair()
	if err != nil {
		return nil, err
	}
	defer func() { _ = theirs.Close() }()
	cmd := &exec.Cmd{Path: "/proc/self/exe", Args: []string{insideName, mode, strconv.Itoa(port)}, Env: []string{},
		Stdout: stdout, Stderr: stderr, ExtraFiles: []*os.File{theirs}, SysProcAttr: attr, WaitDelay: 5 * time.Second}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, ours.Close())
	}
	_ = theirs.Close() // so that the end of the inside is the end of the stream
	s := &space{cmd: cmd, conn: ours}
	if s.ln, err = receiveListener(ours); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// run starts the job inside and waits for its end. When ctx is over, the inside kills it.
func (s *space) run(ctx context.Context, j job) (ending, error) {
	if err := json.NewEncoder(s.conn).Encode(j); err != nil {
		return ending{}, fmt.Errorf("failed to start it: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = s.conn.CloseWrite() })
	defer stop()
	var end ending
	if err := json.NewDecoder(s.conn).Decode(&end); err != nil {
		return ending{}, fmt.Errorf("failed to learn how it ended: %w", err)
	}
	if end.Err != "" {
		return end, errors.New(end.Err)
	}
	return end, s.cmd.Wait()
}

// close ends the inside and what it started, if that has not happened yet.
func (s *space) close() {
	_ = s.conn.Close()
	if s.ln != nil {
		_ = s.ln.Close()
	}
	if s.cmd.ProcessState == nil {
		_ = s.cmd.Wait() // the inside leaves when the stream ends
	}
}

func socketPair() (*net.UnixConn, *os.File, error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("failed to make a socket pair: %w", err)
	}
	theirs := os.NewFile(uintptr(fds[1]), "inside")
	ours, err := unixConn(os.NewFile(uintptr(fds[0]), "outside"))
	if err != nil {
		return nil, nil, errors.Join(err, theirs.Close())
	}
	return ours, theirs, nil
}

// unixConn makes a connection of f, which it closes.
func unixConn(f *os.File) (*net.UnixConn, error) {
	defer func() { _ = f.Close() }()
	c, err := net.FileConn(f)
	if err != nil {
		return nil, fmt.Errorf("failed to use a socket: %w", err)
	}
	conn, ok := c.(*net.UnixConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("failed to use a socket: it is a %T", c), c.Close())
	}
	return conn, nil
}

// receiveListener takes the first message of the inside: "+" with a listening socket, or what went wrong.
func receiveListener(conn *net.UnixConn) (net.Listener, error) {
	text, oob := make([]byte, 4096), make([]byte, 256)
	n, oobn, _, _, err := conn.ReadMsgUnix(text, oob)
	if err != nil || n == 0 {
		return nil, fmt.Errorf("failed to start the inside of a namespace: %w", cmpErr(err, io.ErrUnexpectedEOF))
	}
	if text[0] != '+' {
		return nil, errors.New(string(text[:n]))
	}
	msgs, err := syscall.ParseSocketControlMessage(oob[:oobn])
	if err != nil || len(msgs) != 1 {
		return nil, fmt.Errorf("failed to receive the listener: %d messages: %w", len(msgs), cmpErr(err, io.ErrUnexpectedEOF))
	}
	fds, err := syscall.ParseUnixRights(&msgs[0])
	if err != nil || len(fds) != 1 {
		return nil, fmt.Errorf("failed to receive the listener: %d files: %w", len(fds), cmpErr(err, io.ErrUnexpectedEOF))
	}
	f := os.NewFile(uintptr(fds[0]), "listener")
	defer func() { _ = f.Close() }()
	return net.FileListener(f)
}

func cmpErr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// inside is the process inside a space: loopback up, listener out, job in, and no child of it survives.
func inside(alone bool, port string) int {
	syscall.CloseOnExec(3)
	conn, err := unixConn(os.NewFile(3, "outside"))
	if err != nil {
		return 1
	}
	if err := prepareInside(conn, alone, port); err != nil {
		_, _ = conn.Write([]byte("-" + err.Error()))
		return 1
	}
	in := json.NewDecoder(conn)
	var j job
	if err := in.Decode(&j); err != nil {
		return 0 // nobody wants anything
	}
	if err := json.NewEncoder(conn).Encode(supervise(in, j)); err != nil {
		return 1
	}
	return 0
}

func prepareInside(conn *net.UnixConn, alone bool, port string) error {
	if alone {
		if err := loopbackUp(); err != nil {
			return err
		}
	}
	// Orphans become our children, so that none escapes (prctl(2), PR_SET_CHILD_SUBREAPER).
	const setChildSubreaper = 36
	if _, _, e := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); e != 0 {
		return fmt.Errorf("failed to become the reaper of orphans: %w", e)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		return fmt.Errorf("failed to listen for the agent: %w", err)
	}
	f, err := ln.(*net.TCPListener).File()
	if err != nil {
		return fmt.Errorf("failed to hand the listener out: %w", err)
	}
	_, _, err = conn.WriteMsgUnix([]byte("+"), syscall.UnixRights(int(f.Fd())), nil)
	return errors.Join(err, f.Close(), ln.Close())
}

// supervise runs the job until it ends or the other side closes its end of in, then kills what is left.
func supervise(in *json.Decoder, j job) ending {
	for _, v := range j.Env { // so that a bare name is found where the job itself would find it
		if path, ok := strings.CutPrefix(v, "PATH="); ok {
			_ = os.Setenv("PATH", path)
		}
	}
	cmd := exec.Command(j.Argv[0], j.Argv[1:]...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = j.Env, j.Dir, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return ending{Exit: -1, Err: fmt.Sprintf("failed to start %s: %v", j.Argv[0], err)}
	}
	done := make(chan struct{})
	go func() { _ = cmd.Wait(); close(done) }()
	gone := make(chan struct{})
	go func() { var none job; _ = in.Decode(&none); close(gone) }()
	select {
	case <-done:
	case <-gone:
		killDescendants()
		<-done
	}
	for end := time.Now().Add(5 * time.Second); killDescendants() > 0 && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	end := ending{Exit: cmd.ProcessState.ExitCode()}
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		end.Signal = ws.Signal().String()
	}
	return end
}

// killDescendants kills every process below this one and says how many still lived.
func killDescendants() int {
	children := map[int][]int{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if parent, alive := parentOf(pid); alive {
			children[parent] = append(children[parent], pid)
		}
	}
	n := 0
	for queue := []int{os.Getpid()}; len(queue) > 0; queue = queue[1:] {
		for _, pid := range children[queue[0]] {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			queue = append(queue, pid)
			n++
		}
	}
	return n
}

// parentOf reads /proc/PID/stat: "pid (name) state ppid ...", where the name may hold anything.
func parentOf(pid int) (parent int, alive bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 2 || fields[0] == "Z" || fields[0] == "X" {
		return 0, false
	}
	parent, err = strconv.Atoi(fields[1])
	return parent, err == nil
}

// loopbackUp sets the flag IFF_UP of lo (netdevice(7)); a new network namespace has it down.
func loopbackUp() error {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("failed to bring loopback up: %w", err)
	}
	defer func() { _ = syscall.Close(fd) }()
	var req struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(req.name[:], "lo")
	for _, op := range []uintptr{syscall.SIOCGIFFLAGS, syscall.SIOCSIFFLAGS} {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), op, uintptr(unsafe.Pointer(&req))); e != 0 {
			return fmt.Errorf("failed to bring loopback up: %w", e)
		}
		req.flags |= syscall.IFF_UP
	}
	return nil
}
