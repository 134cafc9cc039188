//go:build unix

package run

import "golang.org/x/sys/unix"

func enterable(dir string) bool { return unix.Access(dir, unix.X_OK) == nil }
