package sessiond

import (
	"errors"
	"path/filepath"
	"time"

	"pi/internal/environ"
)

// Client reaches the session daemons of this user. Its methods may be called from several goroutines.
type Client struct {
	dir     string // of the sockets
	build   string
	environ []string
	stop    time.Duration // stopLimit
}

// NewClient returns a client for the sockets in $XDG_RUNTIME_DIR/pi/sessions, or in pi/sessions of the state directory. It
// touches no file. Daemons of another build than the one given are refused; env holds NAME=VALUE.
func NewClient(env []string, build string) (*Client, error) {
	dir, err := socketDirectory(env)
	if err != nil {
		return nil, err
	}
	return &Client{dir: dir, build: build, environ: env, stop: stopLimit}, nil
}

func socketDirectory(env []string) (string, error) {
	if d := environ.Get(env, "XDG_RUNTIME_DIR"); filepath.IsAbs(d) && isDir(d) {
		return filepath.Join(d, "pi", "sessions"), nil
	}
	if d := environ.Get(env, "XDG_STATE_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "pi", "sessions"), nil
	}
	home := environ.Home(env)
	if home == "" {
		return "", errors.New("no place for sessions: neither XDG_RUNTIME_DIR, XDG_STATE_HOME nor HOME names a directory")
	}
	return filepath.Join(home, ".local", "state", "pi", "sessions"), nil
}

// idle is the idle time of a daemon that is started now.
func (c *Client) idle() time.Duration {
	if d, err := time.ParseDuration(environ.Get(c.environ, TestIdle)); err == nil {
		return d
	}
	return idleTime
}
