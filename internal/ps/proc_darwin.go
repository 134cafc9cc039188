package ps

import (
	"bytes"
	"encoding/binary"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// scan asks the kernel for all processes at once.
func scan() (*snapshot, error) {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, err
	}
	s := newSnapshot(len(all))
	for i := range all {
		s.add(procOf(&all[i]))
	}
	return s, nil
}

// readProc reads one process; ok is false when there is none or it may not be read.
func readProc(pid int) (proc, bool) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(k.Proc.P_pid) != pid {
		return proc{}, false
	}
	return procOf(k), true
}

// procOf translates; the start time counts microseconds.
func procOf(k *unix.KinfoProc) proc {
	p := proc{
		id:   id{pid: int(k.Proc.P_pid), start: uint64(k.Proc.P_starttime.Sec)*1e6 + uint64(k.Proc.P_starttime.Usec)},
		ppid: int(k.Eproc.Ppid),
		pgid: int(k.Eproc.Pgid),
		name: unix.ByteSliceToString(k.Proc.P_comm[:]),
	}
	p.session, _ = unix.Getsid(p.pid)
	p.state = 'S'
	switch k.Proc.P_stat { // sys/proc.h
	case 2: // SRUN
		p.state = 'R'
	case 4: // SSTOP
		p.state = 'T'
	case 5: // SZOMB
		p.state = 'Z'
	}
	return p
}

// arguments reads what a process was started with: its argument count, program, arguments and environment, all ended
// by NUL (KERN_PROCARGS2).
func arguments(pid int) (argv, env [][]byte) {
	raw, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(raw) < 4 {
		return nil, nil
	}
	argc := int(binary.NativeEndian.Uint32(raw))
	_, rest, _ := bytes.Cut(raw[4:], []byte{0})
	words := bytes.Split(bytes.TrimLeft(rest, "\x00"), []byte{0})
	argc = min(max(argc, 0), len(words))
	return words[:argc], words[argc:]
}

func markers(pid int) []byte {
	_, env := arguments(pid)
	for _, kv := range env {
		if ids, ok := bytes.CutPrefix(kv, []byte(MarkerName+"=")); ok {
			return ids
		}
	}
	return nil
}

func commandLine(p proc) string {
	argv, _ := arguments(p.pid)
	if len(argv) == 0 {
		return p.bracketed()
	}
	return string(bytes.Join(argv, []byte{' '}))
}

// send signals x if it still is x. Check and signal are two steps, microseconds apart: there are no pidfds.
func send(x id, sig syscall.Signal) error {
	if x.pid <= 1 || x.pid == os.Getpid() {
		return syscall.EPERM
	}
	if p, ok := readProc(x.pid); !ok || p.start != x.start {
		return syscall.ESRCH
	}
	return syscall.Kill(x.pid, sig)
}
