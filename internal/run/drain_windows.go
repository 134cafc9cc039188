package run

import "os"

// pollable returns a file for an inherited descriptor. Windows passes on the standard descriptors only, so no drain ever
// calls it.
func pollable(fd uintptr) *os.File { return os.NewFile(fd, "pipe") }
