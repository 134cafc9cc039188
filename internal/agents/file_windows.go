package agents

import (
	"io/fs"
	"os"
)

// copyOwner does nothing: a new file inherits its access rights from its directory.
func copyOwner(*os.File, fs.FileInfo) error { return nil }
