package jsonl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// flushLimit bounds how long the last replies may take once a conversation ends.
const flushLimit = time.Second

// ErrUnsent says that the client takes nothing any more.
var ErrUnsent = errors.New("the client cannot be written to")

// Conversation is what a server does with one client.
type Conversation struct {
	Out *Outbox
	// Read handles lines until the stream ends. Its context is done when the conversation is over.
	Read func(ctx context.Context, r io.Reader) error
	// End waits for what is under way. The context of Read is done by then.
	End func()
	// Down, when closed, ends the conversation from this side. May be nil.
	Down <-chan struct{}
}

// Serve goes on until the stream ends, ctx does, or the conversation is down; End has returned by then. A stream that
// is an [io.Closer] is closed; one that is not may keep one goroutine waiting in its Read or Write. The end of the
// stream is no error; that it cannot be written to is [ErrUnsent].
func (c Conversation) Serve(ctx context.Context, stream io.ReadWriter) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	sent := make(chan error, 1)
	go func() {
		sent <- c.Out.Send(stream)
		cancel() // a client that cannot be written to is gone
	}()
	read := make(chan error, 1)
	go func() { read <- c.Read(ctx, stream) }()
	var err error
	select {
	case err = <-read:
	case <-ctx.Done():
	case <-c.Down:
	}
	cancel()
	c.End()
	c.Out.Close()
	var unsent error
	select {
	case unsent = <-sent:
	case <-time.After(flushLimit):
	}
	if closer, ok := stream.(io.Closer); ok {
		closer.Close() // frees a reader and a writer that still wait
	}
	if unsent != nil {
		err = fmt.Errorf("%w: %w", ErrUnsent, unsent)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	return err
}
