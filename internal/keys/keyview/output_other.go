//go:build !linux && !darwin

package keyview

// cookOutput lets a raw terminal still turn a line feed into a new line. The Windows console does.
func cookOutput(int) error { return nil }
