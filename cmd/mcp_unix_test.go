//go:build unix

package cmd

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const mcpInit = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

func mcpCall(id int, command string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"bash","arguments":{"command":%q}}}`+"\n", id, command)
}

// However pi mcp ends, nothing of its commands is left, and the status says how.
func TestMCPEnds(t *testing.T) {
	for _, tt := range []struct {
		name   string
		sig    syscall.Signal // 0: standard input ends
		status int
	}{{"end of input", 0, 0}, {"SIGTERM", syscall.SIGTERM, 143}, {"SIGHUP", syscall.SIGHUP, 129}, {"SIGINT", syscall.SIGINT, 130}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := piCommand(t, "mcp")
			in, err := c.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(in, mcpInit+mcpCall(1, treeCommand)); err != nil {
				t.Fatal(err)
			}
			near, deep := filepath.Join(c.Dir, "near"), filepath.Join(c.Dir, "deep")
			within(t, "the command is up", func() bool { return filled(near) && filled(deep) })
			if tt.sig == 0 {
				in.Close()
			} else if err := c.Process.Signal(tt.sig); err != nil {
				t.Fatal(err)
			}
			lines, _ := io.ReadAll(out)
			_ = c.Wait()
			if got := c.ProcessState.ExitCode(); got != tt.status {
				t.Errorf("exit status %d, want %d", got, tt.status)
			}
			if alive(t, near) || alive(t, deep) {
				t.Error("a member of the tree is still alive")
			}
			for _, line := range strings.Split(strings.TrimSpace(string(lines)), "\n") {
				if !strings.HasPrefix(line, `{"jsonrpc":"2.0",`) {
					t.Errorf("stdout has %q", line)
				}
			}
		})
	}
}

// Commands have none of the protocol's descriptors: they cannot read requests, nor write among the replies.
func TestMCPDescriptors(t *testing.T) {
	c := piCommand(t, "mcp")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Wait() }()
	defer in.Close()
	r := bufio.NewReader(out)
	if _, err := io.WriteString(in, mcpInit+mcpCall(1, `cat; ls -l /proc/$$/fd /proc/$PPID/fd/0 2>/dev/null | grep -o "[0-9]* -> .*"`)); err != nil {
		t.Fatal(err)
	}
	var line string
	for !strings.Contains(line, `"id":1`) {
		if line, err = r.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	theirs := map[string]bool{}
	for _, fd := range []string{"0", "1"} {
		if name, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", c.Process.Pid, fd)); err == nil {
			theirs[fd] = strings.HasPrefix(name, "pipe:") && strings.Contains(line, name)
		}
	}
	if strings.Contains(line, "cat:") || theirs["0"] {
		t.Errorf("the command has a descriptor of the protocol: %s", line)
	}
}
