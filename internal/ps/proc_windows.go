package ps

import (
	"os"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

const (
	adopts     = false
	lastSignal = 15
	sigCont    = syscall.Signal(0) // nothing is ever stopped
	sigStop    = syscall.Signal(0)
)

func ownThread() (undo func()) { return func() {} }

func becomeSubreaper() {}

func closeOnExec() {} // handles are inherited by list

// detached keeps a helper away from this console and its signals.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// scan takes a Toolhelp snapshot. Processes that may not be opened are left out: they can be nobody's children here.
func scan() (*snapshot, error) {
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil, err
	}
	defer windows.CloseHandle(snap)
	s := newSnapshot(256)
	e := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snap, &e); err == nil; err = windows.Process32Next(snap, &e) {
		start, alive := startOf(e.ProcessID)
		if start == 0 {
			continue
		}
		p := proc{id: id{int(e.ProcessID), start}, ppid: int(e.ParentProcessID), state: 'R', name: windows.UTF16ToString(e.ExeFile[:])}
		if !alive {
			p.state = 'X'
		}
		s.add(p)
	}
	return s, nil
}

func readProc(pid int) (proc, bool) {
	s, err := scan()
	if err != nil {
		return proc{}, false
	}
	p, ok := s.procs[pid]
	return p, ok
}

// startOf gives a process's creation time in units of 100 ns, 0 when it cannot be read, and whether it still runs: an
// ended process stays visible while somebody holds a handle to it.
func startOf(pid uint32) (start uint64, alive bool) {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return 0, false
	}
	defer windows.CloseHandle(h)
	return created(h), running(h)
}

func created(h windows.Handle) uint64 {
	var creation, exit, kernel, user windows.Filetime
	if windows.GetProcessTimes(h, &creation, &exit, &kernel, &user) != nil {
		return 0
	}
	return uint64(creation.HighDateTime)<<32 | uint64(creation.LowDateTime)
}

func running(h windows.Handle) bool {
	const stillActive = 259 // STILL_ACTIVE
	var code uint32
	return windows.GetExitCodeProcess(h, &code) == nil && code == stillActive
}

// markers: environments of others are not read here, the job object knows the members.
func markers(int) []byte { return nil }

func commandLine(p proc) string { return "[" + p.name + "]" }

// send terminates x, whatever the signal. An open handle pins the number, so the check cannot be overtaken.
func send(x id, _ syscall.Signal) error {
	if x.pid <= 4 || x.pid == os.Getpid() { // 0 and 4 are the system's
		return windows.ERROR_ACCESS_DENIED
	}
	h, err := windows.OpenProcess(windows.PROCESS_TERMINATE|windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(x.pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	if created(h) != x.start {
		return os.ErrProcessDone
	}
	return windows.TerminateProcess(h, 1)
}

// signalName knows the numbers that package syscall has names for on Windows.
func signalName(n int) string {
	names := strings.Fields("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL - SEGV - PIPE ALRM TERM")
	if n < 1 || n > len(names) || names[n-1] == "-" {
		return ""
	}
	return names[n-1]
}
