//go:build unix

package sessiond

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// retire removes the socket of an idle daemon. If a client has connected meanwhile, the daemon stays and serves it. The
// socket is renamed first, so that no further client can connect while the queue is checked.
func (d *daemon) retire() (*os.File, error) {
	dir, err := openDir(d.launch.Dir, false)
	if err != nil {
		return nil, fmt.Errorf("the directory is gone: %w", err)
	}
	defer dir.close()
	if dir.lock(time.Second) != nil {
		return nil, nil // try again later
	}
	if !d.ownsSocket() {
		return nil, errors.New("the socket is gone")
	}
	retired := filepath.Join(d.launch.Dir, retiredSocket(d.launch.Name))
	if err := os.Rename(d.path(), retired); err != nil {
		return nil, err
	}
	_ = d.listener.SetDeadline(time.Now().Add(time.Millisecond))
	if conn, err := accept(d.listener); err == nil {
		return conn, os.Rename(retired, d.path())
	}
	_ = os.Remove(retired)
	d.setGone()
	d.listener.Close()
	return nil, os.ErrClosed
}

// leave removes the socket and accepts no further client. Clients in the queue get another daemon.
func (d *daemon) leave() {
	if d.setGone() {
		return
	}
	if dir, err := openDir(d.launch.Dir, false); err == nil {
		if dir.lock(lockLimit) == nil && d.ownsSocket() {
			dir.remove(d.launch.Name)
		}
		d.listener.Close()
		dir.close()
	}
	d.listener.Close()
}

// ownsSocket reports whether the socket in the directory is still this daemon's: somebody may have cleared the directory.
func (d *daemon) ownsSocket() bool {
	now, err := os.Lstat(d.path())
	return err == nil && d.socket != nil && os.SameFile(now, d.socket)
}

// setGone records that the socket is removed. It reports whether that was recorded before.
func (d *daemon) setGone() (before bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before, d.gone = d.gone, true
	return before
}

func (d *daemon) isGone() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.gone
}
