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
	goleak.VerifyTestMain(m)
}
