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

	"pi/internal/ps"
	"pi/internal/self"
)

// errNobody says that no host serves a name.
var errNobody = errors.New("no such session")

// dial connects to the host of a name. The error is errNobody when there is none; dead tells that one was killed.
func (p *place) dial(name string) (conn *os.File, dead bool, err error) {
	path, err := p.path(name + socketSuffix)
	if err != nil {
		return nil, false, err
	}
	for end := time.Now().Add(helloLimit); ; time.Sleep(5 * time.Millisecond) {
		conn, err = connect(path)
		if !errors.Is(err, unix.EAGAIN) || time.Now().After(end) { // its queue is full for the moment
			break
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, errNobody
	case errors.Is(err, unix.ECONNREFUSED):
		return nil, true, errNobody
	case err != nil:
		return nil, false, fmt.Errorf("session %s: %w", name, err)
	}
	if err := samePeer(conn); err != nil {
		conn.Close()
		return nil, false, fmt.Errorf("session %s: %w", name, err)
	}
	return conn, false, nil
}

// reach connects to the host of a call, and starts one if there is none. died tells that it had been killed.
func (h *Hosts) reach(c Call) (conn *os.File, died bool, err error) {
	p, err := h.open(true)
	if err != nil {
		return nil, false, err
	}
	defer p.close()
	if conn, _, err = p.dial(c.Name); !errors.Is(err, errNobody) {
		return conn, false, err
	}
	if err := p.lock(lockLimit); err != nil {
		return nil, false, err
	}
	conn, died, err = p.dial(c.Name) // somebody may have been quicker
	if !errors.Is(err, errNobody) {
		return conn, false, err
	}
	p.sweep(c.Name)
	if err := h.start(p, c); err != nil {
		return nil, died, fmt.Errorf("start session %s: %w", c.Name, err)
	}
	conn, _, err = p.dial(c.Name)
	return conn, died, err
}

// start makes the socket and the process that serves it. The caller holds the lock.
func (h *Hosts) start(p *place, c Call) error {
	path, err := p.path(c.Name + socketSuffix)
	if err != nil {
		return err
	}
	l, err := listen(path)
	if err != nil {
		return err
	}
	defer l.Close()
	text, err := json.Marshal(order{c.Name, p.dir, h.idle(), c.Config.Shell, c.Config.Bash.Unattended})
	if err == nil {
		err = os.Chmod(filepath.Join(p.dir, c.Name+socketSuffix), 0o600)
	}
	if err == nil {
		err = ps.StartDetached([]string{self.SessionHost, c.Name}, text, []*os.File{l})
	}
	if err != nil {
		p.sweep(c.Name)
	}
	return err
}
