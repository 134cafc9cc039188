package session

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// Sequence numbers with a special meaning.
const (
	unread = 0  // the request could not be read, so nothing was run
	noDir  = -1 // its directory could not be entered, so nothing was run
	wiped  = -2 // the command removed the driver's variables
)

// A report is what the driver sends after a run.
type report struct {
	traps   string // for DEBUG, RETURN and ERR, as commands of that shell
	seq     int    // of the request
	status  int
	flags   string // the shell's $-
	pwd     string // the shell's $PWD
	exports string // the exported variables, as commands of that shell; empty: not asked for
}

func (r report) has(flag rune) bool { return strings.ContainsRune(r.flags, flag) }

// exported reports whether a variable was exported.
func (r report) exported(name string) bool {
	for n := range declarations(r.exports) {
		if n == name {
			return true
		}
	}
	return false
}

// parseReport cuts the first complete report off data; ok is false if there is none.
func parseReport(data []byte) (r report, rest []byte, ok bool, err error) {
	traps, rest, ok0 := bytes.Cut(data, []byte{0})
	head, rest, ok1 := bytes.Cut(rest, []byte{0})
	pwd, rest, ok2 := bytes.Cut(rest, []byte{0})
	exports, rest, ok3 := bytes.Cut(rest, []byte{0})
	if !ok0 || !ok1 || !ok2 || !ok3 {
		return report{}, data, false, nil
	}
	f := strings.SplitN(string(head), " ", 3)
	if len(f) != 3 {
		return report{}, rest, false, errors.New("unreadable report")
	}
	r = report{traps: trapsIn(string(traps)), flags: f[2], pwd: string(pwd), exports: string(exports)}
	if r.seq, err = strconv.Atoi(f[0]); err != nil {
		r.seq = wiped
	}
	if r.status, err = strconv.Atoi(f[1]); err != nil {
		return report{}, rest, false, errors.New("unreadable report")
	}
	return r, rest, true, nil
}

// trapsIn extracts what `trap -p` printed from what a trap for DEBUG, or a user's function, printed around it.
func trapsIn(text string) string {
	from := strings.Index("\n"+text, "\ntrap -- '")
	to := -1
	for _, end := range []string{"' DEBUG\n", "' RETURN\n", "' ERR\n"} {
		if i := strings.LastIndex(text, end); i >= 0 {
			to = max(to, i+len(end))
		}
	}
	if from < 0 || to < from {
		return ""
	}
	return text[from:to]
}
