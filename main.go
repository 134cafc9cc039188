// The limits of a container on processor time are none of a runner's business, and reading them costs every start.
//
//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0

// Command pi runs shell commands for coding agents, scripts and people.
package main

import (
	"os"

	"pi/cmd"
)

func main() {
	os.Exit(cmd.Main())
}
