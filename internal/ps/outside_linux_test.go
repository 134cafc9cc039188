package ps

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestOutside: a child of this process's own is no member of the only tree there is, and is reaped when it ends.
func TestOutside(t *testing.T) {
	tree := start(t, "sleep 1000")
	pid := 0
	err := Outside(func() (*os.Process, error) {
		p, err := os.StartProcess("/bin/sleep", []string{"sleep", "1000"}, &os.ProcAttr{Sys: &syscall.SysProcAttr{Setsid: true}})
		if err == nil {
			pid = p.Pid
		}
		return p, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if list := tree.Background(); len(list) != 0 {
		t.Errorf("in the tree: %+v", list)
	}
	tree.End(time.Second, nil)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Errorf("it was ended with the tree: %v", err)
	}
	eventually(t, "reaped", func() bool { return syscall.Kill(pid, 0) != nil })
	err = Outside(func() (*os.Process, error) { return os.StartProcess("/nope", nil, &os.ProcAttr{}) })
	if err == nil || !strings.Contains(err.Error(), "/nope") {
		t.Errorf("a program that is not there: %v", err)
	}
}
