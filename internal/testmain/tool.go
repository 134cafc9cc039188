package testmain

import (
	"os"
	"os/exec"
	"testing"
)

// Tool returns the path of a program that a test drives. Without it the test is skipped, or fails where all tools are asked for.
func Tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, "%v", err)
	}
	return path
}

// Missing ends a test that lacks something of the machine's: with PI_REQUIRE_TOOLS set that is a failure.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("PI_REQUIRE_TOOLS") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
