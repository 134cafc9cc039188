//go:build unix && !linux

package shell

import (
	"errors"
	"os"
)

type wires struct{ report *os.File }

func openWires() (*wires, error)              { return nil, errors.ErrUnsupported }
func (w *wires) driver(Kind) string           { return "" }
func (w *wires) send([]byte) error            { return errors.ErrUnsupported }
func (w *wires) unread() bool                 { return false }
func (w *wires) output(*pipe) (string, error) { return "", errors.ErrUnsupported }
func (w *wires) outputDone(*pipe)             {}
func (w *wires) close()                       {}
func workingDir(int) string                   { return "" }
