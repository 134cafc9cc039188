package shell

import (
	"fmt"
	"os"
	"sync/atomic"

	"golang.org/x/sys/windows"
)

var pipeSerial atomic.Uint64

// newPipe makes a named pipe whose reading end is opened for overlapped I/O: anonymous pipes of Windows know no
// deadlines. The writing end is inherited by the command.
func newPipe() (r, w *os.File, err error) {
	name, err := windows.UTF16PtrFromString(fmt.Sprintf(`\\.\pipe\pi-%d-%d`, os.Getpid(), pipeSerial.Add(1)))
	if err != nil {
		return nil, nil, err
	}
	const open = windows.PIPE_ACCESS_INBOUND | windows.FILE_FLAG_OVERLAPPED | windows.FILE_FLAG_FIRST_PIPE_INSTANCE
	const mode = windows.PIPE_TYPE_BYTE | windows.PIPE_REJECT_REMOTE_CLIENTS
	rh, err := windows.CreateNamedPipe(name, open, mode, 1, 0, pipeSize, 0, nil)
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
