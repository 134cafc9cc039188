//go:build !linux

package shell

import "os"

// ownProgram is the running program's file.
func ownProgram() (string, error) { return os.Executable() }
