//go:build linux || darwin

package keyview

import "golang.org/x/sys/unix"

// cookOutput lets a raw terminal still turn a line feed into a new line, for us and for whatever else writes to it, as
// in `pi parse-key | tee log`.
func cookOutput(fd int) error {
	t, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return err
	}
	t.Oflag |= unix.OPOST
	return unix.IoctlSetTermios(fd, setTermios, t)
}
