package ps

import (
	"fmt"
	"strings"
	"syscall"
)

// ParseSignal reads a signal's name, with or without SIG and in any case, or its number. The error lists the names.
func ParseSignal(s string) (syscall.Signal, error) {
	name := strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(s)), "SIG")
	if n, ok := atoi(name); ok && n >= 1 && n <= lastSignal {
		return syscall.Signal(n), nil
	}
	for n := 1; n <= lastSignal; n++ {
		if name != "" && signalName(n) == name {
			return syscall.Signal(n), nil
		}
	}
	return 0, fmt.Errorf("unknown signal %q: want a number from 1 to %d or one of %s", s, lastSignal, strings.Join(signalNames(), " "))
}

func signalNames() (names []string) {
	for n := 1; n <= lastSignal; n++ {
		if name := signalName(n); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// atoi reads a decimal number of at most nine digits without a sign.
func atoi(s string) (n int, ok bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}
