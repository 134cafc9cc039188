package ps

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Births tells, at the cost of two system calls, whether processes were born into a tree whose leader has one thread.
// What a leader starts is its child; what outlives the child that started it is a child of this process, which is a
// subreaper: of its first thread, where the kernel puts the adopted. Both lists are remembered from look to look.
// It is not safe for concurrent use.
type Births struct {
	files [2]int // children files of the leader and of this process's first thread; -1: there are none
	lists [2][]byte
	buf   [2048]byte // longer lists are taken for new
}

// NewBirths watches t from now on. It always says yes where the kernel does not list children (CONFIG_PROC_CHILDREN).
func NewBirths(t *Tree) *Births {
	b := &Births{}
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

// Look is true when a process may have been born since the last look that is still there. The leader must not be in
// the middle of starting one. A number that was given away anew meanwhile goes unnoticed, so looks must not be far apart.
func (b *Births) Look() bool {
	stirred := false
	for i, fd := range b.files { // the leader first: what leaves its list during the looks is in the other one
		n, err := unix.Pread(fd, b.buf[:], 0)
		if err != nil || n == len(b.buf) {
			stirred = true
			continue
		}
		if !bytes.Equal(b.buf[:n], b.lists[i]) {
			stirred = true
			b.lists[i] = append(b.lists[i][:0], b.buf[:n]...)
		}
	}
	return stirred
}

// Close lets go of the files.
func (b *Births) Close() {
	for i, fd := range b.files {
		if fd >= 0 {
			unix.Close(fd)
		}
		b.files[i] = -1
	}
}
