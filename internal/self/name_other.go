//go:build !linux

package self

// SetProcessName does nothing: the process is called after its file already.
func SetProcessName(string) {}
