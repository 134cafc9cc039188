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
	Build  string          // told in hello; a tool_call that names another build is refused
	// Greet makes the server speak first, a line of type hello, before it has read anything.
	Greet bool
	// DefaultSession is where a bash request runs that names no session; empty: in a shell of its own.
	DefaultSession string
	// Artifacts is what artifact_read reads; nil: nothing.
	Artifacts *artifact.Store
	// MaxBytes and Timeout are what commands have that name none; zero: 50 KiB, and the longest timeout that there is.
	MaxBytes int
	Timeout  time.Duration
	// Force, when closed, skips the grace period of commands that are being terminated. May be nil.
	Force <-chan struct{}
	// Active, if not nil, is called before and after each request that uses the server, listing excepted.
	Active func(delta int)
}

// Server serves any number of clients, each over a stream of its own.
type Server struct {
	opt      Options
	handlers map[string]handler
	down     chan struct{} // closed by a shutdown request
	once     sync.Once
}

// NewServer makes a server. It holds nothing until it serves.
func NewServer(o Options) *Server {
	return &Server{opt: o, handlers: handlers(), down: make(chan struct{})}
}

// Down is closed when a client has asked for shutdown; by then the sessions are closed and the reply is sent or about
// to be.
func (s *Server) Down() <-chan struct{} { return s.down }

// Serve serves one client until its stream ends, ctx does, or a client asks for shutdown. Before it returns, every
// command of this client has been ended. A stream that is an [io.Closer] is closed; one that is not may keep one
// goroutine waiting in its Read or Write. The end of the stream is no error; that it cannot be written to is.
func (s *Server) Serve(ctx context.Context, stream io.ReadWriter) error {
	c := &conn{server: s, out: jsonl.NewOutbox(), runs: map[string]*command{}, last: map[string]chan struct{}{}}
	if s.opt.Greet {
		c.out.Reply(greeting{typeHello, s.about()})
	}
	return jsonl.Conversation{Out: c.out, Read: c.read, End: c.end, Down: s.down}.Serve(ctx, stream)
}

// ErrUnsent says that the client takes nothing any more.
var ErrUnsent = jsonl.ErrUnsent

func (s *Server) about() Hello { return Hello{Protocol, s.opt.Build, os.Getpid()} }

// conn is one client.
type conn struct {
	server *Server
	out    *jsonl.Outbox
	lender lender
	busy   sync.WaitGroup // requests under way

	mu     sync.Mutex
	ending bool                     // no further request is taken
	runs   map[string]*command      // requests under way by id
	anon   []*command               // those without an id
	last   map[string]chan struct{} // of each session: closed when the newest command for it has its turn, or is over

	// Guarded by the outbox.
	over   bool // nobody waits for the client any more
	shown  int  // bytes that the commands under way may answer with
	events int  // bytes of unsent events
}

// end waits for the requests under way, which have been cancelled.
func (c *conn) end() {
	c.mu.Lock()
	c.ending = true
	c.mu.Unlock()
	c.out.Do(func() { c.over = true })
	for _, k := range c.others(nil) {
		k.feed.release()
	}
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-c.server.opt.Force:
			for _, k := range c.others(nil) {
				k.abort(true)
			}
		case <-over:
		}
	}()
	c.busy.Wait()
}

// command is a request under way that can be aborted.
type command struct {
	id       json.RawMessage
	run      bool      // a command, and not a question about some
	slow     bool      // not answered at once
	terminal *terminal // of pty_start
	session  string    // empty: none; guarded by the connection's mutex
	cancel   context.CancelFunc
	force    chan struct{}
	once     sync.Once
	feed     *feed
}

// abort ends the command; the caller does not wait for that.
func (k *command) abort(force bool) {
	if force {
		k.once.Do(func() { close(k.force) })
	}
	k.cancel()
	k.feed.release()
}

// read handles lines until the stream ends.
func (c *conn) read(ctx context.Context, r io.Reader) error {
	over := make(chan error, 1)
	f := jsonl.NewReader(r, jsonl.MaxFrame)
	c.lender.readOn = func() { c.readOn(ctx, f, over) }
	go c.lender.readOn()
	return <-over
}

// readOn handles lines. Who has read a request also does the work: to wake somebody else for it would take longer than a
// short command. If the work takes a while, or more has been read already, another goroutine reads on meanwhile.
func (c *conn) readOn(ctx context.Context, f *jsonl.Reader, over chan<- error) {
	for c.out.Room(maxReplies) {
		line, err := f.Next()
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
			if f.More() {
				go c.readOn(ctx, f, over)
				work()
				return
			}
			turn := c.lender.begin()
			work()
			if c.lender.end(turn) {
				return
			}
		}
	}
	over <- ErrUnsent
}
