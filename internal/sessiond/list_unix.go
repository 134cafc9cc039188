//go:build unix

package sessiond

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"pi/internal/rpc"
	"pi/internal/run"
)

// List describes the sessions that have a daemon, in the order of their names, and removes the sockets that killed
// daemons have left behind. The error names the sessions that do not answer; the others are listed all the same.
func (c *Client) List() ([]run.SessionInfo, error) {
	d, names, err := c.names()
	if d == nil || err != nil {
		return nil, err
	}
	defer d.close()
	lists, errs := make([][]run.SessionInfo, len(names)), make([]error, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() { lists[i], errs[i] = c.describe(d, name) })
	}
	wg.Wait()
	var all []run.SessionInfo
	for _, l := range lists {
		all = append(all, l...)
	}
	return all, errors.Join(errs...)
}

// names returns the sessions that have a socket. The directory is nil when there is none.
func (c *Client) names() (*socketDir, []string, error) {
	d, err := c.openDir(false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	names, err := d.names()
	if err != nil {
		d.close()
		return nil, nil, fmt.Errorf("session directory: %w", err)
	}
	return d, names, nil
}

func (c *Client) describe(d *socketDir, name string) ([]run.SessionInfo, error) {
	conn, killed, err := d.dial(name)
	if killed {
		c.removeKilled(name)
	}
	if errors.Is(err, errNoDaemon) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(listLimit))
	m, err := ask(conn, rpc.Request{ID: callID, Type: rpc.TypeSessions})
	if err != nil {
		return nil, fmt.Errorf("session %s does not answer: %w", name, err)
	}
	var l rpc.SessionList
	err = json.Unmarshal(m.Data, &l)
	return l.Sessions, err
}

// removeKilled removes the socket of a killed daemon, unless the name has another daemon by now.
func (c *Client) removeKilled(name string) {
	d, err := c.openDir(false) // a lock of its own
	if err != nil {
		return
	}
	defer d.close()
	if d.lock(listLimit) != nil {
		return
	}
	conn, killed, _ := d.dial(name)
	if conn != nil {
		conn.Close()
	}
	if killed {
		d.remove(name)
	}
}
