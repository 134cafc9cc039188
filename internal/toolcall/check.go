package toolcall

import (
	"errors"
	"fmt"
	"strings"

	"pi/internal/run"
)

// Check reports the first thing about the call that no engine could use.
func (c Call) Check() error {
	if c.Session != "" {
		if err := CheckSessionName(c.Session); err != nil {
			return err
		}
	}
	q := c.Request
	if q.Head < 0 || q.Tail < 0 || q.MaxBytes < 0 {
		return errors.New("head, tail and maxBytes cannot be negative")
	}
	for _, kv := range q.Env {
		if err := run.CheckVariable(kv); err != nil {
			return err
		}
	}
	return nil
}

// maxSessionName bounds a session's name, in bytes, so that its socket has a name the system accepts.
const maxSessionName = 64

// CheckSessionName returns an error if name is not a session name. The rule is the same on every surface, so that a
// name works in a command line, in a file name and in a message.
func CheckSessionName(name string) error {
	ok := name != "" && len(name) <= maxSessionName && name[0] != '.'
	for i := 0; i < len(name) && ok; i++ {
		c := name[i]
		ok = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("._-", c) >= 0
	}
	if !ok {
		return fmt.Errorf("session %q: a name has 1 to %d letters, digits, dots, dashes and underscores, and does not start with a dot",
			run.Clip(name, maxSessionName), maxSessionName)
	}
	return nil
}
