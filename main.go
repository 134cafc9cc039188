// Command pi runs shell commands for coding agents, scripts and people.
package main

import (
	"os"

	"pi/cmd"
)

func main() {
	os.Exit(cmd.Main())
}
