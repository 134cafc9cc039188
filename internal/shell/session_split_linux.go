package shell

import "os"

const canSplit = true

// splitPath names the writing end of a pipe for a shell to open.
func splitPath(w *os.File) string { return ownPath(int(w.Fd())) }
