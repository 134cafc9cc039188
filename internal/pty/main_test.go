package pty

import (
	"testing"

	"pi/internal/ps"
	"pi/internal/testmain"
)

// TestMain lets the test binary serve as the guardian that ps starts of it.
func TestMain(m *testing.M) { testmain.Run(m, ps.RunHidden) }
