package ps

import (
	"os"
	"slices"
	"strconv"
)

// PipeHolders returns the processes of list that have one of the pipes open, at either end. It returns list itself when it
// finds none, since the files of a process may be unreadable.
func PipeHolders(list []Process, pipes ...*os.File) []Process {
	var names []string
	for _, f := range pipes {
		if conn, err := f.SyscallConn(); err == nil { // Fd would make the file block
			_ = conn.Control(func(fd uintptr) {
				if name, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(int(fd))); err == nil {
					names = append(names, name)
				}
			})
		}
	}
	var holders []Process
	for _, p := range list {
		dir := "/proc/" + strconv.Itoa(p.PID) + "/fd"
		fds, _ := readDirNames(dir)
		if slices.ContainsFunc(fds, func(fd string) bool {
			name, err := os.Readlink(dir + "/" + fd)
			return err == nil && slices.Contains(names, name)
		}) {
			holders = append(holders, p)
		}
	}
	if len(holders) == 0 {
		return list
	}
	return holders
}
