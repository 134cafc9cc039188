//go:build unix

package sessiond

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"pi/internal/config"
	"pi/internal/ps"
	"pi/internal/self"
)

// errNoDaemon means that no daemon serves a name.
var errNoDaemon = errors.New("no such session")

// dial connects to the daemon of a session. The error is errNoDaemon when there is none; killed reports whether one has
// left its socket behind.
func (d *socketDir) dial(name string) (conn *os.File, killed bool, err error) {
	path, err := d.address(name + socketSuffix)
	if err != nil {
		return nil, false, err
	}
	for end := time.Now().Add(helloLimit); ; time.Sleep(dialPause) {
		conn, err = connect(path)
		if !errors.Is(err, unix.EAGAIN) || time.Now().After(end) { // its queue is full for the moment
			break
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, errNoDaemon
	case errors.Is(err, unix.ECONNREFUSED):
		return nil, true, errNoDaemon
	case err != nil:
		return nil, false, fmt.Errorf("session %s: %w", name, err)
	}
	if err := samePeer(conn); err != nil {
		conn.Close()
		return nil, false, fmt.Errorf("session %s: %w", name, err)
	}
	return conn, false, nil
}

// reach connects to the daemon of a session, and starts one if there is none. killed reports whether the one before was
// killed.
func (c *Client) reach(cfg config.Config, name string) (conn *os.File, killed bool, err error) {
	d, err := c.openDir(true)
	if err != nil {
		return nil, false, err
	}
	defer d.close()
	if conn, _, err = d.dial(name); !errors.Is(err, errNoDaemon) {
		return conn, false, err
	}
	if err := d.lock(lockLimit); err != nil {
		return nil, false, err
	}
	conn, killed, err = d.dial(name) // another caller may have started one
	if !errors.Is(err, errNoDaemon) {
		return conn, false, err
	}
	d.remove(name)
	launch := launchConfig{name, d.path, c.idle(), cfg.Shell, cfg.Bash.Unattended}
	if err := d.startDaemon(launch); err != nil {
		return nil, killed, fmt.Errorf("start session %s: %w", name, err)
	}
	conn, _, err = d.dial(name)
	return conn, killed, err
}

// startDaemon creates the socket and starts the process that serves it. The caller holds the lock.
func (d *socketDir) startDaemon(launch launchConfig) error {
	path, err := d.address(launch.Name + socketSuffix)
	if err != nil {
		return err
	}
	l, err := listen(path)
	if err != nil {
		return err
	}
	defer l.Close()
	text, err := json.Marshal(launch)
	if err == nil {
		err = os.Chmod(filepath.Join(d.path, launch.Name+socketSuffix), 0o600)
	}
	if err == nil {
		err = ps.StartDetached([]string{self.SessionHost, launch.Name}, text, []*os.File{l})
	}
	if err != nil {
		d.remove(launch.Name)
	}
	return err
}
