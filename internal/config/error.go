package config

import (
	"errors"
	"strconv"
	"strings"
)

// Error is one problem in the configuration.
type Error struct {
	File    string // the file with the problem; empty: not in a file
	Line    int    // 1-based line in File; 0: unknown
	Source  string // the variable or flag with the problem: "PI_BASH_TIMEOUT", "--color"; empty: in a file
	Key     string // full name of the setting, as written; empty: the file as a whole
	Reason  string // what is wrong, and what was expected
	Nearest string // the valid name nearest to an unknown Key; empty: the key is known
}

// Error returns the problem in one line.
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
	if e.Key != "" && e.Nearest == "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Reason)
	if e.Nearest != "" {
		b.WriteString("; did you mean " + strconv.Quote(e.Nearest) + "?")
	}
	return b.String()
}

// Problems returns the problems that err wraps or joins, in the order found; nil if there are none.
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

// join joins the problems; the result is nil if there are none.
func join(problems []*Error) error {
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = p
	}
	return errors.Join(errs...)
}
