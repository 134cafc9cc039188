package ps

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A job is a job object: every process a member starts is a member too, and when the last handle to it is closed, by
// the end of this process if by nothing else, the kernel ends them all. It does what elsewhere takes a guardian.
type job struct{ handle windows.Handle }

func newJob() (job, error) {
	h, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return job{}, fmt.Errorf("create job object: %w", err)
	}
	j := job{h}
	if err := j.limit(windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE); err != nil {
		j.close()
		return job{}, fmt.Errorf("limit job object: %w", err)
	}
	return j, nil
}

func (j job) limit(flags uint32) error {
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = flags
	_, err := windows.SetInformationJobObject(j.handle, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	return err
}

// maxMembers bounds the list of members that is asked for; TerminateJobObject ends all of them anyway.
const maxMembers = 4096

// members lists the pids in the job.
func (j job) members() []int {
	if j.handle == 0 {
		return nil
	}
	var list struct { // JOBOBJECT_BASIC_PROCESS_ID_LIST
		assigned, listed uint32
		pids             [maxMembers]uintptr
	}
	err := windows.QueryInformationJobObject(j.handle, windows.JobObjectBasicProcessIdList,
		uintptr(unsafe.Pointer(&list)), uint32(unsafe.Sizeof(list)), nil)
	if err != nil && !errors.Is(err, windows.ERROR_MORE_DATA) {
		return nil
	}
	pids := make([]int, 0, list.listed)
	for _, pid := range list.pids[:min(int(list.listed), maxMembers)] {
		pids = append(pids, int(pid))
	}
	return pids
}

func (j job) terminate() {
	if j.handle != 0 {
		_ = windows.TerminateJobObject(j.handle, 1)
	}
}

// release lets members live on after the last handle is closed.
func (j job) release() {
	if j.handle != 0 {
		_ = j.limit(0)
		j.close()
	}
}

func (j job) close() {
	if j.handle != 0 {
		_ = windows.CloseHandle(j.handle)
	}
}

// spawn starts c suspended, so that it is in its job before it can start anything.
func spawn(c Command, files []*os.File) (child, job, error) {
	j, err := newJob()
	if err != nil {
		return child{}, job{}, err
	}
	if c.Console != 0 {
		return j.spawnInConsole(c)
	}
	p, err := os.StartProcess(c.Path, c.Args, &os.ProcAttr{
		Dir: c.Dir, Env: c.Env, Files: files[:3],
		Sys: &syscall.SysProcAttr{
			HideWindow:    true,
			CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP,
		},
	})
	if err != nil {
		j.close()
		return child{}, job{}, err
	}
	if err := j.adopt(p); err != nil {
		_ = p.Kill()
		_, _ = p.Wait()
		j.close()
		return child{}, job{}, fmt.Errorf("%s: %w", c.Path, err)
	}
	return child{p.Pid, func() State { return stateOf(p.Wait()) }}, j, nil
}

func stateOf(st *os.ProcessState, err error) State {
	if err != nil {
		return State{ExitCode: -1} // somebody else waited for it
	}
	return State{ExitCode: st.ExitCode()}
}

func (j job) adopt(p *os.Process) error {
	var assigned error
	err := p.WithHandle(func(h uintptr) {
		assigned = windows.AssignProcessToJobObject(j.handle, windows.Handle(h))
	})
	if err := errors.Join(err, assigned); err != nil {
		return fmt.Errorf("assign to job object: %w", err)
	}
	if err := resume(p.Pid); err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	return nil
}

// resume lets the threads of a suspended process run: just one, since it has not run yet.
func resume(pid int) error {
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(snap)
	e := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(snap, &e); err == nil; err = windows.Thread32Next(snap, &e) {
		if int(e.OwnerProcessID) != pid {
			continue
		}
		h, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, e.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(h)
		return errors.Join(err, windows.CloseHandle(h))
	}
	return err
}
