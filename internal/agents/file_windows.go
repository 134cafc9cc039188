package agents

import (
	"io/fs"
	"os"
)

// sameOwner has nothing to do: a new file has what its directory gives it.
func sameOwner(*os.File, fs.FileInfo) error { return nil }
