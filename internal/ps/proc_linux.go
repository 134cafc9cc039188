package ps

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// scan reads every process of the system from /proc/PID/stat: three system calls a process.
func scan() (*snapshot, error) {
	names, err := readDirNames("/proc")
	if err != nil {
		return nil, err
	}
	s := newSnapshot(len(names))
	parts := slices.Collect(slices.Chunk(names, scanPart))
	found := make([][]proc, len(parts))
	var wg sync.WaitGroup
	for i := 1; i < len(parts); i++ {
		wg.Go(func() { found[i] = readProcs(parts[i]) })
	}
	if len(parts) > 0 {
		found[0] = readProcs(parts[0])
	}
	wg.Wait()
	for _, list := range found {
		for _, p := range list {
			s.add(p)
		}
	}
	if len(s.procs) == 0 {
		return nil, errors.New("/proc shows no process")
	}
	return s, nil
}

// scanPart is how many entries of /proc one goroutine reads: where there are more, other processors help.
const scanPart = 512

func readProcs(names []string) []proc {
	list := make([]proc, 0, len(names))
	for _, name := range names {
		if pid, ok := atoi(name); ok {
			if p, ok := readProc(pid); ok {
				list = append(list, p)
			}
		}
	}
	return list
}

// scanCheap is up to how many threads of the system a scan is preferred to a walk. A process costs a walk three times
// what it costs a scan (10 and 30 µs), since the kernel makes up two directories to get at a children file; but a
// scan pays for everybody.
const scanCheap = 4096

// glance looks at a tree that is most likely small, and may miss what moves.
func glance(root int) *snapshot {
	const small = 32
	if s, ok := walk(root, small); ok {
		return s
	}
	return treeOf(root)
}

// treeOf looks at root and what is below it, in the way that is cheaper.
func treeOf(root int) *snapshot {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) == nil && info.Procs > scanCheap {
		if s, ok := walk(root, int(info.Procs)/4); ok {
			return s
		}
	}
	s, err := scan()
	if err != nil {
		return newSnapshot(0)
	}
	return s
}

// walk reads root and what is below it, from the children files of every thread. It may miss what is forked or
// orphaned meanwhile. ok is false where the kernel has no such files (CONFIG_PROC_CHILDREN), and for a tree of more
// than most processes.
func walk(root, most int) (s *snapshot, ok bool) {
	s = newSnapshot(16)
	p, ok := readProc(root)
	if !ok {
		return s, true
	}
	s.add(p)
	queue := []proc{p}
	for i := 0; i < len(queue); i++ {
		kids, ok := childrenFile(queue[i])
		if !ok && i == 0 || len(queue) > most {
			return nil, false
		}
		for _, kid := range kids {
			if _, dup := s.procs[kid]; dup {
				continue
			}
			if p, ok := readProc(kid); ok {
				s.add(p)
				queue = append(queue, p)
			}
		}
	}
	return s, true
}

// childrenOf reads pid and its direct children.
func childrenOf(pid int) (*snapshot, error) {
	p, ok := readProc(pid)
	if !ok {
		return scan()
	}
	kids, ok := childrenFile(p)
	if !ok {
		return scan()
	}
	s := newSnapshot(len(kids) + 1)
	s.add(p)
	for _, kid := range kids {
		if p, ok := readProc(kid); ok {
			s.add(p)
		}
	}
	return s, nil
}

// childrenFile lists the children of all threads of p; ok is false when not one file could be read.
func childrenFile(p proc) (kids []int, ok bool) {
	dir := "/proc/" + strconv.Itoa(p.pid) + "/task"
	tids := []string{strconv.Itoa(p.pid)}
	if p.threads != 1 {
		var err error
		if tids, err = readDirNames(dir); err != nil {
			return nil, false
		}
	}
	for _, tid := range tids {
		text, err := readAll(dir + "/" + tid + "/children")
		if err != nil {
			continue
		}
		ok = true
		for f := range bytes.FieldsSeq(text) {
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

// exiting is the flag PF_EXITING of the kernel's include/linux/sched.h.
const exiting = 0x4

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
			if len(word) != 1 {
				return proc{}, false
			}
			p.state = word[0]
		case 4:
			p.ppid, _ = atoi(string(word))
		case 5:
			p.pgid, _ = atoi(string(word))
		case 6:
			p.session, _ = atoi(string(word))
		case 9:
			flags, _ := strconv.ParseUint(string(word), 10, 32)
			p.leaving = flags&exiting != 0
		case 20:
			p.threads, _ = atoi(string(word))
		case 22:
			p.start, _ = strconv.ParseUint(string(word), 10, 64)
			return p, true
		}
	}
	return proc{}, false
}

// markers gives the run ids in the environment a process was started with.
func markers(pid int) []byte {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return nil
	}
	for kv := range bytes.SplitSeq(env, []byte{0}) {
		if ids, ok := bytes.CutPrefix(kv, []byte(MarkerName+"=")); ok {
			return ids
		}
	}
	return nil
}

// commandLine gives what a process was called with, or its name in brackets where that is not to be had.
func commandLine(p proc) string {
	args, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/cmdline")
	args = bytes.TrimRight(args, "\x00")
	if err != nil || len(args) == 0 {
		return p.bracketed()
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

// readSmall reads what fits into buf of a file of /proc, without the cost of an os.File.
func readSmall(path string, buf []byte) (int, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	return unix.Read(fd, buf)
}

// readAll reads a file of /proc; most fit into one read.
func readAll(path string) ([]byte, error) {
	buf := make([]byte, 2048)
	n, err := readSmall(path, buf)
	if err == nil && n == len(buf) {
		return os.ReadFile(path)
	}
	return buf[:max(n, 0)], err
}

// isThread tells a thread's id from a process's: /proc/N is readable for both.
func isThread(pid int) bool {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	_, after, found := bytes.Cut(status, []byte("\nTgid:\t"))
	tgid, _, _ := bytes.Cut(after, []byte{'\n'})
	return err == nil && found && string(tgid) != strconv.Itoa(pid)
}
