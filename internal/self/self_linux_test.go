package self

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMain makes the test binary answer under its first hidden verb: it prints its process name.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == Drain {
		SetProcessName("pi")
		name, _ := os.ReadFile("/proc/self/comm")
		_, _ = os.Stdout.Write(name)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestPath: the path starts the test binary, under the name that it takes.
func TestPath(t *testing.T) {
	path, err := Path()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(path, Drain).Output()
	if err != nil || strings.TrimSpace(string(out)) != "pi" {
		t.Errorf("%q, %v", out, err)
	}
}
