//go:build race

package cmd

// raceDetector: memory is measured without it, since it needs several times as much.
const raceDetector = true
