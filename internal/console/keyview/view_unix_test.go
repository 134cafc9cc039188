//go:build unix

package keyview

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"go.uber.org/goleak"
	"golang.org/x/term"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// terminal returns both ends of a terminal, and a check that its modes are what they were.
func terminal(t *testing.T) (master, tty *os.File, same func()) {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close(); master.Close() })
	before, err := term.GetState(int(tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	return master, tty, func() {
		t.Helper()
		after, err := term.GetState(int(tty.Fd()))
		if err != nil {
			t.Fatal(err)
		}
		if *after != *before {
			t.Error("the terminal's modes are not what they were")
		}
	}
}

// script is an output that calls react, once, when it has said a text.
type script struct {
	mu    sync.Mutex
	said  strings.Builder
	text  string
	react func()
}

func (s *script) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said.Write(p)
	if s.react != nil && strings.Contains(s.said.String(), s.text) {
		react := s.react
		s.react = nil
		react()
	}
	return len(p), nil
}

func TestRunEnds(t *testing.T) {
	master, tty, same := terminal(t)
	out := &script{text: "kitty fields", react: func() { io.WriteString(master, "x\x03\x03") }}
	if err := Run(t.Context(), tty, out, Options{Escape: time.Millisecond}); err != nil {
		t.Error(err)
	}
	same()
	if got := out.said.String(); strings.Contains(got, "\x1b") || strings.Contains(got, "\r") || !strings.Contains(got, "\n78 ") {
		t.Errorf("to what is no terminal it says %q", got)
	}
}

func TestRunContext(t *testing.T) {
	_, tty, same := terminal(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("why")
	out := &script{text: "kitty fields", react: func() { cancel(why) }}
	if err := Run(ctx, tty, out, Options{}); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
	same()
}

func TestRunPanic(t *testing.T) {
	_, tty, same := terminal(t)
	defer same()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Run(t.Context(), tty, &script{text: "kitty fields", react: func() { panic("no") }}, Options{})
}

func TestRunHangup(t *testing.T) {
	master, tty, _ := terminal(t)
	out := &script{text: "kitty fields", react: func() { master.Close() }}
	if err := Run(t.Context(), tty, out, Options{}); err != nil {
		t.Error(err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestRunNoOutput(t *testing.T) {
	_, tty, same := terminal(t)
	if err := Run(t.Context(), tty, brokenPipe{}, Options{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
	same()
}

func TestRunNoTerminal(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := Run(t.Context(), f, io.Discard, Options{}); err == nil {
		t.Error("no error")
	}
}
