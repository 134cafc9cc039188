package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"mvdan.cc/sh/v3/interp"
)

// calls looks after every simple command on its way into the interpreter. Its methods are called concurrently.
type calls struct {
	run interp.ExecHandlerFunc

	mu    sync.Mutex
	fifos map[string]bool // named pipes of process substitutions that were handed to commands
}

func newCalls() *calls {
	// No time limit on the outputs of a program that has ended: what it left running may still write to `$(…)`.
	return &calls{run: interp.DefaultExecHandler(-1), fifos: map[string]bool{}}
}

// call comes before functions, builtins and programs, and may put others in their place.
func (c *calls) call(ctx context.Context, args []string) ([]string, error) {
	hc := interp.HandlerCtx(ctx)
	c.note(args)
	switch args[0] {
	case "echo", "printf":
		// The interpreter takes no notice when a write fails; a real shell would be ended by SIGPIPE.
		if f, ok := hc.Stdout.(*os.File); ok && deserted(f) {
			return []string{"exit", "141"}, nil
		}
		if args[0] == "printf" && len(args) > 1 && !plainFormat(args[1]) {
			return program(hc, args), nil
		}
	case "kill": // known to the interpreter by name only
		return program(hc, args), nil
	}
	return args, nil
}

// program puts the program of a builtin's name in its place, if there is one.
func program(hc interp.HandlerContext, args []string) []string {
	path, err := interp.LookPathDir(hc.Dir, hc.Env, args[0])
	if err != nil {
		return args
	}
	return append([]string{path}, args[1:]...)
}

// plainFormat reports that the interpreter's printf knows everything in a format. What has a precision or is no plain
// directive, as %.2f and %q, is the program's to print; options such as -v are not.
func plainFormat(format string) bool {
	if strings.HasPrefix(format, "-") {
		return true
	}
	for {
		_, directive, found := strings.Cut(format, "%")
		if !found {
			return true
		}
		directive = strings.TrimLeft(directive, "-+ 0123456789")
		if directive == "" || !strings.Contains("%csbdioux", directive[:1]) {
			return false
		}
		format = directive[1:]
	}
}

// exec runs programs. That one cannot be run is told in the words of a shell, and is never the end of the whole text.
func (c *calls) exec(interp.ExecHandlerFunc) interp.ExecHandlerFunc {
	return func(ctx context.Context, args []string) error {
		hc := interp.HandlerCtx(ctx)
		if _, err := interp.LookPathDir(hc.Dir, hc.Env, args[0]); err != nil {
			return refuse(hc, args[0], missing(hc.Dir, args[0]))
		}
		err := c.run(ctx, args)
		c.release(args)
		var code interp.ExitStatus
		if err == nil || errors.As(err, &code) {
			return err
		}
		return refuse(hc, args[0], err)
	}
}

// errNotFound is the reason of a name that is nowhere on PATH.
var errNotFound = errors.New("command not found")

// missing finds out why a program was not found.
func missing(dir, name string) error {
	if !strings.ContainsRune(name, '/') {
		return errNotFound
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	st, err := os.Stat(name)
	switch {
	case err != nil:
		return err
	case st.IsDir():
		return syscall.EISDIR
	}
	return syscall.EACCES
}

// refuse says why a program does not run: 127 when it is not there, 126 when it cannot be started.
func refuse(hc interp.HandlerContext, name string, err error) error {
	code := interp.ExitStatus(126)
	if err == errNotFound || errors.Is(err, fs.ErrNotExist) {
		code = 127
	}
	fmt.Fprintf(hc.Stderr, "sh: line %d: %s: %v\n", hc.Pos.Line(), name, cause(err))
	return code
}

// cause is the system's own reason in an error, spelt as the C library spells it.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	var no syscall.Errno
	if errors.As(err, &no) {
		text := no.Error()
		return errors.New(strings.ToUpper(text[:1]) + text[1:])
	}
	return err
}

// open opens files for redirections. The names of the standard streams mean those of the shell at this point, which
// are not those of its process.
func open(ctx context.Context, path string, flag int, perm os.FileMode) (io.ReadWriteCloser, error) {
	hc := interp.HandlerCtx(ctx)
	var stream any
	switch path {
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
		stream = hc.Stdin
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		stream = hc.Stdout
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		stream = hc.Stderr
	}
	switch s := stream.(type) {
	case *os.File:
		if f, err := again(s); err == nil {
			return f, nil
		}
	case io.Writer:
		return borrowed{s}, nil
	}
	f, err := interp.DefaultOpenHandler()(ctx, path, flag, perm)
	if err != nil { // of this very type, or it would end the whole text
		return nil, &fs.PathError{Op: "sh:", Path: path, Err: cause(err)}
	}
	return f, nil
}

// borrowed is a stream that is not a file, and not to be closed.
type borrowed struct{ io.Writer }

func (borrowed) Read([]byte) (int, error) { return 0, io.EOF }
func (borrowed) Close() error             { return nil }

// fifoPrefix is how the interpreter names the pipes of process substitutions, in the directory for temporary files.
const fifoPrefix = "sh-interp-"

// note remembers the named pipes among a command's arguments: the interpreter waits without end for one that the
// command never opens.
func (c *calls) note(args []string) {
	for _, a := range args[1:] {
		if strings.HasPrefix(filepath.Base(a), fifoPrefix) {
			c.mu.Lock()
			c.fifos[a] = true
			c.mu.Unlock()
		}
	}
}

// release ends the waiting for what the command, now done, has not opened.
func (c *calls) release(args []string) {
	for _, a := range args[1:] {
		c.mu.Lock()
		ours := c.fifos[a]
		delete(c.fifos, a)
		c.mu.Unlock()
		if ours {
			release(a)
		}
	}
}

// releaseAll does so for what was handed to builtins and functions.
func (c *calls) releaseAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for a := range c.fifos {
		release(a)
	}
}
