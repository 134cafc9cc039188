package sessiond

import (
	"syscall"
	"testing"
	"time"

	"pi/internal/rpc"
	"pi/internal/toolcall/toolcalltest"
)

// TestEveryArgumentArrives sends a call with every argument set from the client's end of a connection to a server like the
// daemon's, and looks at the engine's call.
func TestEveryArgumentArrives(t *testing.T) {
	want := toolcalltest.Call(t, toolcalltest.Full(t))
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := socketFile(fds[0])
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := socketFile(fds[1])
	if err != nil {
		t.Fatal(err)
	}
	engine := &toolcalltest.Recorder{}
	over := make(chan error, 1)
	go func() {
		over <- rpc.NewServer(rpc.Options{Engine: engine, Build: testBuild, Greet: true}).Serve(t.Context(), theirs)
	}()
	x := &exchange{call: want, conn: ours, client: rpc.NewClient(ours), build: testBuild, timeout: time.Minute}
	if _, err := x.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-over; err != nil {
		t.Error(err)
	}
	if diff := toolcalltest.Diff(want, engine.Last(t)); diff != "" {
		t.Error(diff)
	}
}
