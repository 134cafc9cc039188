package ps

import (
	"bytes"
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// scan reads every process of the system from /proc/PID/stat: three system calls a process.
func scan() (*snapshot, error) {
	names, err := readDirNames("/proc")
	if err != nil {
		return nil, err
	}
	s := newSnapshot(len(names))
	for _, name := range names {
		if pid, ok := atoi(name); ok {
			if p, ok := readProc(pid); ok {
				s.add(p)
			}
		}
	}
	if len(s.procs) == 0 {
		return nil, errors.New("/proc shows no process")
	}
	return s, nil
}

// walk reads root and what is below it, from the children files of every thread. It costs by the size of the tree
// and not of the system, but may miss what is forked or orphaned meanwhile. ok is false where the kernel has no such
// files (CONFIG_PROC_CHILDREN).
func walk(root int) (s *snapshot, ok bool) {
	s = newSnapshot(16)
	p, ok := readProc(root)
	if !ok {
		return s, true
	}
	s.add(p)
	queue := []int{root}
	for i := 0; i < len(queue); i++ {
		kids, ok := childrenFile(queue[i])
		if !ok && i == 0 {
			return nil, false
		}
		for _, kid := range kids {
			if _, dup := s.procs[kid]; dup {
				continue
			}
			if p, ok := readProc(kid); ok {
				s.add(p)
				queue = append(queue, kid)
			}
		}
	}
	return s, true
}

// childrenOf reads pid and its direct children.
func childrenOf(pid int) (*snapshot, error) {
	kids, ok := childrenFile(pid)
	if !ok {
		return scan()
	}
	s := newSnapshot(len(kids) + 1)
	for _, n := range append(kids, pid) {
		if p, ok := readProc(n); ok {
			s.add(p)
		}
	}
	return s, nil
}

// childrenFile lists the children of all threads of pid; ok is false when not one file could be read.
func childrenFile(pid int) (kids []int, ok bool) {
	dir := "/proc/" + strconv.Itoa(pid) + "/task"
	tids, err := readDirNames(dir)
	if err != nil {
		return nil, false
	}
	for _, tid := range tids {
		text, err := os.ReadFile(dir + "/" + tid + "/children")
		if err != nil {
			continue
		}
		ok = true
		for _, f := range bytes.Fields(text) {
			if kid, good := atoi(string(f)); good {
				kids = append(kids, kid)
			}
		}
	}
	return kids, ok
}

// readProc reads one process; ok is false when there is none or it may not be read.
func readProc(pid int) (p proc, ok bool) {
	var buf [512]byte // comm has at most 64 bytes, each of the 52 numbers at most 20
	n, err := readSmall("/proc/"+strconv.Itoa(pid)+"/stat", buf[:])
	if err != nil {
		return proc{}, false
	}
	return parseStat(pid, buf[:n])
}

// parseStat reads the fields of proc(5) that matter. The name, field 2, may hold blanks and brackets: the last ")"
// ends it.
func parseStat(pid int, stat []byte) (p proc, ok bool) {
	open, shut := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || shut < open || shut+2 >= len(stat) {
		return proc{}, false
	}
	p.pid, p.name = pid, string(stat[open+1:shut])
	rest := stat[shut+2:]
	for field := 3; field <= 22 && len(rest) > 0; field++ {
		var word []byte
		word, rest, _ = bytes.Cut(rest, []byte{' '})
		switch field {
		case 3:
			p.state = word[0]
		case 4:
			p.ppid, _ = atoi(string(word))
		case 5:
			p.pgid, _ = atoi(string(word))
		case 6:
			p.session, _ = atoi(string(word))
		case 20:
			p.threads, _ = atoi(string(word))
		case 22:
			p.start, _ = strconv.ParseUint(string(word), 10, 64)
			return p, true
		}
	}
	return proc{}, false
}

// hasMarker looks for a run id in the environment a process was started with.
func hasMarker(pid int, marker string) bool {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	for kv := range bytes.SplitSeq(env, []byte{0}) {
		if ids, ok := bytes.CutPrefix(kv, []byte(MarkerName+"=")); ok && bytes.Contains(ids, []byte(marker)) {
			return true
		}
	}
	return false
}

// commandLine gives what a process was called with, or its name in brackets where that is not to be had.
func commandLine(p proc) string {
	args, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/cmdline")
	args = bytes.TrimRight(args, "\x00")
	if err != nil || len(args) == 0 {
		return "[" + p.name + "]"
	}
	return string(bytes.ReplaceAll(args, []byte{0}, []byte{' '}))
}

// mayHaveChildren is false when this process surely has no child at all, dead or alive: on a subreaper that means no
// descendant either.
func mayHaveChildren() bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	return !errors.Is(err, unix.ECHILD)
}

// mayHaveZombies is false when no child of this process waits to be reaped.
func mayHaveZombies() bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	return err == nil && info.Signo != 0
}

// reap waits for a child that has died.
func reap(pid int) bool {
	n, err := unix.Wait4(pid, nil, unix.WNOHANG, nil)
	return err == nil && n == pid
}

func readDirNames(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// readSmall reads a file of /proc in one go, without the cost of an os.File.
func readSmall(path string, buf []byte) (int, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	return unix.Read(fd, buf)
}

// isThread tells a thread's id from a process's: /proc/N is readable for both.
func isThread(pid int) bool {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	_, after, found := bytes.Cut(status, []byte("\nTgid:\t"))
	tgid, _, _ := bytes.Cut(after, []byte{'\n'})
	return err == nil && found && string(tgid) != strconv.Itoa(pid)
}
