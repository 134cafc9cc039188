package config

import (
	"errors"
	"strconv"
	"strings"
)

// Error is one problem of the configuration.
type Error struct {
	File   string // the file at fault; empty: not in a file
	Line   int    // 1-based line in File; 0: unknown
	Source string // the variable or flag at fault when it is not a file: "PI_BASH_TIMEOUT", "--color"
	Key    string // full name of the setting, as written; empty: the file as a whole
	Reason string // what is wrong, and what was expected
	Near   string // nearest valid name of an unknown key; empty: the key is known
}

// Error is the problem in one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		b.WriteString(":" + strconv.Itoa(e.Line))
	}
	b.WriteString(e.Source)
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	if e.Key != "" && e.Near == "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Reason)
	if e.Near != "" {
		b.WriteString(", the nearest valid name is " + strconv.Quote(e.Near))
	}
	return b.String()
}

// Problems is every single problem inside err, in the order found; nil when err holds none.
func Problems(err error) []*Error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []*Error
		for _, e := range joined.Unwrap() {
			all = append(all, Problems(e)...)
		}
		return all
	}
	var one *Error
	if errors.As(err, &one) {
		return []*Error{one}
	}
	return nil
}

// join is errors.Join of typed problems: nil when there are none.
func join(problems []*Error) error {
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = p
	}
	return errors.Join(errs...)
}
