package ps

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// ForkWatcher detects, at the cost of two system calls, new processes in a tree whose leader has one thread. A process
// that the leader starts is the leader's child; one that outlives its parent becomes a child of this process, which is a
// subreaper: of its first thread, to which the kernel gives orphans. Look compares both lists with those of the last
// call. It is not safe for concurrent use.
type ForkWatcher struct {
	files [2]int // children files of the leader and of this process's first thread; -1: there are none
	lists [2][]byte
	buf   [2048]byte // a longer list counts as changed
}

// NewForkWatcher returns a watcher of t. Where the kernel does not list children (CONFIG_PROC_CHILDREN) its Look always
// returns true.
func NewForkWatcher(t *Tree) *ForkWatcher {
	b := &ForkWatcher{}
	for i, pid := range []int{t.PID(), os.Getpid()} {
		id := strconv.Itoa(pid)
		fd, err := unix.Open("/proc/"+id+"/task/"+id+"/children", unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			fd = -1
		}
		b.files[i] = fd
	}
	b.Look()
	return b
}

// Look reports whether a process that was forked since the last call may still run. The leader must not be forking
// during the call. A reused process ID goes unnoticed, so calls must not be far apart.
func (b *ForkWatcher) Look() bool {
	changed := false
	for i, fd := range b.files { // the leader first: a process that leaves its list meanwhile shows up in the other one
		n, err := unix.Pread(fd, b.buf[:], 0)
		if err != nil || n == len(b.buf) {
			changed = true
			continue
		}
		if !bytes.Equal(b.buf[:n], b.lists[i]) {
			changed = true
			b.lists[i] = append(b.lists[i][:0], b.buf[:n]...)
		}
	}
	return changed
}

// Close closes the files.
func (b *ForkWatcher) Close() {
	for i, fd := range b.files {
		if fd >= 0 {
			unix.Close(fd)
		}
		b.files[i] = -1
	}
}
