package snapshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"pi/internal/environ"
	"pi/internal/ps"
)

// taken is a snapshot before it is in the cache.
type taken struct {
	script    []byte
	env       []string
	functions []function
	aliases   []alias
	sources   []string // files that functions came from
	leftOut   int
}

// take lets the shell read its rc files, and turns what it prints into a script that the same shell has checked.
func take(ctx context.Context, spec Spec) (taken, error) {
	own := makerEnv(spec)
	raw, err := dump(ctx, spec, own)
	if err != nil {
		return taken{}, err
	}
	d, err := parseDump(raw)
	if err != nil {
		return taken{}, err
	}
	dialect := spec.Shell.Dialect.Snapshot
	t := d.filter(own, dialect)
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	ck := checker{ctx: ctx, spec: spec, env: own}
	t.script = d.script(dialect, t.functions, t.aliases)
	err = ck.check(t.script)
	if errors.Is(err, errSyntax) {
		n := len(t.functions)
		if t.functions, err = ck.readable(t.functions); err == nil {
			t.leftOut += n - len(t.functions)
			t.script = d.script(dialect, t.functions, t.aliases)
			err = ck.check(t.script)
		}
	}
	if err != nil {
		return taken{}, fmt.Errorf("check of the snapshot: %w", err)
	}
	return t, nil
}

// makerEnv returns the environment of the shell that reads the rc files. Those often do nothing for a dumb terminal, and no
// program in them may open a window to ask for a password. Without a history file bash cannot truncate one.
func makerEnv(spec Spec) []string {
	set := []string{"SSH_ASKPASS=/usr/bin/false", "SUDO_ASKPASS=/usr/bin/false", "GIT_TERMINAL_PROMPT=0", "HISTFILE="}
	if t := environ.Get(spec.Env, "TERM"); t == "" || t == "dumb" {
		set = append(set, "TERM=xterm-256color")
	}
	env := make([]string, 0, len(spec.Env)+len(set))
	for _, kv := range spec.Env {
		if _, replaced := environ.Lookup(set, environ.Name(kv)); !replaced {
			env = append(env, kv)
		}
	}
	return append(env, set...)
}

// dump runs the shell as an interactive one without a terminal. The answer comes through a fifo whose name only the command
// text knows, which runs after the rc files: whatever those do to the descriptors does not matter.
func dump(ctx context.Context, spec Spec, env []string) ([]byte, error) {
	mark := nonce()
	path := filepath.Join(spec.CacheDir, "new-"+nonce())
	ch, err := openChannel(path)
	if err != nil {
		return nil, err
	}
	defer os.Remove(path)
	defer ch.Close()
	tree, err := ps.Start(ps.Command{Path: spec.Shell.Path, Args: dumpArgs(spec.Shell, path, mark), Env: env, Dir: spec.Home})
	if err != nil {
		return nil, err
	}
	rd := make(chan answer, 1)
	go func() { rd <- readAnswer(ch, mark) }()
	timer := time.NewTimer(spec.bound())
	defer timer.Stop()
	var late error
	select {
	case a := <-rd:
		tree.End(0, nil)
		return a.data, a.err
	case <-tree.Done():
	case <-timer.C:
		late = fmt.Errorf("they were not read within %v", spec.bound())
	case <-ctx.Done():
		late = ctx.Err()
	}
	tree.End(0, nil) // the daemons too
	_, _ = ch.WriteString(stopMark(mark))
	a := <-rd
	switch {
	case a.err == nil:
		return a.data, nil
	case late != nil:
		return nil, late
	case errors.Is(a.err, errStopped):
		return nil, fmt.Errorf("they ended or replaced the shell (%s)", endOf(tree.State()))
	}
	return nil, a.err
}

func endOf(s ps.State) string {
	if s.Signal != 0 {
		return "signal " + s.Signal.String()
	}
	return fmt.Sprintf("status %d", s.ExitCode)
}

// answer is what came through the channel between the begin and the end mark.
type answer struct {
	data []byte
	err  error
}

var errStopped = errors.New("no answer")

// Marks are between NUL bytes, which no name and no text of a shell can contain.
func beginMark(m string) string { return "\x00B" + m + "\x00" }
func endMark(m string) string   { return "\x00Z" + m + "\x00" }
func stopMark(m string) string  { return "\x00S" + m + "\x00" }

// readAnswer reads up to a mark. Its caller writes the stop mark when no answer can come any more.
func readAnswer(ch *os.File, mark string) answer {
	var data []byte
	buf := make([]byte, 64<<10)
	for {
		n, err := ch.Read(buf)
		if err != nil {
			return answer{err: err}
		}
		from := max(len(data)-len(endMark(mark)), 0)
		data = append(data, buf[:n]...)
		if i := bytes.Index(data[from:], []byte(endMark(mark))); i >= 0 {
			data = data[:from+i]
			b := bytes.LastIndex(data, []byte(beginMark(mark)))
			if b < 0 {
				return answer{err: errors.New("the answer has no beginning")}
			}
			return answer{data: data[b+len(beginMark(mark)):]}
		}
		if bytes.Contains(data[from:], []byte(stopMark(mark))) {
			return answer{err: errStopped}
		}
		if len(data) > dumpLimit {
			return answer{err: fmt.Errorf("they define more than %d MiB", dumpLimit>>20)}
		}
	}
}
