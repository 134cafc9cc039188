package keyview

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// waitInput waits until f has something to read, but no longer than d. The console also wakes it for keys that are let
// go, of which it then reads nothing until the next one is pressed.
func waitInput(f *os.File, d time.Duration) (bool, error) {
	event, err := windows.WaitForSingleObject(windows.Handle(f.Fd()), uint32(d.Milliseconds()))
	if err != nil {
		return false, err
	}
	return event == windows.WAIT_OBJECT_0, nil
}

// isHangup tells the error that reading a console gives that is gone.
func isHangup(err error) bool { return errors.Is(err, windows.ERROR_BROKEN_PIPE) }
