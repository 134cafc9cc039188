// Package mcp serves pi's shell tool over the Model Context Protocol: JSON-RPC 2.0, one message a line
// (https://modelcontextprotocol.io/specification).
//
// It supports every revision from 2024-11-05 to 2026-07-28. The last one has no handshake: each request names its
// revision. All others start with initialize. Both may come over the same stream.
//
// There are two tools, bash and bash_session, and the artifacts are resources, artifact://ID. Requests run concurrently.
// A request that its client cancels is terminated with its whole process tree and gets no reply. When the stream ends,
// or the server is told to stop, everything it started is terminated.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"pi/internal/artifact"
	"pi/internal/jsonl"
	"pi/internal/toolcall"
)

// Bounds of one client. It can make the server hold at most maxUnsent and the results of maxRequests commands.
const (
	maxRequests = 64        // in flight at once
	maxReplies  = 16 << 20  // bytes of unsent replies; beyond, requests are refused
	maxUnsent   = 24 << 20  // bytes of unsent replies; beyond, reading stops
	maxShown    = 1 << 20   // bytes of output that a call may ask for
	maxResource = 256 << 10 // bytes of a resource in one reply
)

// Options configure a [Server].
type Options struct {
	Engine  toolcall.Engine // runs the commands; must not be nil
	Store   *artifact.Store // nil: there are no resources
	Version string          // of pi, reported to clients
	// Force, when closed, skips the grace period of commands that are being terminated. May be nil.
	Force <-chan struct{}
}

// Server serves clients, each over a stream of its own.
type Server struct{ opt Options }

// NewServer returns a new server. It holds nothing until it serves.
func NewServer(o Options) *Server { return &Server{o} }

// Serve serves one client until its stream ends or ctx does. Every command of the client has ended when it returns. See
// [jsonl.Conversation.Serve] for the stream and the error.
func (s *Server) Serve(ctx context.Context, stream io.ReadWriter) error {
	return s.newConn().serve(ctx, stream)
}

func (s *Server) newConn() *conn {
	return &conn{server: s, out: jsonl.NewOutbox(), requests: map[string]*request{}}
}

func (c *conn) serve(ctx context.Context, stream io.ReadWriter) error {
	return jsonl.Conversation{Out: c.out, Read: c.read, End: c.end}.Serve(ctx, stream)
}

// conn is the connection to one client.
type conn struct {
	server *Server
	out    *jsonl.Outbox
	busy   sync.WaitGroup // requests in flight

	mu       sync.Mutex
	ending   bool   // no further request is accepted
	version  string // negotiated by initialize; empty before
	requests map[string]*request
}

// request is a request in flight.
type request struct {
	message
	version string // the revision in which it is served
	cancel  context.CancelFunc
	batch   *batch // nil: it is no part of one

	dropped  bool // its client cancelled it: nothing more is sent; guarded by the connection's mutex
	progress *progress
}

// modern reports whether the request names its revision itself.
func (r *request) modern() bool { return r.version >= statelessVersion }

// read handles lines until the stream ends.
func (c *conn) read(ctx context.Context, r io.Reader) error {
	lines := jsonl.NewReader(r, jsonl.MaxFrame)
	for c.out.Room(maxUnsent) {
		line, err := lines.Next()
		switch {
		case errors.Is(err, jsonl.ErrTooLong):
			c.refuse(nil, nil, fault(codeInvalidRequest, "%v", err))
		case err != nil:
			return err
		default:
			c.handle(ctx, line)
		}
	}
	return io.ErrClosedPipe
}

// end waits for the requests in flight, whose context is done.
func (c *conn) end() {
	c.mu.Lock()
	c.ending = true
	c.mu.Unlock()
	c.busy.Wait()
}

// handle answers one line.
func (c *conn) handle(ctx context.Context, line []byte) {
	messages, isBatch, err := decode(line)
	if err != nil {
		c.refuse(nil, nil, err)
		return
	}
	if !isBatch {
		c.dispatch(ctx, messages[0], nil)
		return
	}
	if v := c.agreed(); v > lastBatchVersion {
		c.refuse(nil, nil, fault(codeInvalidRequest, "batches are no part of revision %s", v))
		return
	}
	b := &batch{out: c.out}
	b.open = 1 // until all are dispatched
	for _, m := range messages {
		c.dispatch(ctx, m, b)
	}
	b.close(nil)
}

