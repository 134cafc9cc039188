//go:build unix

package sessiond

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"

	"pi/internal/ps"
	"pi/internal/rpc"
	"pi/internal/run"
)

// List describes the sessions that have a host, in the order of their names, and removes what killed hosts have left
// behind. One that does not answer is named in the error, and the others are listed all the same.
func (h *Hosts) List() ([]run.SessionInfo, error) {
	p, names, err := h.names()
	if p == nil || err != nil {
		return nil, err
	}
	defer p.close()
	lists, errs := make([][]run.SessionInfo, len(names)), make([]error, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() { lists[i], errs[i] = h.describe(p, name) })
	}
	wg.Wait()
	var all []run.SessionInfo
	for _, l := range lists {
		all = append(all, l...)
	}
	return all, errors.Join(errs...)
}

// names gives the sessions that have a socket; the place is nil when there is none.
func (h *Hosts) names() (*place, []string, error) {
	p, err := h.open(false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	names, err := p.names()
	if err != nil {
		p.close()
		return nil, nil, fmt.Errorf("session directory: %w", err)
	}
	return p, names, nil
}

func (h *Hosts) describe(p *place, name string) ([]run.SessionInfo, error) {
	conn, dead, err := p.dial(name)
	if dead {
		h.bury(name)
	}
	if errors.Is(err, errNobody) {
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

// ask sends one request and gives its reply.
func ask(conn *os.File, q rpc.Request) (rpc.Message, error) {
	c := rpc.NewClient(conn)
	if err := c.Send(q); err != nil {
		return rpc.Message{}, err
	}
	for {
		m, err := c.Receive()
		if err != nil {
			return m, err
		}
		if m.IsReply() && !m.Success {
			return m, errors.New(m.Error)
		}
		if m.IsReply() {
			return m, nil
		}
	}
}

// bury removes the socket of a killed host, if nobody has done so meanwhile.
func (h *Hosts) bury(name string) {
	p, err := h.open(false) // a lock of its own
	if err != nil {
		return
	}
	defer p.close()
	if p.lock(listLimit) != nil {
		return
	}
	conn, dead, _ := p.dial(name)
	if conn != nil {
		conn.Close()
	}
	if dead {
		p.sweep(name)
	}
}

// Stop ends a session with everything that it started, and tells whether there was one.
func (h *Hosts) Stop(name string) (bool, error) {
	p, err := h.open(false)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer p.close()
	conn, dead, err := p.dial(name)
	if dead {
		h.bury(name)
	}
	if errors.Is(err, errNobody) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(h.stop))
	if _, err = ask(conn, rpc.Request{ID: callID, Type: rpc.TypeShutdown}); err == nil {
		return true, nil
	}
	return true, h.force(conn, name, err)
}

// force ends a host that does not answer, and all that it has started.
func (h *Hosts) force(conn *os.File, name string, why error) error {
	_, pid, err := credentials(conn)
	if err != nil || pid <= 1 {
		return fmt.Errorf("session %s does not answer: %w", name, why)
	}
	rep, err := ps.TerminateTree(pid, syscall.SIGTERM, stopGrace, nil)
	if err != nil && !errors.Is(err, ps.ErrNoProcess) {
		return fmt.Errorf("session %s does not answer: %w", name, err)
	}
	if rep.Survivors > 0 {
		return fmt.Errorf("session %s: %d of its processes could not be ended", name, rep.Survivors)
	}
	h.bury(name)
	return nil
}

// StopAll ends all sessions, and gives the names of those that there were.
func (h *Hosts) StopAll() ([]string, error) {
	p, names, err := h.names()
	if p == nil || err != nil {
		return nil, err
	}
	p.close()
	stopped, errs := make([]bool, len(names)), make([]error, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() { stopped[i], errs[i] = h.Stop(name) })
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
