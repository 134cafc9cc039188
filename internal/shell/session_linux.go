package shell

import (
	"os"
	"strconv"
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

func workingDir(pid int) string {
	dir, _ := os.Readlink("/proc/" + strconv.Itoa(pid) + "/cwd")
	return dir
}
