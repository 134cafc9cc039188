package drain

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// buffered is the number of bytes that wait in the pipe.
func buffered(f *os.File) int {
	var n uint32
	c, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	_ = c.Control(func(h uintptr) { _ = peek(windows.Handle(h), &n) })
	return int(n)
}

// readNow takes what is there. An overlapped handle cannot be read beside its poller, so a passed deadline is the end
// of reading here; a pipe whose writers are gone is told apart from an empty one.
func readNow(f *os.File, _ []byte) (int, readState) {
	s := empty
	c, err := f.SyscallConn()
	if err != nil {
		return 0, atEnd
	}
	_ = c.Control(func(h uintptr) {
		var n uint32
		if peek(windows.Handle(h), &n) == windows.ERROR_BROKEN_PIPE {
			s = atEnd
		}
	})
	return 0, s
}

var peekNamedPipe = windows.NewLazySystemDLL("kernel32.dll").NewProc("PeekNamedPipe")

// peek tells how many bytes wait, without taking them.
func peek(h windows.Handle, n *uint32) error {
	ok, _, err := peekNamedPipe.Call(uintptr(h), 0, 0, 0, uintptr(unsafe.Pointer(n)), 0)
	if ok == 0 {
		return err
	}
	return nil
}
