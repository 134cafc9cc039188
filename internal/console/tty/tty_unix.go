//go:build linux || darwin

package tty

import (
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

func change(f *os.File, edit func(*unix.Termios)) error {
	s, err := unix.IoctlGetTermios(int(f.Fd()), getTermios)
	if err != nil {
		return err
	}
	edit(s)
	return unix.IoctlSetTermios(int(f.Fd()), setTermios, s)
}

func raw(f *os.File) error {
	_, err := term.MakeRaw(int(f.Fd()))
	return err
}

func cook(f *os.File) error {
	return change(f, func(s *unix.Termios) { s.Oflag |= unix.OPOST })
}

// quiet turns the echo off and leaves signals and line editing on.
func quiet(f *os.File) error {
	return change(f, func(s *unix.Termios) { s.Lflag &^= unix.ECHO | unix.ECHOCTL })
}

// lateReports is how long to wait for reports in transit from a terminal that was told to send no more.
const lateReports = 20 * time.Millisecond

// discard discards unread input.
func discard(f *os.File) {
	time.Sleep(lateReports)
	if s, err := unix.IoctlGetTermios(int(f.Fd()), getTermios); err == nil {
		_ = unix.IoctlSetTermios(int(f.Fd()), setFlush, s)
	}
}

// Sane sets the terminal modes that every shell can work with, as stty sane does, and leaves the size and the
// keys alone, unless those are switched off.
func Sane(f *os.File) error {
	return change(f, func(s *unix.Termios) {
		s.Iflag |= unix.BRKINT | unix.ICRNL | unix.IMAXBEL | unix.IXON
		s.Iflag &^= unix.IGNBRK | unix.INLCR | unix.IGNCR | unix.IXOFF | unix.ISTRIP | unix.INPCK | unix.PARMRK
		s.Oflag |= unix.OPOST | unix.ONLCR
		s.Lflag |= unix.ISIG | unix.ICANON | unix.IEXTEN | unix.ECHO | unix.ECHOE | unix.ECHOK | unix.ECHOCTL | unix.ECHOKE
		s.Lflag &^= unix.ECHONL | unix.NOFLSH | unix.TOSTOP | unix.ECHOPRT
		s.Cflag |= unix.CREAD
		s.Cflag = s.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
		for _, c := range []struct {
			at   int
			char byte
		}{{unix.VINTR, 3}, {unix.VQUIT, 28}, {unix.VERASE, 127}, {unix.VKILL, 21}, {unix.VEOF, 4}, {unix.VSTART, 17}, {unix.VSTOP, 19}, {unix.VSUSP, 26}} {
			if s.Cc[c.at] == 0 || s.Cc[c.at] == 0xff {
				s.Cc[c.at] = c.char
			}
		}
		// Raw mode sets these, and where they share their place with others the terminal would never be read.
		s.Cc[unix.VMIN], s.Cc[unix.VTIME] = 1, 0
	})
}

// Foreground reports whether pi's process group is in the foreground. A terminal that is not the controlling one has no job
// control, and the answer is true.
func (t *TTY) Foreground() bool {
	group, err := unix.IoctlGetInt(int(t.in.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}

func (t *TTY) watchSignals() (stop func()) {
	got, quit, done := make(chan os.Signal, 8), make(chan struct{}), make(chan struct{})
	signal.Notify(got, syscall.SIGWINCH, syscall.SIGCONT)
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(got, syscall.SIGTSTP)
	}
	go func() {
		defer close(done)
		defer t.Guard()
		t.obey(jobSignals{got, quit})
	}()
	var once sync.Once
	return func() {
		once.Do(func() {
			close(quit)
			<-done
			signal.Stop(got)
		})
	}
}

func (t *TTY) obey(j jobSignals) {
	for {
		select {
		case <-j.quit:
			return
		case s := <-j.got:
			switch s {
			case syscall.SIGWINCH:
				t.call(func(e Events) func() { return e.Resized })
			case syscall.SIGTSTP:
				t.stopFor(func() {
					if !j.goOnWithin(beforeStop) && syscall.Kill(os.Getpid(), syscall.SIGSTOP) == nil {
						j.goOnWithin(-1) // the stop may reach this thread late
					}
				})
			case syscall.SIGCONT:
				j.settle()
				t.goOn()
			}
		}
	}
}

// jobSignals receives job control signals until quit is closed.
type jobSignals struct {
	got  <-chan os.Signal
	quit <-chan struct{}
}

const (
	// beforeStop is how long a SIGCONT may cancel a stop: once the process is stopped, it is too late for a
	// SIGCONT that came before the stop.
	beforeStop = 20 * time.Millisecond
	// disorder is how far apart signals may arrive here that came at once. The runtime passes those on by number, so
	// that their order says nothing, and a program that runs is the smaller harm.
	disorder = 5 * time.Millisecond
)

// goOnWithin handles signals for d, or without limit if d is negative, and reports whether the process is to continue: it
// received SIGCONT, or the watch is over.
func (j jobSignals) goOnWithin(d time.Duration) bool {
	var late <-chan time.Time
	if d >= 0 {
		late = time.After(d)
	}
	for {
		select {
		case <-j.quit:
			return true
		case s := <-j.got:
			if s == syscall.SIGCONT {
				j.settle()
				return true
			}
		case <-late:
			return false
		}
	}
}

// settle handles signals that arrived together with a SIGCONT.
func (j jobSignals) settle() {
	late := time.After(disorder)
	for {
		select {
		case <-j.quit:
			return
		case s := <-j.got:
			if s == syscall.SIGCONT {
				late = time.After(disorder)
			}
		case <-late:
			return
		}
	}
}

// isGone reports whether err means that the terminal has hung up.
func isGone(err error) bool { return errors.Is(err, syscall.EIO) }

// waker interrupts a wait for input through a pipe that the wait also watches.
type waker struct {
	mu   sync.Mutex
	r, w int // 0: not created yet
	shut bool
}

func (k *waker) open() (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.shut {
		return -1, os.ErrClosed
	}
	if k.r == 0 {
		var p [2]int
		if err := pipe(&p); err != nil {
			return -1, err
		}
		k.r, k.w = p[0], p[1]
	}
	return k.r, nil
}

func (k *waker) wait(f *os.File, d time.Duration) (bool, error) {
	r, err := k.open()
	if err != nil {
		return false, err
	}
	ms := -1
	if d >= 0 {
		ms = int((d + time.Millisecond - 1) / time.Millisecond)
	}
	fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}, {Fd: int32(r), Events: unix.POLLIN}}
	if _, err := unix.Poll(fds, ms); err != nil {
		if errors.Is(err, unix.EINTR) {
			return false, nil
		}
		return false, err
	}
	if fds[1].Revents != 0 {
		var buf [64]byte
		_, _ = unix.Read(r, buf[:])
		return false, nil
	}
	return fds[0].Revents != 0, nil
}

func (k *waker) wake() {
	if _, err := k.open(); err == nil {
		_, _ = unix.Write(k.w, []byte{0})
	}
}

func (k *waker) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.r != 0 && !k.shut {
		unix.Close(k.r)
		unix.Close(k.w)
	}
	k.shut = true
}
