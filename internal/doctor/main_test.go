package doctor

import (
	"testing"

	"pi/internal/ps"
	"pi/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m, ps.RunHidden) }
