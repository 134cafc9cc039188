package shell

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"pi/internal/ps"
)

// TestMain lets the test binary serve as the guardian that ps starts of it, and as the embedded shell.
func TestMain(m *testing.M) {
	if handled, code := ps.RunHidden(os.Args[1:]); handled {
		os.Exit(code)
	}
	if handled, code := RunHidden(os.Args[1:]); handled {
		os.Exit(code)
	}
	goleak.VerifyTestMain(m)
}
