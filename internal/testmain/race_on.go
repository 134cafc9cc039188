//go:build race

package testmain

// Race: the race detector is on. It needs several times as much memory, stack and time.
const Race = true
