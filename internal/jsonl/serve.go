package jsonl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// flushLimit bounds how long the last replies may take when a conversation ends.
const flushLimit = time.Second

// ErrUnsent means that the client cannot be written to any more.
var ErrUnsent = errors.New("the client cannot be written to")

// Conversation is what a server does with one client.
type Conversation struct {
	Out *Outbox
	// Read handles lines until the stream ends. Its context is done when the conversation ends.
	Read func(ctx context.Context, r io.Reader) error
	// End waits for the requests in flight. It is called when the context of Read is done.
	End func()
	// Down, when closed, ends the conversation from this side. May be nil.
	Down <-chan struct{}
}

// Serve runs until the stream ends, ctx does, or Down is closed, and until End has returned. A stream that is an
// [io.Closer] is closed; one that is not may leave one goroutine blocked in its Read or Write. The end of the stream is no
// error; a failed write is [ErrUnsent].
func (c Conversation) Serve(ctx context.Context, stream io.ReadWriter) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	sent := make(chan error, 1)
	go func() {
		sent <- c.Out.Send(stream)
		cancel() // a client that cannot be written to has gone
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
		closer.Close() // unblocks a reader and a writer that still wait
	}
	if unsent != nil {
		err = fmt.Errorf("%w: %w", ErrUnsent, unsent)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	return err
}
