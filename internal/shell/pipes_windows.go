package shell

import (
	"os"

	"pi/internal/drain"
)

func newPipe() (r, w *os.File, err error) { return drain.Pipe(pipeSize) }
