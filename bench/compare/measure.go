//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// side is one of the two commands of a row.
type side struct {
	argv []string
	env  []string // added to the environment
	code int      // expected exit status
}

// once runs a side and returns its wall time and the peak memory, in KiB, of the process itself and what it waited for.
func (s side) once() (time.Duration, int64, error) {
	cmd := exec.Command(s.argv[0], s.argv[1:]...)
	cmd.Env = append(os.Environ(), s.env...)
	began := time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != s.code {
		return 0, 0, fmt.Errorf("%s: %v", strings.Join(s.argv, " "), err)
	}
	return wall, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss, nil
}

// versus runs both sides in turn and returns the median wall time of each in milliseconds.
func versus(a, b side, warmup, runs int) (ma, mb float64, err error) {
	var ta, tb []float64
	for i := range warmup + runs {
		for _, x := range []struct {
			s  side
			to *[]float64
		}{{a, &ta}, {b, &tb}} {
			d, _, err := x.s.once()
			if err != nil {
				return 0, 0, err
			}
			if i >= warmup {
				*x.to = append(*x.to, float64(d.Microseconds())/1000)
			}
		}
	}
	return median(ta), median(tb), nil
}

func median(x []float64) float64 {
	slices.Sort(x)
	n := len(x)
	if n%2 == 1 {
		return x[n/2]
	}
	return (x[n/2-1] + x[n/2]) / 2
}
