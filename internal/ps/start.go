package ps

import (
	"os"
	"syscall"
)

// files gives the descriptors from 0 on, with the null device for standard ones that are nil. done closes what it opened.
func (c Command) files() (files []*os.File, done func(), err error) {
	files = []*os.File{c.Stdin, c.Stdout, c.Stderr}
	var null *os.File
	for i := range files {
		if files[i] != nil {
			continue
		}
		if null == nil {
			if null, err = os.OpenFile(os.DevNull, os.O_RDWR, 0); err != nil {
				return nil, nil, err
			}
		}
		files[i] = null
	}
	if c.Extra != nil {
		files = append(files, c.Extra)
	}
	if c.Extra != nil {
		files = append(files, c.Extra)
	}
	return files, func() { _ = null.Close() }, nil // closing nil is an error, nothing more
}

func stateOf(st *os.ProcessState, err error) State {
	if err != nil {
		return State{ExitCode: -1} // somebody else waited for it
	}
	s := State{ExitCode: st.ExitCode()}
	if ws, ok := st.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		s.Signal = ws.Signal()
	}
	return s
}
