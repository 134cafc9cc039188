package embedded

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

// calls handles every simple command before the interpreter does. Its methods are called concurrently.
type calls struct {
	run interp.ExecHandlerFunc

	mu    sync.Mutex
	fifos map[string]bool // named pipes of process substitutions that were handed to commands
}

func newCalls() *calls {
	// No time limit on the outputs of a program that has ended: its background processes may still write to `$(…)`.
	return &calls{run: interp.DefaultExecHandler(-1), fifos: map[string]bool{}}
}

// call runs before functions, builtins and programs, and may replace the command.
func (c *calls) call(ctx context.Context, args []string) ([]string, error) {
	hc := interp.HandlerCtx(ctx)
	c.note(args)
	switch args[0] {
	case "echo", "printf":
		// The interpreter ignores failed writes; SIGPIPE would kill a real shell.
		if f, ok := hc.Stdout.(*os.File); ok && readerGone(f) {
			return []string{"exit", "141"}, nil
		}
		if args[0] == "printf" && len(args) > 1 && !plainFormat(args[1]) {
			return program(hc, args), nil
		}
	case "kill": // the interpreter knows its name only
		return program(hc, args), nil
	}
	return args, nil
}

// program replaces a builtin by the program of its name, if there is one.
func program(hc interp.HandlerContext, args []string) []string {
	path, err := interp.LookPathDir(hc.Dir, hc.Env, args[0])
	if err != nil {
		return args
	}
	return append([]string{path}, args[1:]...)
}

// plainFormat reports whether the interpreter's printf knows everything in a format. The program prints what has a precision or
// is not a plain directive, such as %.2f and %q; options such as -v stay with the interpreter.
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

// exec runs programs. If one cannot be run, the message is that of a shell, and the rest of the text still runs.
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

// errNotFound is the reason for a name that is nowhere on PATH.
var errNotFound = errors.New("command not found")

// missing returns the reason why a program was not found.
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

// refuse prints why a program does not run. The status is 127 if it is not there, 126 if it cannot be started.
func refuse(hc interp.HandlerContext, name string, err error) error {
	code := interp.ExitStatus(126)
	if err == errNotFound || errors.Is(err, fs.ErrNotExist) {
		code = 127
	}
	fmt.Fprintf(hc.Stderr, "sh: line %d: %s: %v\n", hc.Pos.Line(), name, cause(err))
	return code
}

// cause returns the system's own reason in an error, spelt as the C library spells it.
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

// open opens files for redirections. The names of the standard streams mean those of the shell at this point, which are not
// those of its process.
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
		if f, err := duplicate(s); err == nil {
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

// borrowed is a stream that is not a file, and must not be closed.
type borrowed struct{ io.Writer }

func (borrowed) Read([]byte) (int, error) { return 0, io.EOF }
func (borrowed) Close() error             { return nil }

// fifoPrefix begins the names that the interpreter gives the pipes of process substitutions, in the temporary directory.
const fifoPrefix = "sh-interp-"

// note records the named pipes among a command's arguments: the interpreter waits for ever for one that the command never
// opens.
func (c *calls) note(args []string) {
	for _, a := range args[1:] {
		if strings.HasPrefix(filepath.Base(a), fifoPrefix) {
			c.mu.Lock()
			c.fifos[a] = true
			c.mu.Unlock()
		}
	}
}

// release unblocks the pipes that the command, which has ended, never opened.
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

// releaseAll unblocks those that were passed to builtins and functions.
func (c *calls) releaseAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for a := range c.fifos {
		release(a)
	}
}
