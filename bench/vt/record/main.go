// Command record runs programs in a terminal of 80×24, presses keys, and keeps what they wrote as recordings for the
// tests of internal/vt, with the places at which the screens are to be compared. See ../README.md.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/creack/pty"

	"pi/internal/vt"
)

const (
	cols, rows = 80, 24
	settle     = 700 * time.Millisecond // without output before a screen counts as drawn
	patience   = 60 * time.Second
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: record DIR [NAME…]")
		os.Exit(2)
	}
	work, err := os.MkdirTemp("", "record")
	if err != nil {
		fatal(err)
	}
	defer os.RemoveAll(work)
	if err := prepare(work); err != nil {
		fatal(err)
	}
	for _, s := range sessions {
		if len(os.Args) > 2 && !slices.Contains(os.Args[2:], s.name) {
			continue
		}
		if err := record(s, work, os.Args[1]); err != nil {
			fmt.Fprintf(os.Stderr, "record: %s: %v\n", s.name, err)
		}
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "record:", err)
	os.Exit(1)
}

// recorder is one program in its terminal.
type recorder struct {
	master *os.File
	output chan []byte
	term   *vt.Terminal
	bytes  []byte
	marks  []int
}

func record(s session, work, dir string) error {
	cmd := exec.Command("bash", "-c", s.command)
	cmd.Dir = work
	cmd.Env = append(environment(work), s.env...)
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: rows, Cols: cols})
	if err != nil {
		return err
	}
	r := &recorder{master: master, output: make(chan []byte), term: vt.New(vt.Options{Cols: cols, Rows: rows})}
	go r.read()
	err = r.play(s.steps)
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	for range r.output { // until the end
	}
	cmd.Wait()
	master.Close()
	if err != nil {
		return fmt.Errorf("%w\n%s\nafter %.2000q", err, strings.Join(r.term.ScreenText(), "\n"), r.bytes)
	}
	fmt.Printf("%-12s %7d bytes, %d screens\n", s.name, len(r.bytes), len(r.marks))
	return r.save(filepath.Join(dir, s.name))
}

func (r *recorder) read() {
	defer close(r.output)
	for {
		buf := make([]byte, 64<<10)
		n, err := r.master.Read(buf)
		if n > 0 {
			r.output <- buf[:n]
		}
		if err != nil {
			return
		}
	}
}

// play waits for each step's text, then for quiet, marks the screen and presses the keys.
func (r *recorder) play(steps []step) error {
	for _, s := range steps {
		want := regexp.MustCompile(s.wait)
		deadline := time.After(patience)
		for quiet := false; !quiet; {
			select {
			case b, ok := <-r.output:
				if !ok {
					quiet = want.MatchString(strings.Join(r.term.ScreenText(), "\n"))
					if !quiet {
						return fmt.Errorf("ended before %q", s.wait)
					}
					break
				}
				r.take(b)
			case <-time.After(settle):
				quiet = want.MatchString(strings.Join(r.term.ScreenText(), "\n"))
			case <-deadline:
				return fmt.Errorf("no %q", s.wait)
			}
		}
		r.marks = append(r.marks, len(r.bytes))
		if err := r.send([]byte(s.keys)); err != nil {
			return err
		}
	}
	return nil
}

func (r *recorder) take(b []byte) {
	r.bytes = append(r.bytes, b...)
	r.term.Write(b)
	r.send(r.term.Replies())
}

// send writes to the program; no bytes at all would be an end of file to it.
func (r *recorder) send(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	_, err := r.master.Write(b)
	return err
}

// save writes NAME.gz and NAME.marks.
func (r *recorder) save(name string) error {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	z.Write(r.bytes[:r.marks[len(r.marks)-1]])
	if err := z.Close(); err != nil {
		return err
	}
	var marks strings.Builder
	for _, m := range slices.Compact(r.marks) {
		fmt.Fprintln(&marks, m)
	}
	if err := os.WriteFile(name+".marks", []byte(marks.String()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(name+".gz", b.Bytes(), 0o644)
}

func environment(home string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TERM=xterm-256color", "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "SHELL=/bin/bash",
		"USER=demo", "TZ=UTC", "PAGER=less", "LESSHISTFILE=-", "GIT_AUTHOR_NAME=Demo", "GIT_AUTHOR_EMAIL=demo@example.org",
		"GIT_COMMITTER_NAME=Demo", "GIT_COMMITTER_EMAIL=demo@example.org"}
}
