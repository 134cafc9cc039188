package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"pi/internal/artifact"
	"pi/internal/jsonl"
	"pi/internal/toolcall"
)

// DefaultSession is the usual session of bash requests that name none.
const DefaultSession = "default"

// Options configure a [Server].
type Options struct {
	Engine toolcall.Engine // must not be nil
	Build  string          // reported in hello; a tool_call that names another build is refused
	// Greet makes the server speak first: a line of type hello, before it has read anything.
	Greet bool
	// DefaultSession is where a bash request runs that names no session; empty: in a shell of its own.
	DefaultSession string
	// Artifacts is what artifact_read reads; nil: nothing.
	Artifacts *artifact.Store
	// MaxBytes and Timeout apply to commands that name none; zero: 50 KiB, and the longest timeout there is.
	MaxBytes int
	Timeout  time.Duration
	// Force, when closed, skips the grace period of commands that are being terminated. May be nil.
	Force <-chan struct{}
	// Active, if not nil, is called with 1 before and -1 after each request that uses the server, except sessions.
	Active func(delta int)
}

// Server serves any number of clients, each over a stream of its own.
type Server struct {
	opt   Options
	types map[string]*requestType
	down  chan struct{} // closed by a shutdown request
	once  sync.Once
}

// NewServer returns a new server. It holds nothing until it serves.
func NewServer(o Options) *Server {
	return &Server{opt: o, types: byName(requestTypes()), down: make(chan struct{})}
}

// Down is closed when a client has asked for shutdown. By then the sessions are closed, and the reply is queued.
func (s *Server) Down() <-chan struct{} { return s.down }

// Serve serves one client until its stream ends, ctx does, or a client asks for shutdown. Every command of this client
// has ended when it returns. A stream that is an [io.Closer] is closed; one that is not may leave one goroutine blocked
// in its Read or Write. The end of the stream is no error; a failed write is [ErrUnsent].
func (s *Server) Serve(ctx context.Context, stream io.ReadWriter) error {
	c := &conn{server: s, out: jsonl.NewOutbox(), requests: map[string]*inflight{}, last: map[string]chan struct{}{}}
	if s.opt.Greet {
		c.out.Reply(greeting{typeHello, s.about()})
	}
	return jsonl.Conversation{Out: c.out, Read: c.read, End: c.end, Down: s.down}.Serve(ctx, stream)
}

// ErrUnsent means that the client cannot be written to any more.
var ErrUnsent = jsonl.ErrUnsent

func (s *Server) about() Hello { return Hello{Protocol, s.opt.Build, os.Getpid()} }

// conn is the connection to one client.
type conn struct {
	server  *Server
	out     *jsonl.Outbox
	handoff handoff
	busy    sync.WaitGroup // requests in flight

	mu       sync.Mutex
	ending   bool                     // no further request is accepted
	requests map[string]*inflight     // by id
	noID     []*inflight              // those without an id
	last     map[string]chan struct{} // of each session: closed when the newest command for it has its turn, or is over

	// Guarded by the outbox.
	gone       bool // the client is no longer waited for
	shownBytes int  // bytes that the commands in flight may show
	eventBytes int  // bytes of unsent events
}

// end waits for the requests in flight, whose context is done.
func (c *conn) end() {
	c.mu.Lock()
	c.ending = true
	c.mu.Unlock()
	c.out.Do(func() { c.gone = true })
	for _, r := range c.others(nil) {
		r.events.stopWaiting()
	}
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-c.server.opt.Force:
			for _, r := range c.others(nil) {
				r.abort(true)
			}
		case <-over:
		}
	}()
	c.busy.Wait()
}

// inflight is a request from its line to its reply.
type inflight struct {
	id       json.RawMessage
	kind     *requestType
	terminal *terminal // of pty_start
	session  string    // empty: none; guarded by the connection's mutex
	cancel   context.CancelFunc
	force    chan struct{}
	once     sync.Once
	events   *eventQueue
}

// abort starts to terminate the command and returns at once.
func (r *inflight) abort(force bool) {
	if force {
		r.once.Do(func() { close(r.force) })
	}
	r.cancel()
	r.events.stopWaiting()
}

// read handles lines until the stream ends.
func (c *conn) read(ctx context.Context, stream io.Reader) error {
	over := make(chan error, 1)
	lines := jsonl.NewReader(stream, jsonl.MaxFrame)
	c.handoff.readOn = func() { c.readOn(ctx, lines, over) }
	go c.handoff.readOn()
	return <-over
}

// readOn handles lines. The goroutine that reads a request also does its work: waking another one would take longer than
// a short command. If the work takes a while, or more input is buffered, another goroutine takes over the reading.
func (c *conn) readOn(ctx context.Context, lines *jsonl.Reader, over chan<- error) {
	for c.out.Room(maxReplies) {
		line, err := lines.Next()
		switch {
		case errors.Is(err, jsonl.ErrTooLong):
			c.refuse(nil, "", err)
		case err != nil:
			over <- err
			return
		default:
			work := c.handle(ctx, line)
			if work == nil {
				continue
			}
			if lines.More() {
				go c.readOn(ctx, lines, over)
				work()
				return
			}
			turn := c.handoff.begin()
			work()
			if c.handoff.end(turn) {
				return
			}
		}
	}
	over <- ErrUnsent
}
