//go:build unix

package embedded

import (
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"pi/internal/ps"
	"pi/internal/self"
)

// Descriptors of the interpreter. Its standard error is not 2, because the Go runtime writes its fatal errors there and the
// leader translates those.
const (
	fdFault  = 2 // the runtime's fatal errors
	fdStatus = 3 // receives the exit status, one byte
	fdStderr = 4
	fdText   = 5 // the command text, if it is not an argument
)

// lead is the leader: it exits as the interpreter's foreground does.
func lead(args []string) int {
	in, err := startInterpreter(args)
	if err != nil {
		fmt.Fprintf(os.Stderr, "sh: %v\n", err)
		return 126
	}
	var status [1]byte
	if _, err := io.ReadFull(in.status, status[:]); err == nil {
		return int(status[0])
	}
	st, err := in.proc.Wait()
	if err != nil {
		return 1
	}
	if ws, ok := st.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return dieBy(ws.Signal())
	}
	fmt.Fprintf(os.Stderr, "sh: %s\n", explain(<-in.fault))
	return 2
}

// interpreter is the interpreter as the leader sees it.
type interpreter struct {
	proc   *os.Process
	status *os.File
	fault  <-chan string // the runtime's fatal error, once the interpreter is gone
}

// startInterpreter starts this program as the interpreter.
func startInterpreter(args []string) (interpreter, error) {
	path, err := self.Path()
	if err != nil {
		return interpreter{}, err
	}
	statusR, statusW, err := os.Pipe()
	if err != nil {
		return interpreter{}, err
	}
	defer statusW.Close()
	faultR, faultW, err := os.Pipe()
	if err != nil {
		return interpreter{}, err
	}
	defer faultW.Close()
	files := []*os.File{0: os.Stdin, 1: os.Stdout, fdFault: faultW, fdStatus: statusW, fdStderr: os.Stderr}
	if args[0] == textPiped { // the text is on 0, and 3 is the command's standard input
		files[0] = os.NewFile(3, "stdin")
		files = append(files, os.Stdin)
	}
	p, err := os.StartProcess(path, append([]string{"sh", self.Interpreter}, args...), &os.ProcAttr{Files: files})
	return interpreter{p, statusR, readFault(faultR)}, err
}

// readFault keeps the beginning and discards the rest, so that the runtime never waits for a reader.
func readFault(r io.Reader) <-chan string {
	said := make(chan string, 1)
	go func() {
		head, _ := io.ReadAll(io.LimitReader(r, faultLimit))
		said <- string(head)
		_, _ = io.Copy(io.Discard, r)
	}()
	return said
}

// explain turns a fatal error of the Go runtime into one line.
func explain(fault string) string {
	if strings.Contains(fault, "stack overflow") {
		return "the command is nested too deeply for the embedded shell"
	}
	line, _, _ := strings.Cut(fault, "\n")
	return "fault of the embedded shell: " + line
}

// dieBy kills this process with the signal that killed the interpreter, as it would have killed a real shell. If the Go
// runtime reserves the signal, the exit status says it instead.
func dieBy(sig syscall.Signal) int {
	ps.RestoreDefaultActions(sig)
	_ = unix.Kill(os.Getpid(), sig)
	time.Sleep(time.Second) // it is on its way
	return 128 + int(sig)
}

// interpretMain is the interpreter's process.
func interpretMain(args []string) int {
	// `kill $$` kills a shell at once; it must not get to its next command.
	ps.RestoreDefaultActions(syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM)
	for fd := fdStatus; fd <= fdText; fd++ { // inherited, and not for children
		unix.CloseOnExec(fd)
	}
	stderr, status := os.NewFile(fdStderr, "/dev/stderr"), os.NewFile(fdStatus, "status")
	text, err := commandArg(args, fdText)
	if err != nil {
		fmt.Fprintf(stderr, "sh: read the command: %v\n", err)
		return 126
	}
	code, waitJobs := interpret(text, os.Stdin, os.Stdout, stderr)
	_, _ = status.Write([]byte{byte(code)})
	status.Close()
	waitJobs()
	return code
}

// commandArg returns the command text: the second argument, or what comes through the descriptor.
func commandArg(args []string, fd uintptr) (string, error) {
	if args[0] == textGiven && len(args) == 2 {
		return args[1], nil
	}
	f := os.NewFile(fd, "command")
	defer f.Close()
	text, err := io.ReadAll(f)
	return string(text), err
}
