package shell

import (
	"errors"
	"io/fs"
	"os"
)

// Windows has no fifos and no shells with rc files of its own.
const (
	snapshotsSupported = false
	openNoFollow       = 0
)

func owned(fs.FileInfo) bool { return true }

func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }

func openChannel(string) (*os.File, error) { return nil, errors.ErrUnsupported }
