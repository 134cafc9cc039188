package sessiond

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pi/internal/config"
	"pi/internal/run"
	"pi/internal/self"
	"pi/internal/toolcall"
)

// patience bounds every wait of these tests.
const patience = 30 * time.Second

// home is a test's own directory of sessions.
type home struct {
	t *testing.T
	*Client
	runtime, artifacts string
}

func newHome(t *testing.T) *home {
	t.Helper()
	h := &home{t: t, runtime: t.TempDir(), artifacts: filepath.Join(t.TempDir(), "artifacts")}
	t.Setenv("XDG_RUNTIME_DIR", h.runtime)
	t.Setenv("ARTIFACTS", h.artifacts)
	h.reopen()
	t.Cleanup(func() {
		if _, err := h.StopAll(); err != nil {
			t.Error(err)
		}
		eventually(t, "all daemons are gone", func() bool { return !h.any() })
	})
	return h
}

func (h *home) reopen() {
	h.t.Helper()
	var err error
	if h.Client, err = NewClient(os.Environ(), testBuild); err != nil {
		h.t.Fatal(err)
	}
}

// call is a call with the configuration of its caller.
type call struct {
	toolcall.Call
	Config config.Config
}

// call returns a call for session x.
func (h *home) call(command string) call {
	return call{testCall("x", command), testConfig(h.artifacts)}
}

// Run runs a call.
func (h *home) Run(ctx context.Context, c call) run.Result {
	return h.Client.Run(ctx, c.Config, c.Call)
}

// run runs a command in session x, which must end with status 0.
func (h *home) run(command string) run.Result {
	h.t.Helper()
	r := h.Run(context.Background(), h.call(command))
	if r.Details.Status != run.OK {
		h.t.Fatalf("%s: %+v", command, r)
	}
	return r
}

// any reports whether a daemon of this home is alive, with or without a socket. Zombies do not count.
func (h *home) any() bool {
	for _, pid := range withArgument(self.SessionHost) {
		env, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
		if strings.Contains(string(env), h.runtime) {
			return true
		}
	}
	return false
}

// daemonPID returns the process of the daemon of session x; 0 when there is none.
func (h *home) daemonPID() int {
	p, err := h.openDir(false)
	if err != nil {
		return 0
	}
	defer p.close()
	conn, _, err := p.dial("x")
	if err != nil {
		return 0
	}
	defer conn.Close()
	_, pid, _ := credentials(conn)
	return pid
}

// files lists the directory of the sockets.
func (h *home) files() (names []string) {
	entries, err := os.ReadDir(h.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		h.t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in time: %s", what)
		}
	}
}

// withArgument lists the processes that have an argument. Zombies have none.
func withArgument(arg string) (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		line, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if slices.Contains(strings.Split(string(line), "\x00"), arg) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// alive reports whether a process runs: a zombie has no command line.
func alive(pid int) bool {
	line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	return err == nil && len(line) > 0
}

// uniqueSleep returns an argument of sleep(1) that no other process has.
func uniqueSleep() string { return fmt.Sprintf("%d.%09d", 1000+rand.IntN(9000), rand.IntN(1e9)) }

func text(r run.Result) string { return r.Content[0].Text }
