package sessiond

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"pi/internal/config"
	"pi/internal/ps"
	"pi/internal/run"
	"pi/internal/self"
	"pi/internal/shell/embedded"
	"pi/internal/sink"
	"pi/internal/testmain"
	"pi/internal/toolcall"
)

// clientArg makes the test binary a client that runs one command. The arguments are the session and the command.
const clientArg = "__testclient"

const testBuild = "test"

func TestMain(m *testing.M) {
	testmain.Run(m, hidden, embedded.RunHidden, ps.RunHidden)
}

// hidden runs the test binary in the roles of this package.
func hidden(args []string) (handled bool, code int) {
	if len(args) == 0 {
		return false, 0
	}
	switch args[0] {
	case self.SessionHost:
		if Serve(os.Stdin, testBuild) != nil {
			code = 125
		}
	case self.Drain:
		_ = run.Drain(os.Stdin)
	case clientArg:
		code = client(args[1], args[2])
	default:
		return false, 0
	}
	return true, code
}

func client(name, command string) int {
	h, err := NewClient(os.Environ(), testBuild)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 125
	}
	r := h.Run(context.Background(), testConfig(os.Getenv("ARTIFACTS")), testCall(name, command))
	fmt.Print(r.Content[0].Text)
	return r.ExitStatus()
}

func testCall(name, command string) toolcall.Call {
	return toolcall.Call{Session: name, Busy: run.BusyWait, SessionCwd: "/", Request: run.Request{Command: command}}
}

func testConfig(artifacts string) config.Config {
	cfg := config.Defaults()
	cfg.Shell.Path, cfg.Shell.Snapshot = "/bin/bash", "off"
	cfg.Artifacts.Dir = artifacts
	cfg.Bash.Timeout = time.Minute
	return cfg
}

type sinkSnapshot = sink.Snapshot
