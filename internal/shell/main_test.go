package shell

import (
	"testing"

	"pi/internal/ps"
	"pi/internal/shell/embedded"
	"pi/internal/testmain"
)

// TestMain lets the test binary serve as the guardian that ps starts, and as the embedded shell.
func TestMain(m *testing.M) { testmain.Run(m, ps.RunHidden, embedded.RunHidden) }
