// Package sessiond keeps sessions alive between calls of pi: a background process for each name, which serves the protocol
// of package rpc on a private Unix socket.
//
// The socket lies in a directory that only the user may enter, and both ends look who the other is. The first call for
// a name starts the host: holding a lock on the directory it makes the socket, and hands it to the new process already
// listening, so that nobody has to wait for anybody to get ready, and any number of first calls make one host. A
// socket that refuses is one whose host was killed; the next call replaces it, and says so. A host leaves after a time
// without commands or when it is told to, and takes everything with it that its commands started. If it is killed, the
// guardian of package ps does that.
//
// What a session's shell is started with, environment and shell settings, is that of the first call. Everything else
// comes with each call.
package sessiond

import (
	"errors"
	"path/filepath"
	"time"

	"pi/internal/config"
	"pi/internal/environ"
	"pi/internal/run"
)

// TestIdle is an environment variable for tests only: the idle time of hosts that are started under it, as a duration.
const TestIdle = "PI_TEST_SESSION_IDLE"

// Every wait of this package has its bound here.
const (
	// idleTime is how long a host stays without commands.
	idleTime = 30 * time.Minute

	// lockLimit bounds the wait for the directory's lock. It is held for the start of a process; who holds it longer
	// was stopped.
	lockLimit = 10 * time.Second

	// helloLimit bounds the wait for a host's first line. Hosts answer at once, whatever runs in them.
	helloLimit = 10 * time.Second

	// endSlack is what a host may take beyond a command's timeout: three seconds are promised, the rest is for a
	// machine under load.
	endSlack = 15 * time.Second

	// failPause is between two attempts to take a client when the system cannot.
	failPause = 20 * time.Millisecond

	// listLimit bounds the questions of a listing.
	listLimit = 3 * time.Second

	// stopLimit is how long a host may take to end its sessions before it is ended itself.
	stopLimit = 10 * time.Second

	// stopGrace is the time between TERM and KILL for a host that does not answer.
	stopGrace = 3 * time.Second
)

// Hosts are the hosts of this user.
type Hosts struct {
	dir     string
	build   string
	environ []string
	stop    time.Duration // stopLimit
}

// Open finds the place of the sockets: $XDG_RUNTIME_DIR/pi/sessions, else pi/sessions in the state directory. It
// touches no file. build is what a host must be of to be spoken to; env holds NAME=VALUE.
func Open(env []string, build string) (*Hosts, error) {
	h := &Hosts{build: build, environ: env, stop: stopLimit}
	if d := environ.Get(env, "XDG_RUNTIME_DIR"); filepath.IsAbs(d) && isDir(d) {
		h.dir = filepath.Join(d, "pi", "sessions")
		return h, nil
	}
	if d := environ.Get(env, "XDG_STATE_HOME"); filepath.IsAbs(d) {
		h.dir = filepath.Join(d, "pi", "sessions")
		return h, nil
	}
	home := environ.Home(env)
	if home == "" {
		return nil, errors.New("no place for sessions: neither XDG_RUNTIME_DIR, XDG_STATE_HOME nor HOME names a directory")
	}
	h.dir = filepath.Join(home, ".local", "state", "pi", "sessions")
	return h, nil
}

// Call is one command for a session.
type Call struct {
	Name    string
	Config  config.Config // the caller's; its artifact directory must be set
	Dir     string        // absolute: where a new session begins
	NoWait  bool          // a busy session is an error
	Request run.Request   // without Stdin
}

// ErrUnsupported says that this system has no hosts.
var ErrUnsupported = errors.New("sessions that outlive a call need a Unix system; without one every command has a shell of its own")

const socketSuffix = ".sock"

// order is what a host is started with, as JSON on its standard input.
type order struct {
	Name       string        `json:"name"`
	Dir        string        `json:"dir"` // of the sockets
	Idle       time.Duration `json:"idle"`
	Shell      config.Shell  `json:"shell"`
	Unattended bool          `json:"unattended"`
}

// idle is the idle time of a host that is started now.
func (h *Hosts) idle() time.Duration {
	if d, err := time.ParseDuration(environ.Get(h.environ, TestIdle)); err == nil {
		return d
	}
	return idleTime
}
