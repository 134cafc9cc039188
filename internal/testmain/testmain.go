// Package testmain is the frame around the tests of packages that start processes.
package testmain

import (
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is how long goroutines may take to end after the last test: a guardian that was sent away is waited for until
// it has gone, which takes a loaded machine a while.
const patience = 30 * time.Second

// Run runs the tests of a package, and fails if a goroutine is left. hidden are what the test binary is started again
// as, such as a guardian: the first that handles the arguments returns the exit status.
func Run(m *testing.M, hidden ...func(args []string) (handled bool, code int)) {
	for _, h := range hidden {
		if handled, code := h(os.Args[1:]); handled {
			os.Exit(code)
		}
	}
	goleak.VerifyTestMain(settled{m})
}

// settled are tests whose goroutines have had time to end.
type settled struct{ *testing.M }

func (s settled) Run() int {
	code := s.M.Run()
	for end := time.Now().Add(patience); goleak.Find() != nil && time.Now().Before(end); {
		// Find takes its time when it finds something.
	}
	return code
}
