package ps

import (
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// Probe returns what this kernel can do. It makes this process a subreaper, as every run does.
func Probe() Capabilities {
	var c Capabilities
	c.Subreaper = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil
	if fd, err := unix.PidfdOpen(os.Getpid(), 0); err == nil {
		c.Pidfd = true
		unix.Close(fd)
	}
	c.CloseRange = unix.CloseRange(math.MaxUint32, math.MaxUint32, 0) == nil
	_, err := os.Stat("/proc/self/stat")
	c.ProcFS = err == nil
	c.Guardian = hasProgram()
	return c
}
