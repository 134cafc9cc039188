//go:build unix

package sessiond

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"

	"pi/internal/ps"
	"pi/internal/rpc"
)

// Stop ends a session with everything it started. It reports whether there was one.
func (c *Client) Stop(name string) (bool, error) {
	d, err := c.openDir(false)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer d.close()
	conn, killed, err := d.dial(name)
	if killed {
		c.removeKilled(name)
	}
	if errors.Is(err, errNoDaemon) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(c.stop))
	if _, err = ask(conn, rpc.Request{ID: callID, Type: rpc.TypeShutdown}); err == nil {
		return true, nil
	}
	return true, c.terminate(conn, name, err)
}

// terminate kills a daemon that does not answer, and everything it started.
func (c *Client) terminate(conn *os.File, name string, why error) error {
	_, pid, err := credentials(conn)
	if err != nil || pid <= 1 {
		return fmt.Errorf("session %s does not answer: %w", name, why)
	}
	rep, err := ps.TerminateTree(pid, syscall.SIGTERM, stopGrace, nil)
	if err != nil && !errors.Is(err, ps.ErrNoProcess) {
		return fmt.Errorf("session %s does not answer: %w", name, err)
	}
	if rep.Survivors > 0 {
		return fmt.Errorf("session %s: %d of its processes could not be killed", name, rep.Survivors)
	}
	c.removeKilled(name)
	return nil
}

// StopAll ends all sessions and returns the names of those it ended.
func (c *Client) StopAll() ([]string, error) {
	d, names, err := c.names()
	if d == nil || err != nil {
		return nil, err
	}
	d.close()
	stopped, errs := make([]bool, len(names)), make([]error, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() { stopped[i], errs[i] = c.Stop(name) })
	}
	wg.Wait()
	var done []string
	for i, name := range names {
		if stopped[i] && errs[i] == nil {
			done = append(done, name)
		}
	}
	return done, errors.Join(errs...)
}
