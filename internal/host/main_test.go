package host

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"pi/internal/config"
	"pi/internal/ps"
	"pi/internal/run"
	"pi/internal/shell"
	"pi/internal/sink"
)

// clientArg makes the test binary a client that runs one command: name, command.
const clientArg = "__testclient"

const testBuild = "test"

func TestMain(m *testing.M) {
	args := os.Args[1:]
	if len(args) > 0 {
		switch args[0] {
		case Arg:
			if Serve(os.Stdin, testBuild) != nil {
				os.Exit(125)
			}
			os.Exit(0)
		case run.DrainArg:
			_ = run.Drain(os.Stdin)
			os.Exit(0)
		case clientArg:
			os.Exit(client(args[1], args[2]))
		}
	}
	if done, code := shell.RunHidden(args); done {
		os.Exit(code)
	}
	if done, code := ps.RunHidden(args); done {
		os.Exit(code)
	}
	// A guardian that was sent away may still be on its way out, and is waited for meanwhile.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("pi/internal/ps.(*host).mind"))
}

func client(name, command string) int {
	h, err := Open(os.Environ(), testBuild)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 125
	}
	r := h.Run(context.Background(), Call{Name: name, Config: testConfig(os.Getenv("ARTIFACTS")), Dir: "/", Request: run.Request{Command: command}})
	fmt.Print(r.Content[0].Text)
	return r.ExitStatus()
}

func testConfig(artifacts string) config.Config {
	cfg := config.Defaults()
	cfg.Shell.Path, cfg.Shell.Snapshot = "/bin/bash", "off"
	cfg.Artifacts.Dir = artifacts
	cfg.Bash.Timeout = time.Minute
	return cfg
}

type sinkSnapshot = sink.Snapshot
