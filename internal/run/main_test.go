package run

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"pi/internal/ps"
)

func TestMain(m *testing.M) {
	if done, code := ps.RunHidden(os.Args[1:]); done {
		os.Exit(code)
	}
	// A guardian that was sent away may still be on its way out, and is waited for meanwhile.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("pi/internal/ps.(*host).mind"))
}
