// Package mcp serves pi's shell tool over the Model Context Protocol: JSON-RPC 2.0, one message a line
// (https://modelcontextprotocol.io/specification).
//
// It speaks every revision from 2024-11-05 to 2026-07-28. The last one has no handshake: each request says what it
// speaks. All others begin with initialize. Both may come over the same stream.
//
// There are two tools, bash and bash_session, and the artifacts are resources, artifact://ID. Requests run at the same
// time. A request that its client cancels is ended with its whole process tree and not answered. When the stream
// ends, or the server is told to end, everything that was started is ended.
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

// Bounds of one client. What it can make the server hold is at most maxUnsent, and the results of maxRequests commands.
const (
	maxRequests = 64        // under way at once
	maxReplies  = 16 << 20  // bytes of unsent replies; beyond, requests are refused
	maxUnsent   = 24 << 20  // bytes of unsent replies; beyond, nothing is read any more
	maxShown    = 1 << 20   // bytes of text that a call may ask for
	maxResource = 256 << 10 // bytes of text that a resource gives at once
)

// Options configure a [Server].
type Options struct {
	Engine  toolcall.Engine // runs the commands; must not be nil
	Store   *artifact.Store // nil: there are no resources
	Version string          // pi's, told to clients
	// Force, when closed, skips the grace period of commands that are being terminated. May be nil.
	Force <-chan struct{}
}

// Server serves clients, each over a stream of its own.
type Server struct{ opt Options }

// NewServer makes a server. It holds nothing until it serves.
func NewServer(o Options) *Server { return &Server{o} }

// Serve serves one client until its stream ends or ctx does; every command of the client has ended by then. See
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

// conn is one client.
type conn struct {
	server *Server
	out    *jsonl.Outbox
	busy   sync.WaitGroup // requests under way

	mu       sync.Mutex
	ending   bool   // no further request is taken
	version  string // as agreed upon by initialize; empty before
	requests map[string]*request
}

// request is one that is under way.
type request struct {
	message
	version string // the revision that it is served in
	cancel  context.CancelFunc
	batch   *batch // nil: it came alone

	dropped  bool // by its client: nothing more is to be sent; guarded by the connection's mutex
	progress *progress
}

// modern tells whether the request says itself what it speaks.
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

// end waits for the requests under way, which have been cancelled.
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
	b.open = 1 // until all are on their way
	for _, m := range messages {
		c.dispatch(ctx, m, b)
	}
	b.close(nil)
}

// dispatch sends a message on its way.
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

// start answers a request, in a goroutine of its own unless what comes next depends on it.
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

// enter takes a request down as under way.
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

// finish ends a request with its reply, unless the client has lost interest.
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

// notified takes a notification. What it says of requests that are not under way, or not at all, is of no interest.
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

// agreed is the revision that initialize has settled; empty before.
func (c *conn) agreed() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// setProgress gives a request its progress, unless it was dropped already.
func (c *conn) setProgress(r *request, p *progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.progress = p
	if r.dropped {
		p.stop()
	}
}

// batch gathers the replies of a batch of requests until all are there. A nil batch is that of a single message.
type batch struct {
	out  *jsonl.Outbox
	mu   sync.Mutex
	open int
	done []response
}

// begin counts a message that will be answered.
func (b *batch) begin() {
	if b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.open++
	}
}

// close counts an answer; nil is one that is not sent.
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

// object is a result: fields by name.
type object map[string]any

// meta adds an entry to the result's _meta.
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
