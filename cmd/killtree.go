package cmd

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"pi/internal/ps"
	"pi/internal/vt"
)

// exitLeft is killtree's status when there is something left, or was nothing to end.
const exitLeft = 1

type killtreeOptions struct {
	signal syscall.Signal
	grace  time.Duration
	list   bool
	json   bool
}

func newKilltreeCmd(env *Env) *cobra.Command {
	var o killtreeOptions
	var sig, grace string
	c := &cobra.Command{
		Use:   "killtree PID",
		Short: "End a process and everything below it, or list them",
		Long: `End a process with all its descendants: the signal goes to parents first, and after the grace SIGKILL, deepest first,
to those that are left, until none is. While pi looks for the members of the tree they are stopped, so that none is
born unseen; then they get the signal and go on. With --signal KILL there is no grace. Every process is identified by
more than its number, so that a number given out anew meanwhile is never hit; pi itself, its ancestors and pid 1 are
refused.

Exit status: 0 when nothing is left, 1 when something is or there is no such process, 125 when the call is wrong.`,
		Example: "  pi killtree 4711\n  pi killtree 4711 --signal INT --grace 10s\n  pi killtree 4711 --list",
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) (err error) {
			if o.signal, err = ps.ParseSignal(sig); err != nil {
				return failf("--signal: %w", err)
			}
			if o.grace, err = parseGrace(grace); err != nil {
				return failf("--grace: %w", err)
			}
			pid, err := parsePID(args)
			if err != nil {
				return err
			}
			return killtreeError(killtree(env, pid, o))
		},
	}
	f := c.Flags()
	f.StringVarP(&sig, "signal", "s", "TERM", "first `SIGNAL`, by name or number")
	f.StringVar(&grace, "grace", "2s", "`TIME` between that and SIGKILL, in seconds or as a duration; 0 for none")
	f.BoolVarP(&o.list, "list", "l", false, "only list the tree: pid, parent and command of each process")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return c
}

func parsePID(args []string) (int, error) {
	if len(args) != 1 {
		return 0, &ExitError{Code: exitFailure, Err: fmt.Errorf("killtree wants one PID, not %d arguments", len(args)), Hint: "pi killtree 4711"}
	}
	pid, err := strconv.Atoi(args[0])
	if err != nil || pid < 0 {
		return 0, failf("killtree: %q is no process id", args[0])
	}
	return pid, nil
}

// maxGrace keeps a mistyped grace from looking like a hang.
const maxGrace = time.Hour

func parseGrace(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if n, nerr := strconv.ParseFloat(s, 64); nerr == nil && n >= 0 {
		d, err = time.Duration(min(n, maxGrace.Seconds()+1)*float64(time.Second)), nil
	}
	if err != nil || d < 0 || d > maxGrace {
		return 0, fmt.Errorf("%q is no time between 0 and 1h, such as 2s, 0.5 or 500ms", s)
	}
	return d, nil
}

func killtreeError(err error) error {
	switch {
	case errors.Is(err, ps.ErrNoProcess):
		return &ExitError{Code: exitLeft, Err: err}
	case errors.Is(err, ps.ErrProtected):
		return &ExitError{Code: exitFailure, Err: err}
	}
	return err
}

func killtree(env *Env, pid int, o killtreeOptions) error {
	if o.list {
		return listTree(env, pid, o.json)
	}
	ctx, _, stop := interrupts()
	defer stop()
	rep, err := ps.EndTree(pid, o.signal, o.grace, ctx.Done()) // an interrupt shortens the grace; half a tree is no way to leave
	if err != nil {
		return err
	}
	ended := max(0, rep.Signalled-rep.Survivors)
	if o.json {
		err = printJSON(env, map[string]int{"pid": pid, "ended": ended, "survivors": rep.Survivors})
	} else {
		_, err = fmt.Fprintf(env.Stdout, "ended %s\n", count(ended))
	}
	if rep.Survivors > 0 {
		return &ExitError{Code: exitLeft, Err: fmt.Errorf("%s could not be ended", count(rep.Survivors)),
			Hint: "they belong to another user, or the kernel holds them"}
	}
	return err
}

func count(n int) string {
	if n == 1 {
		return "1 process"
	}
	return strconv.Itoa(n) + " processes"
}

type listedProcess struct {
	PID     int    `json:"pid"`
	PPID    int    `json:"ppid"`
	Depth   int    `json:"depth"`
	Command string `json:"command"`
}

func listTree(env *Env, pid int, asJSON bool) error {
	tree, err := ps.ListTree(pid)
	if err != nil {
		return err
	}
	if asJSON {
		list := make([]listedProcess, len(tree))
		for i, p := range tree {
			list[i] = listedProcess(p)
		}
		return printJSON(env, list)
	}
	for _, p := range tree {
		if _, err := fmt.Fprintf(env.Stdout, "%7d %7d  %s%s\n", p.PID, p.PPID, strings.Repeat("  ", p.Depth), oneLine(p.Command)); err != nil {
			return err
		}
	}
	return nil
}

// maxListed bounds a command line in a listing, in bytes.
const maxListed = 500

// oneLine makes a foreign command line fit for a terminal: no control characters, and not without end.
func oneLine(s string) string {
	if len(s) > maxListed {
		cut := maxListed
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return vt.ReplaceControls(s)
}
