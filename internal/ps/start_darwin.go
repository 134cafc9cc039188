package ps

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// adopts: orphans go to launchd, for want of subreapers.
const adopts = false

// lastSignal is the highest signal number.
const lastSignal = 31

func ownThread() (undo func()) { return func() {} }

func becomeSubreaper() {}

// closeOnExec keeps descriptors that pi inherited from its caller out of its children. Go opens its own that way.
func closeOnExec() {
	names, _ := readDirNames("/dev/fd")
	for _, name := range names {
		if fd, ok := atoi(name); ok && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

func spawn(c Command, files []*os.File) (child, job, error) {
	defer defaultSignals()()
	p, err := forkExec(c, files, &syscall.SysProcAttr{Setsid: true, Setctty: c.Terminal})
	return p, job{}, err
}

// RestoreDefaultActions does nothing: the Go runtime's own handler has to do.
func RestoreDefaultActions(...syscall.Signal) {}

func ignored(sig syscall.Signal) bool { return signal.Ignored(sig) }

func readDirNames(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}
