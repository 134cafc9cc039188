package drain

import (
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/windows"
)

var pipeSerial atomic.Uint64

// Pipe creates a named pipe with a buffer of size bytes, whose reading end is opened for overlapped I/O: anonymous pipes of
// Windows do not support deadlines. The command inherits the writing end.
func Pipe(size int) (r, w *os.File, err error) {
	name, err := windows.UTF16PtrFromString(fmt.Sprintf(`\\.\pipe\pi-%d-%d`, os.Getpid(), pipeSerial.Add(1)))
	if err != nil {
		return nil, nil, err
	}
	const open = windows.PIPE_ACCESS_INBOUND | windows.FILE_FLAG_OVERLAPPED | windows.FILE_FLAG_FIRST_PIPE_INSTANCE
	const mode = windows.PIPE_TYPE_BYTE | windows.PIPE_REJECT_REMOTE_CLIENTS
	rh, err := windows.CreateNamedPipe(name, open, mode, 1, 0, uint32(size), 0, nil)
	if err != nil {
		return nil, nil, os.NewSyscallError("CreateNamedPipe", err)
	}
	wh, err := windows.CreateFile(name, windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		windows.CloseHandle(rh)
		return nil, nil, os.NewSyscallError("CreateFile", err)
	}
	return os.NewFile(uintptr(rh), "|0"), os.NewFile(uintptr(wh), "|1"), nil
}

// buffered returns the number of bytes in the pipe.
func buffered(f *os.File) int {
	var n uint32
	c, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	_ = c.Control(func(h uintptr) { _ = peek(windows.Handle(h), &n) })
	return int(n)
}

// readNow reads nothing: an overlapped handle cannot be read while the poller uses it, so a passed deadline ends the reading
// here. It distinguishes a pipe whose writers are gone from an empty one.
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

// peek stores the number of readable bytes in n without reading them.
func peek(h windows.Handle, n *uint32) error {
	ok, _, err := peekNamedPipe.Call(uintptr(h), 0, 0, 0, uintptr(unsafe.Pointer(n)), 0)
	if ok == 0 {
		return err
	}
	return nil
}
