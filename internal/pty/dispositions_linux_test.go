package pty

import (
	"strings"
	"syscall"
	"testing"
)

// TestDispositions: the command gets default dispositions, whatever this process ignores.
func TestDispositions(t *testing.T) {
	out, _ := run(t, `grep -E '^Sig(Ign|Blk)' /proc/self/status`)
	for line := range strings.Lines(out) {
		if name, mask, _ := strings.Cut(strings.TrimSpace(line), "\t"); strings.Trim(mask, "0") != "" {
			t.Errorf("%s is %s", name, mask)
		}
	}
	if _, end := run(t, `kill -INT $$`); end.Signal != syscall.SIGINT {
		t.Errorf("%+v", end)
	}
}
