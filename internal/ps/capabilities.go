package ps

import (
	"os"

	"pi/internal/self"
)

// Capabilities are the kernel's features that make tracking and killing process trees reliable.
type Capabilities struct {
	Subreaper  bool `json:"subreaper"`  // orphans are reparented to pi, so that none is lost
	Pidfd      bool `json:"pidfd"`      // a signal cannot hit a process that reuses a PID
	CloseRange bool `json:"closeRange"` // descriptors are closed in one call
	ProcFS     bool `json:"procfs"`     // the process table can be read from /proc
	Guardian   bool `json:"guardian"`   // a helper can kill what a killed pi leaves behind
}

// hasProgram reports whether the file of this program can be found, which the guardian is started from.
func hasProgram() bool {
	path, err := self.Path()
	if err != nil {
		return false
	}
	_, err = os.Stat(path)
	return err == nil
}
