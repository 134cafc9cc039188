package pty

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"pi/internal/ps"
)

// run runs one command in a reserved session.
func (s *Session) run(ctx context.Context, o Options) (End, error) {
	if ctx.Err() != nil {
		return End{Cancelled: true}, nil
	}
	t, err := s.open()
	if err != nil {
		return End{}, fmt.Errorf("open a pseudo-terminal: %w", err)
	}
	tree, err := launch(t, o)
	if err != nil {
		s.enter(closed)
		t.release()
		t.close()
		return End{}, err
	}
	out := o.Output
	if out == nil {
		out = func([]byte) {}
	}
	go t.read(out)
	go s.in.run(t)
	s.enter(running)
	end := s.await(ctx, o, tree, t)
	s.enter(closed)
	s.in.stop(t)
	end.Warnings = append(end.Warnings, tree.Warnings()...)
	if t.eof() || end.TimedOut || end.Cancelled {
		t.close()
	} else {
		end.Held = t.hold()
	}
	return end, nil
}

func (s *Session) enter(st state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = st
	if st == closed {
		s.term = nil // now owned by the caller, or closed
	}
}

// open creates the terminal in the last size requested.
func (s *Session) open() (*terminal, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := openTerminal(s.cols, s.rows)
	s.term = t
	return t, err
}

// launch starts the shell in the terminal.
func launch(t *terminal, o Options) (*ps.Tree, error) {
	path, err := shellPath()
	if err != nil {
		return nil, err
	}
	text, env := loginText(o)
	c := ps.Command{Path: path, Args: []string{"sh", "-lc", text}, Env: env, Dir: o.Dir}
	var feeder *os.File
	if len(text) > maxArg {
		if !extraFiles {
			return nil, fmt.Errorf("the command is longer than %d bytes", maxArg)
		}
		if c.Extra, feeder, err = os.Pipe(); err != nil {
			return nil, err
		}
		defer c.Extra.Close()
		c.Args[2] = `eval "$(cat <&3)" 3<&-` // words are expanded before the redirection takes effect
	}
	t.attach(&c)
	tree, err := ps.Start(c)
	if feeder != nil {
		go func() { // ends with EPIPE if the shell dies early
			if err == nil {
				_, _ = io.WriteString(feeder, text)
			}
			feeder.Close()
		}()
	}
	return tree, err
}

// await waits for the command to end in one of its ways and collects the rest of its output.
func (s *Session) await(ctx context.Context, o Options, tree *ps.Tree, t *terminal) End {
	var over <-chan time.Time
	if o.Timeout > 0 {
		timer := time.NewTimer(o.Timeout)
		defer timer.Stop()
		over = timer.C
	}
	end := End{}
	select {
	case <-tree.Done():
		t.release()
		t.drain(drainCap)
		if s.settle(ctx, over, t) {
			end.Cancelled = true
		}
	case <-over:
		end.TimedOut = true
	case <-ctx.Done():
		end.Cancelled = true
	case <-s.kill:
		end.Cancelled = true
	}
	if end.TimedOut || end.Cancelled {
		// The reader continues, so that output of traps is not lost.
		end.Survivors = tree.End(endGrace, o.Force).Survivors
		t.release()
		t.drain(endDrainCap)
		<-t.done
		return end
	}
	st := tree.State()
	end.ExitCode, end.Signal = st.ExitCode, st.Signal
	end.Background = tree.Background() // one system call if there are none
	if len(end.Background) > 0 {
		// The kernel sends SIGHUP to the terminal's foreground jobs when the session leader ends; they need a moment to exit.
		time.Sleep(hangUpPause)
		end.Background = tree.Background()
	}
	if err := tree.Release(); err != nil {
		end.Warnings = append(end.Warnings, fmt.Sprintf("release the guardian: %v", err))
	}
	return end
}

// settle waits for the end of reading. It reports true if the caller cancelled first.
func (s *Session) settle(ctx context.Context, over <-chan time.Time, t *terminal) (cancelled bool) {
	select {
	case <-t.done:
		return false
	case <-over:
		t.drain(0)
	case <-ctx.Done():
		return true
	case <-s.kill:
		return true
	}
	<-t.done
	return false
}
