package handler

import (
	"os"
	"syscall"
)

// group is the Job object of a program: its children belong to it as well.
type group struct {
	job  syscall.Handle
	proc *os.Process
}

const (
	createNewProcessGroup = 0x00000200
	processSetQuota       = 0x0100
	processTerminate      = 0x0001
)

func kernel(name string) *syscall.LazyProc { return syscall.NewLazyDLL("kernel32.dll").NewProc(name) }

// startGroup starts a program and puts it into a Job object. Where the system refuses that, the
// program alone can be ended.
func startGroup(path string, argv []string, dir string, env []string, files []*os.File) (*os.Process, group, error) {
	p, err := os.StartProcess(path, argv, &os.ProcAttr{
		Dir: dir, Env: env, Files: files,
		Sys: &syscall.SysProcAttr{HideWindow: true, CreationFlags: createNewProcessGroup},
	})
	if err != nil {
		return nil, group{}, err
	}
	return p, group{job: jobWith(p.Pid), proc: p}, nil
}

// jobWith makes a Job object that holds the process; 0 = the system refused.
func jobWith(pid int) syscall.Handle {
	h, err := syscall.OpenProcess(processSetQuota|processTerminate, false, uint32(pid))
	if err != nil {
		return 0
	}
	defer syscall.CloseHandle(h)
	job, _, _ := kernel("CreateJobObjectW").Call(0, 0)
	if job == 0 {
		return 0
	}
	if ok, _, _ := kernel("AssignProcessToJobObject").Call(job, uintptr(h)); ok == 0 {
		_ = syscall.CloseHandle(syscall.Handle(job))
		return 0
	}
	return syscall.Handle(job)
}

// terminate does nothing: Windows has no gentle word for a program without a window.
func (g group) terminate() {}

func (g group) kill() {
	if g.job != 0 {
		_, _, _ = kernel("TerminateJobObject").Call(uintptr(g.job), 1)
	}
	_ = g.proc.Kill()
}

func (g group) close() {
	if g.job != 0 {
		_ = syscall.CloseHandle(g.job)
	}
}

// closePipe does not wait: a reader in a pipe of Windows may hold the handle until it is woken.
func closePipe(f *os.File) error {
	go f.Close()
	return nil
}

// exitOf reads an exit code. Windows has no signals.
func exitOf(state *os.ProcessState) (code int, signal string) {
	if state == nil {
		return 128, "unknown"
	}
	return state.ExitCode(), ""
}

const deleteOnClose = 0x04000000

// unnamed opens a file once more, so that it is deleted with the last handle; Windows removes no open file.
func unnamed(f *os.File) (*os.File, error) {
	path := f.Name()
	f.Close()
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const share = syscall.FILE_SHARE_READ | syscall.FILE_SHARE_WRITE | 0x4 // and delete
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, share, nil, syscall.OPEN_EXISTING,
		syscall.FILE_ATTRIBUTE_NORMAL|deleteOnClose, 0)
	if err != nil {
		os.Remove(path)
		return nil, err
	}
	return os.NewFile(uintptr(h), path), nil
}
