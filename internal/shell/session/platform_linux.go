package session

import (
	"os"
	"strconv"
)

// procTransport creates pipes that others open as /proc/<pid>/fd/<number>: nothing stays on disk, whoever is killed. The path of
// one end opens either.
type procTransport struct{}

func newTransport() (transport, error) { return procTransport{}, nil }

func (procTransport) pipe() (rawPipe, error) {
	p, err := newRawPipe()
	p.path = ownPath(p.r)
	return p, err
}

func (procTransport) close() {}

// ownPath returns the path of a descriptor of this process for other processes of the same user.
func ownPath(fd int) string {
	return "/proc/" + strconv.Itoa(os.Getpid()) + "/fd/" + strconv.Itoa(fd)
}

func workingDir(pid int) string {
	dir, _ := os.Readlink("/proc/" + strconv.Itoa(pid) + "/cwd")
	return dir
}
