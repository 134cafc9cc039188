//go:build unix

package ps

import (
	"os"
	"runtime"
	"syscall"
)

// forkExec starts c. It goes past package os, whose first start of a process forks a second one to find out about
// pidfds, which is a tenth of what a short command costs altogether.
func forkExec(c Command, files []*os.File, attr *syscall.SysProcAttr) (child, error) {
	fds := make([]uintptr, len(files))
	for i, f := range files {
		fds[i] = f.Fd()
	}
	pid, err := syscall.ForkExec(c.Path, c.Args, &syscall.ProcAttr{Dir: c.Dir, Env: c.Env, Files: fds, Sys: attr})
	runtime.KeepAlive(files)
	if err != nil {
		return child{}, &os.PathError{Op: "exec", Path: c.Path, Err: err}
	}
	return child{pid, func() State { return waitFor(pid) }}, nil
}

// detached puts a helper into a session of its own.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// waitFor reaps a child of this process.
func waitFor(pid int) State {
	for {
		var ws syscall.WaitStatus
		switch _, err := syscall.Wait4(pid, &ws, 0, nil); {
		case err == syscall.EINTR:
		case err != nil:
			return State{ExitCode: -1} // somebody else waited for it
		case ws.Signaled():
			return State{ExitCode: -1, Signal: ws.Signal()}
		default:
			return State{ExitCode: ws.ExitStatus()}
		}
	}
}
