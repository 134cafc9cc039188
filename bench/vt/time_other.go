//go:build !unix

package main

import "time"

var start = time.Now()

// busy is the time that has passed, in nanoseconds.
func busy() int64 { return int64(time.Since(start)) }
