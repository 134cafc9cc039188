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

// exitLeft is the exit status if a process survives, or there was none to kill.
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
		Short: "Kill a process and all its descendants, or list them",
		Long: `Kill a process and all its descendants. Send the signal to parents first; after the grace period, send SIGKILL,
deepest first, until no process is left. Processes are stopped while pi searches the tree, so that none can fork
unnoticed, and continued when they get the signal. With --signal KILL there is no grace period.

A PID that is reused meanwhile is never hit. pi refuses to kill itself, its ancestors and PID 1.

Exit status: 0 no process left; 1 a process survived, or no such process; 125 usage.`,
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
	f.StringVarP(&sig, "signal", "s", "TERM", "send `SIGNAL` first, by name or number")
	f.StringVar(&grace, "grace", "2s", "wait `TIME` before SIGKILL, in seconds or as a duration; 0 for none")
	f.BoolVarP(&o.list, "list", "l", false, "only list the tree: PID, parent PID and command of each process")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return c
}

func parsePID(args []string) (int, error) {
	if len(args) != 1 {
		return 0, &ExitError{Code: exitFailure, Err: fmt.Errorf("killtree takes one PID, got %d arguments", len(args)), Hint: "pi killtree 4711"}
	}
	pid, err := strconv.Atoi(args[0])
	if err != nil || pid < 0 {
		return 0, failf("killtree: %q is not a PID", args[0])
	}
	return pid, nil
}

// maxGrace keeps a mistyped grace period from looking like a hang.
const maxGrace = time.Hour

func parseGrace(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if n, nerr := strconv.ParseFloat(s, 64); nerr == nil && n >= 0 {
		d, err = time.Duration(min(n, maxGrace.Seconds()+1)*float64(time.Second)), nil
	}
	if err != nil || d < 0 || d > maxGrace {
		return 0, fmt.Errorf("%q is not a time from 0 to 1h, such as 2s, 0.5 or 500ms", s)
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
	rep, err := ps.TerminateTree(pid, o.signal, o.grace, ctx.Done()) // an interrupt ends the grace period; the tree is killed all the same
	if err != nil {
		return err
	}
	ended := max(0, rep.Signalled-rep.Survivors)
	if o.json {
		err = printJSON(env, map[string]int{"pid": pid, "ended": ended, "survivors": rep.Survivors})
	} else {
		_, err = fmt.Fprintf(env.Stdout, "killed %s\n", count(ended))
	}
	if rep.Survivors > 0 {
		return &ExitError{Code: exitLeft, Err: fmt.Errorf("%s could not be killed", count(rep.Survivors)),
			Hint: "they belong to another user, or are blocked in the kernel"}
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

// oneLine returns a command line without control characters and of bounded length, to be printed on a terminal.
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
