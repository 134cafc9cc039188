package ps

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestHelper: a helper of this process is no member of the only tree there is, and is reaped when it ends.
func TestHelper(t *testing.T) {
	tree := start(t, "sleep 1000")
	pid, err := registry.startHelper("/bin/sleep", []string{"sleep", "1000"}, &os.ProcAttr{Sys: detached()})
	if err != nil {
		t.Fatal(err)
	}
	if list := tree.Background(); len(list) != 0 {
		t.Errorf("in the tree: %+v", list)
	}
	tree.End(time.Second, nil)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Errorf("it was killed with the tree: %v", err)
	}
	eventually(t, "reaped", func() bool { return syscall.Kill(pid, 0) != nil })
	if _, err = registry.startHelper("/nope", nil, &os.ProcAttr{}); err == nil || !strings.Contains(err.Error(), "/nope") {
		t.Errorf("a program that does not exist: %v", err)
	}
}
