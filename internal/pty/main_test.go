package pty

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"pi/internal/ps"
)

// TestMain lets the test binary serve as the guardian that ps starts of it.
func TestMain(m *testing.M) {
	if handled, code := ps.RunHidden(os.Args[1:]); handled {
		os.Exit(code)
	}
	// A guardian that was sent away may still be on its way out, and is waited for meanwhile.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("pi/internal/ps.(*host).mind"))
}
