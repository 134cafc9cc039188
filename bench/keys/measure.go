package main

import "math"

// best returns the nanoseconds that f takes, in the fastest of some rounds of about 20 ms.
func best(f func()) float64 {
	n := 1
	for {
		before := busy()
		for range n {
			f()
		}
		if busy()-before > 20e6 || n > 1<<30 {
			break
		}
		n *= 2
	}
	fastest := math.Inf(1)
	for range rounds {
		before := busy()
		for range n {
			f()
		}
		fastest = min(fastest, float64(busy()-before)/float64(n))
	}
	return fastest
}
