//go:build unix

package sessiond

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"pi/internal/rpc"
)

// Serve is the hidden process: it reads its order, serves the socket that is descriptor 3, and returns when it is idle
// for too long, told to end, or ended by a signal; by then nothing is left of its sessions.
func Serve(from io.Reader, build string) error {
	var o order
	if err := json.NewDecoder(from).Decode(&o); err != nil {
		return err
	}
	l, err := socketFile(3)
	if err != nil {
		return err
	}
	_ = os.Chdir("/") // no file system is kept from being unmounted
	return newHost(o, l, build).serve()
}

// host is the process that serves one name.
type host struct {
	order
	l      *os.File
	server *rpc.Server
	engine *engine
	socket os.FileInfo // what lies at the socket's name at the start; nil: it could not be looked at

	mu     sync.Mutex
	active int       // requests and connections under way
	since  time.Time // when the last request ended
	gone   bool      // the socket is removed
}

func newHost(o order, l *os.File, build string) *host {
	h := &host{order: o, l: l, since: time.Now()}
	h.socket, _ = os.Lstat(h.path())
	h.engine = newEngine(o, os.Environ(), h.leave)
	h.server = rpc.NewServer(rpc.Options{Engine: h.engine, Build: build, Greet: true, DefaultSession: o.Name, Active: h.count})
	return h
}

func (h *host) path() string { return filepath.Join(h.Dir, h.Name+socketSuffix) }

// reachable tells whether the socket is still this host's: somebody may have cleared the directory.
func (h *host) reachable() bool {
	now, err := os.Lstat(h.path())
	return err == nil && h.socket != nil && os.SameFile(now, h.socket)
}

// serve takes connections until the host is to go.
func (h *host) serve() error {
	if err := own(h.l); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-ctx.Done():
		case <-h.server.Down():
		}
		h.leave()
	}()
	var clients sync.WaitGroup
	for {
		conn, err := h.accept()
		if err != nil {
			break
		}
		h.connected(1)
		clients.Go(func() {
			defer h.connected(-1)
			if samePeer(conn) != nil {
				conn.Close()
				return
			}
			_ = h.server.Serve(ctx, conn) // what goes wrong with one client concerns nobody else
		})
	}
	cancel()
	h.engine.sessions.Close()
	clients.Wait()
	return nil
}

// accept gives the next connection; an error is the end. One that passes, for want of descriptors or because the client
// has gone already, is waited out.
func (h *host) accept() (*os.File, error) {
	const most = 1000
	for failed := 0; ; {
		_ = h.l.SetDeadline(h.wake())
		conn, err := accept(h.l)
		switch {
		case err == nil:
			return conn, nil
		case h.over() || failed == most:
			return nil, err
		case !errors.Is(err, os.ErrDeadlineExceeded):
			failed++
			time.Sleep(failPause)
			continue
		case h.idleFor() < h.Idle:
			continue
		}
		if conn, err := h.retire(); conn != nil || err != nil {
			return conn, err
		}
	}
}

// over tells whether the socket is removed and closed.
func (h *host) over() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.gone
}

// wake is when to look next whether the host is idle for too long.
func (h *host) wake() time.Time {
	const often = 10 * time.Millisecond // against spinning while something goes on
	return time.Now().Add(max(h.Idle-h.idleFor(), min(h.Idle, time.Second), often))
}

// idleFor is how long nothing was going on.
func (h *host) idleFor() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.active > 0 {
		return 0
	}
	return time.Since(h.since)
}

// count takes down that a request begins or ends.
func (h *host) count(delta int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.active += delta
	h.since = time.Now()
}

// connected takes down that a client comes or goes; asking for a list does not make a host younger.
func (h *host) connected(delta int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.active += delta
}

// retire removes the socket of an idle host, unless a client has come meanwhile: that is served, and the host stays. The
// socket is renamed first, so that nobody new can connect while the queue is looked at.
func (h *host) retire() (*os.File, error) {
	p, err := openPlace(h.Dir, false)
	if err != nil {
		return nil, fmt.Errorf("the directory is gone: %w", err)
	}
	defer p.close()
	if p.lock(time.Second) != nil {
		return nil, nil // later
	}
	if !h.reachable() {
		return nil, errors.New("the socket is gone")
	}
	aside := filepath.Join(h.Dir, leaving(h.Name))
	if err := os.Rename(h.path(), aside); err != nil {
		return nil, err
	}
	_ = h.l.SetDeadline(time.Now().Add(time.Millisecond))
	if conn, err := accept(h.l); err == nil {
		return conn, os.Rename(aside, h.path())
	}
	_ = os.Remove(aside)
	h.mu.Lock()
	h.gone = true
	h.mu.Unlock()
	h.l.Close()
	return nil, os.ErrClosed
}

// leave removes the socket and takes no further client. Those who wait in the queue find another host.
func (h *host) leave() {
	h.mu.Lock()
	was := h.gone
	h.gone = true
	h.mu.Unlock()
	if was {
		return
	}
	if p, err := openPlace(h.Dir, false); err == nil {
		if p.lock(lockLimit) == nil && h.reachable() {
			p.sweep(h.Name)
		}
		h.l.Close()
		p.close()
	}
	h.l.Close()
}
