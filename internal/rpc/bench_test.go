//go:build unix

package rpc

import (
	"context"
	"os"
	"testing"

	"pi/internal/config"
	"pi/internal/run"
	"pi/internal/toolcall"
)

func benchLocal(b *testing.B) *toolcall.Local {
	cfg := config.Defaults()
	cfg.Shell.Path = "/bin/bash"
	cfg.Shell.Snapshot = "off"
	l := toolcall.NewLocal(run.New(cfg, os.Environ(), nil), "/")
	b.Cleanup(l.Close)
	return l
}

// BenchmarkLocal runs a short command in a session, without the protocol.
func BenchmarkLocal(b *testing.B) {
	l := benchLocal(b)
	c := toolcall.Call{Session: "s", Busy: run.BusyOneShot, Request: run.Request{Command: "true", NoIntercept: true}}
	b.ReportAllocs()
	for b.Loop() {
		if r, err := l.Run(context.Background(), c); err != nil || r.Details.Status != run.OK {
			b.Fatalf("%+v %v", r, err)
		}
	}
}

// BenchmarkServe does the same over the protocol.
func BenchmarkServe(b *testing.B) {
	c := serveWith(b, NewServer(Options{Engine: benchLocal(b), Build: "1", Greet: true, DefaultSession: DefaultSession}))
	b.ReportAllocs()
	for b.Loop() {
		c.write(`{"id":1,"type":"bash","command":"true"}` + "\n")
		c.line()
	}
}
