//go:build unix

package sessiond

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"pi/internal/rpc"
)

// Serve is the daemon's process. It reads its launch configuration, serves the socket that is descriptor 3, and returns
// when it has been idle for too long, is told to shut down, or gets a signal. Its sessions have ended by then.
func Serve(from io.Reader, build string) error {
	var launch launchConfig
	if err := json.NewDecoder(from).Decode(&launch); err != nil {
		return err
	}
	l, err := socketFile(3)
	if err != nil {
		return err
	}
	_ = os.Chdir("/") // a daemon must not keep a file system from being unmounted
	return newDaemon(launch, l, build).serve()
}

// daemon is the process that serves one session name.
type daemon struct {
	launch   launchConfig
	listener *os.File
	server   *rpc.Server
	engine   *engine
	activity activity
	socket   os.FileInfo // the socket's file at the start; nil: it could not be looked at

	mu   sync.Mutex
	gone bool // the socket is removed
}

func newDaemon(launch launchConfig, l *os.File, build string) *daemon {
	d := &daemon{launch: launch, listener: l}
	d.activity.last = time.Now()
	d.socket, _ = os.Lstat(d.path())
	d.engine = newEngine(launch, os.Environ(), d.leave)
	d.server = rpc.NewServer(rpc.Options{Engine: d.engine, Build: build, Greet: true, DefaultSession: launch.Name, Active: d.activity.request})
	return d
}

func (d *daemon) path() string { return filepath.Join(d.launch.Dir, d.launch.Name+socketSuffix) }

// serve accepts clients until the daemon has to exit.
func (d *daemon) serve() error {
	if err := own(d.listener); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-ctx.Done():
		case <-d.server.Down():
		}
		d.leave()
	}()
	var clients sync.WaitGroup
	for {
		conn, err := d.accept()
		if err != nil {
			break
		}
		d.activity.connection(1)
		clients.Go(func() {
			defer d.activity.connection(-1)
			if samePeer(conn) != nil {
				conn.Close()
				return
			}
			_ = d.server.Serve(ctx, conn) // a client's errors concern nobody else
		})
	}
	cancel()
	d.engine.sessions.Close()
	clients.Wait()
	return nil
}

// accept returns the next connection; after an error the daemon exits. Errors that pass, for want of descriptors or
// because the client has gone already, are retried.
func (d *daemon) accept() (*os.File, error) {
	for failed := 0; ; {
		_ = d.listener.SetDeadline(time.Now().Add(d.activity.untilIdle(d.launch.Idle)))
		conn, err := accept(d.listener)
		switch {
		case err == nil:
			return conn, nil
		case d.isGone() || failed == acceptAttempts:
			return nil, err
		case !errors.Is(err, os.ErrDeadlineExceeded):
			failed++
			time.Sleep(acceptPause)
			continue
		case d.activity.idle() < d.launch.Idle:
			continue
		}
		if conn, err := d.retire(); conn != nil || err != nil {
			return conn, err
		}
	}
}
