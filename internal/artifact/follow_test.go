package artifact

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"time"
)

// buffer collects what a follower writes.
type buffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func (b *buffer) wait(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !strings.HasSuffix(b.String(), text); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("got %q, want …%q", b.String(), text)
		}
	}
}

func follow(s *Store, ctx context.Context, tail *int64) (*buffer, <-chan error) {
	b, done := &buffer{}, make(chan error, 1)
	go func() { done <- s.Follow(ctx, b, Ref{id: 1}, tail) }()
	return b, done
}

func TestFollow(t *testing.T) {
	two := int64(2)
	for _, c := range []struct {
		name, first, want string
		tail              *int64
		max               int64
	}{
		{"all", "a\nb\nc\n", "a\nb\nc\nd\ne\n", nil, 0},
		{"from nothing", "", "d\ne\n", nil, 0},
		{"the last lines", "a\nb\nc\n", "b\nc\nd\ne\n", &two, 0},
		{"the last lines of nothing", "", "d\ne\n", &two, 0},
		{"across the cap", numberedLines(60), numberedLines(60) + "d\ne\n", nil, 1024},
		{"the last lines after the cap", numberedLines(500), "0000498\n0000499\nd\ne\n", &two, 1024},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(t, Options{MaxBytes: c.max})
			w := create(t, s, Meta{})
			writeText(t, w, c.first)
			b, done := follow(s, context.Background(), c.tail)
			b.wait(t, strings.TrimSuffix(c.want, "d\ne\n"))
			writeText(t, w, "d\n")
			b.wait(t, "d\n")
			writeText(t, w, "e\n")
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if err := <-done; err != nil || b.String() != c.want {
				t.Errorf("got %q, want %q, %v", b.String(), c.want, err)
			}
		})
	}
}

func writeText(t *testing.T, w *Writer, text string) {
	t.Helper()
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

// TestFollowSkipped checks that a slow follower reports how much it skipped.
func TestFollowSkipped(t *testing.T) {
	s := newStore(t, Options{MaxBytes: 1024})
	w := create(t, s, Meta{})
	writeText(t, w, numberedLines(10))
	b, done := follow(s, context.Background(), nil)
	b.wait(t, numberedLines(10))
	writeText(t, w, numberedLines(5000))
	b.wait(t, "0004999\n")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil || !strings.Contains(b.String(), " bytes left out here …]\n") {
		t.Errorf("%v %q", err, b.String()[:300])
	}
}

func TestFollowEnds(t *testing.T) {
	s := newStore(t, Options{})
	w := create(t, s, Meta{})
	writeText(t, w, "a\n")
	ctx, cancel := context.WithCancel(context.Background())
	b, done := follow(s, ctx, nil)
	b.wait(t, "a\n")
	cancel()
	if err := <-done; err != nil {
		t.Errorf("cancelled: %v", err)
	}
	b, done = follow(s, context.Background(), nil)
	b.wait(t, "a\n")
	st, err := w.Detach()
	if err != nil {
		t.Fatal(err)
	}
	if w, err = s.Adopt(st); err != nil { // handed over: the follower continues
		t.Fatal(err)
	}
	writeText(t, w, "b\n")
	b.wait(t, "b\n")
	if _, err := w.Detach(); err != nil { // nobody adopts it
		t.Fatal(err)
	}
	if err := <-done; err != nil || b.String() != "a\nb\n" {
		t.Errorf("lost: %v, %q", err, b.String())
	}
	w = create(t, s, Meta{})
	done2 := make(chan error, 1)
	go func() { done2 <- s.Follow(context.Background(), &buffer{}, Ref{id: 2}, nil) }()
	if _, err := s.Remove(Ref{id: 2}); err != nil {
		t.Fatal(err)
	}
	if err := <-done2; !errors.Is(err, ErrRemoved) && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removed: %v", err)
	}
	_ = w.Close()
	if err := s.Follow(context.Background(), &buffer{}, Ref{id: 9}, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}

func TestFollowClosed(t *testing.T) {
	for _, n := range []int{3, 5000} {
		s := newStore(t, Options{MaxBytes: 1024})
		w := create(t, s, Meta{})
		writeText(t, w, numberedLines(n))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		b, done := follow(s, context.Background(), nil)
		if err := <-done; err != nil || !strings.HasSuffix(b.String(), fmt.Sprintf("%07d\n", n-1)) || (n > 1000) != strings.Contains(b.String(), "left out") {
			t.Errorf("%d lines: %v, %q", n, err, b.String())
		}
	}
}
