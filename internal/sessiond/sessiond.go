// Package sessiond keeps sessions between calls of pi: a session daemon for each name, which serves the protocol of
// package rpc on a private Unix socket.
//
// The socket is in a directory that only the user may enter, and both ends check the user of the other. The first call
// for a name starts the daemon: holding a lock on the directory, it creates the socket and passes it, already listening,
// to the new process. So nobody has to wait until the daemon is ready, and any number of first calls start one daemon.
// A socket that refuses connections belongs to a daemon that was killed; the next call replaces it and says so. A daemon
// exits after a time without commands, or when it is told to, and terminates everything its commands started. If it is
// killed, the guardian of package ps does that.
//
// The first call sets what a session's shell is started with: environment and shell settings. Everything else comes with
// each call.
package sessiond

import (
	"errors"
	"time"

	"pi/internal/config"
)

// TestIdle is an environment variable for tests only: the idle time of daemons that are started under it, as a duration.
const TestIdle = "PI_TEST_SESSION_IDLE"

// Every wait of this package has its bound here.
const (
	// idleTime is how long a daemon stays without commands.
	idleTime = 30 * time.Minute

	// lockLimit bounds the wait for the directory's lock, which is held while a process starts. A longer holder was
	// stopped.
	lockLimit = 10 * time.Second

	// helloLimit bounds the wait for a daemon's first line. Daemons answer at once, whatever runs in them.
	helloLimit = 10 * time.Second

	// endSlack is what a daemon may take beyond a command's timeout: three seconds are promised, the rest is for a
	// machine under load.
	endSlack = 15 * time.Second

	// dialPause is between two attempts to connect to a daemon whose queue is full.
	dialPause = 5 * time.Millisecond

	// acceptPause is between two attempts to accept a client when the system cannot.
	acceptPause = 20 * time.Millisecond

	// acceptAttempts bounds those attempts.
	acceptAttempts = 1000

	// listLimit bounds the requests of a listing.
	listLimit = 3 * time.Second

	// stopLimit is how long a daemon may take to close its sessions before it is terminated itself.
	stopLimit = 10 * time.Second

	// stopGrace is the time between SIGTERM and SIGKILL for a daemon that does not answer.
	stopGrace = 3 * time.Second
)

// ErrUnsupported means that this system has no session daemons.
var ErrUnsupported = errors.New("sessions that outlive a call need a Unix system; without one every command has a shell of its own")

const socketSuffix = ".sock"

// launchConfig is what a daemon is started with, as JSON on its standard input.
type launchConfig struct {
	Name       string        `json:"name"`
	Dir        string        `json:"dir"` // of the sockets
	Idle       time.Duration `json:"idle"`
	Shell      config.Shell  `json:"shell"`
	Unattended bool          `json:"unattended"`
}
