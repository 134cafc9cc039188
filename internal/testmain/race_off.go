//go:build !race

package testmain

// Race: the race detector is off.
const Race = false
