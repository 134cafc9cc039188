//go:build !linux

package ps

import "runtime"

// Probe returns what this system can do.
func Probe() Capabilities {
	return Capabilities{Guardian: runtime.GOOS != "windows" && hasProgram()}
}
