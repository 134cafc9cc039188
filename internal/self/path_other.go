//go:build !linux

package self

import "os"

// Path returns a path that starts the running program: its file. No system but Linux has a path that outlives the
// file, so replacing or removing the program under a running pi breaks what it starts later.
func Path() (string, error) { return os.Executable() }