// dispatch starts to handle a message.
func (c *conn) dispatch(ctx context.Context, m message, b *batch) {
	switch m.kind {
	case kindFault:
		b.begin()
		c.refuse(b, m.ID, m.fault)
	case kindNotification:
		c.notified(m)
	case kindRequest:
		b.begin()
		r := &request{message: m, batch: b}
		handle, err := c.admit(r)
		if err != nil {
			c.refuse(b, m.ID, err)
			return
		}
		c.start(ctx, r, handle)
	}
}

// start handles a request, in a goroutine of its own unless later messages depend on it.
func (c *conn) start(ctx context.Context, r *request, handle handler) {
	ctx, r.cancel = context.WithCancel(ctx)
	if err := c.enter(r); err != nil {
		r.cancel()
		c.refuse(r.batch, r.ID, err)
		return
	}
	answer := func() {
		defer c.busy.Done()
		result, err := handle(c, ctx, r)
		r.cancel()
		c.finish(r, result, err)
	}
	if r.Method == methodInitialize {
		answer()
		return
	}
	go answer()
}

// enter records a request as in flight.
func (c *conn) enter(r *request) *rpcError {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch _, taken := c.requests[string(r.ID)]; {
	case c.ending:
		return fault(codeInternal, "the server is going down")
	case taken:
		return fault(codeInvalidRequest, "id %s is taken by a request that is still under way", r.ID)
	case len(c.requests) >= maxRequests:
		return fault(codeInternal, "%d requests are under way already", maxRequests)
	case c.out.Unsent() > maxReplies:
		return fault(codeInternal, "%d MiB of replies were not read yet", maxReplies>>20)
	}
	c.requests[string(r.ID)] = r
	c.busy.Add(1)
	return nil
}

// finish ends a request with its reply, unless its client cancelled it.
func (c *conn) finish(r *request, result object, err *rpcError) {
	c.mu.Lock()
	delete(c.requests, string(r.ID))
	dropped := r.dropped
	c.mu.Unlock()
	switch {
	case dropped:
		r.batch.close(nil)
	case err != nil:
		c.refuse(r.batch, r.ID, err)
	default:
		if r.modern() {
			result["resultType"] = "complete"
			result.meta(keyServerInfo, c.server.info())
		} else {
			delete(result, "ttlMs")
			delete(result, "cacheScope")
		}
		c.send(r.batch, response{JSONRPC: "2.0", ID: r.ID, Result: result})
	}
}

func (c *conn) refuse(b *batch, id json.RawMessage, err *rpcError) {
	c.send(b, response{JSONRPC: "2.0", ID: id, Error: err})
}

func (c *conn) send(b *batch, r response) {
	if b == nil {
		c.out.Reply(r)
		return
	}
	b.close(&r)
}

// notified handles a notification. It ignores cancellations of requests that are not in flight.
func (c *conn) notified(m message) {
	if m.Method != "notifications/cancelled" {
		return
	}
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.requests[string(jsonl.ID(p.RequestID))]
	if r == nil || r.Method == methodInitialize {
		return
	}
	r.dropped = true
	r.cancel()
	if r.progress != nil {
		r.progress.stop()
	}
}

// agreed returns the revision that initialize has negotiated; empty before.
func (c *conn) agreed() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// setProgress attaches the progress to a request. That of a cancelled one is stopped.
func (c *conn) setProgress(r *request, p *progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.progress = p
	if r.dropped {
		p.stop()
	}
}

// batch collects the replies to a batch of requests until it is complete. A nil batch is that of a single message.
type batch struct {
	out  *jsonl.Outbox
	mu   sync.Mutex
	open int
	done []response
}

// begin counts a message that gets a reply.
func (b *batch) begin() {
	if b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.open++
	}
}

// close counts a reply; nil is one that is not sent.
func (b *batch) close(r *response) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if r != nil {
		b.done = append(b.done, *r)
	}
	if b.open--; b.open == 0 && len(b.done) > 0 {
		b.out.Reply(b.done)
	}
}

// object is a JSON object: fields by name.
type object map[string]any

// meta adds an entry to the object's _meta.
func (o object) meta(key string, value any) {
	m, _ := o["_meta"].(object)
	if m == nil {
		m = object{}
		o["_meta"] = m
	}
	m[key] = value
}

func fault(code int, format string, args ...any) *rpcError {
	return &rpcError{Code: code, Message: fmt.Sprintf(format, args...)}
}
