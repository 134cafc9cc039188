package shell

import (
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// procPlace makes pipes that others open as /proc/<pid>/fd/<number>: nothing is left behind on disk, whatever ends
// whom. Through the path of one end either can be opened.
type procPlace struct{}

func newPlace() (place, error) { return procPlace{}, nil }

func (procPlace) pipe() (rawPipe, error) {
	p, err := newRawPipe()
	p.path = ownPath(p.r)
	return p, err
}

func (procPlace) close() {}

// ownPath names a descriptor of this process for others of the same user.
func ownPath(fd int) string {
	return "/proc/" + strconv.Itoa(os.Getpid()) + "/fd/" + strconv.Itoa(fd)
}

// pollBriefly polls for a moment in which this thread keeps its place: that of a short run is nearer than what it takes
// the runtime to give the place to others and to find one again.
func pollBriefly(fds []unix.PollFd) int {
	ts := unix.NsecToTimespec(shortWait.Nanoseconds())
	n, _, errno := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&fds[0])), uintptr(len(fds)), uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
	if errno != 0 {
		return 0
	}
	return int(n)
}

func workingDir(pid int) string {
	dir, _ := os.Readlink("/proc/" + strconv.Itoa(pid) + "/cwd")
	return dir
}
