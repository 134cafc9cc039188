package jsonl

import (
	"io"
	"strings"
	"testing"
	"time"
)

// TestUnreadReplies: a client that sends requests without end and never reads is not read from any more, and costs a
// bounded amount of memory.
func TestUnreadReplies(t *testing.T) {
	o := NewOutbox()
	const limit = 16 << 20
	long := strings.Repeat("x", 1<<20)
	for o.Unsent() <= limit {
		o.Reply(long)
	}
	blocked := make(chan bool)
	go func() { blocked <- o.Room(limit) }()
	select {
	case <-blocked:
		t.Fatal("there is room for more")
	case <-time.After(20 * time.Millisecond):
	}
	go func() { _ = o.Send(io.Discard) }()
	if !<-blocked {
		t.Error("no room after all was sent")
	}
	o.Close()
}
