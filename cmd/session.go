package cmd

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"pi/internal/run"
	"pi/internal/sessiond"
	"pi/internal/toolcall"
)

// sessionClient returns the client of the sessions that outlive a call.
func sessionClient(env *Env) (*sessiond.Client, error) {
	return sessiond.NewClient(env.Environ, newBuildInfo().String())
}

func newSessionCmd(env *Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "session",
		Short: "List and stop the shells of pi run --session",
		Long: `A session is a shell that keeps running between calls of pi run --session NAME. It ends after 30 minutes without a
command, or with pi session stop, together with everything started in it.

Exit status: 0 done, 1 no such session, 125 usage or pi's own failure.`,
		Example: "  pi run --session web -- 'cd src; npm start &'\n  pi session ls\n  pi session stop web",
		Args:    cobra.ArbitraryArgs,
		RunE:    needSubcommand,
	}
	c.AddCommand(newSessionLsCmd(env), newSessionStopCmd(env))
	return c
}

func newSessionLsCmd(env *Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "ls",
		Short: "List the sessions",
		Long: "For each session: its name, shell, working directory, whether a command is running or how long the session has\n" +
			"been idle, and the background jobs its commands left.",
		Example: "  pi session ls\n  pi session ls --json | jq -r '.[] | select(.busy) | .name'",
		Args:    atMost(0),
		RunE: func(*cobra.Command, []string) error {
			client, err := sessionClient(env)
			if err != nil {
				return err
			}
			list, err := client.List()
			if asJSON {
				if list == nil {
					list = []run.SessionInfo{}
				}
				if perr := printJSON(env, list); perr != nil {
					return perr
				}
				return err
			}
			if perr := printSessions(env, list); perr != nil {
				return perr
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return c
}

func printSessions(env *Env, list []run.SessionInfo) error {
	if len(list) == 0 {
		env.notef("no sessions")
		return nil
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tSHELL\tSTATE\tDIRECTORY\tJOBS")
	for _, s := range list {
		state := "busy"
		if !s.Busy {
			state = "idle " + (time.Duration(s.IdleSeconds) * time.Second).String()
		}
		var jobs []string
		for _, j := range s.BackgroundJobs {
			jobs = append(jobs, fmt.Sprintf("%d %s", j.PID, oneLine(j.Command)))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", s.Name, oneLine(s.Shell), state, oneLine(s.Cwd), strings.Join(jobs, ", "))
	}
	return w.Flush()
}

func newSessionStopCmd(env *Env) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:     "stop NAME… | --all",
		Short:   "End sessions with everything they started",
		Example: "  pi session stop web\n  pi session stop --all",
		RunE: func(_ *cobra.Command, args []string) error {
			if all == (len(args) > 0) {
				return failf("session stop needs names or --all")
			}
			for _, name := range args {
				if err := toolcall.CheckSessionName(name); err != nil {
					return err
				}
			}
			client, err := sessionClient(env)
			if err != nil {
				return err
			}
			if all {
				return stopAll(env, client)
			}
			return stopSessions(env, client, args)
		},
	}
	c.Flags().BoolVar(&all, "all", false, "end every session")
	return c
}

func stopAll(env *Env, client *sessiond.Client) error {
	names, err := client.StopAll()
	for _, n := range names {
		if _, perr := fmt.Fprintf(env.Stdout, "stopped %s\n", n); perr != nil {
			return perr
		}
	}
	return err
}

// stopSessions stops each session, and reports those it could not stop.
func stopSessions(env *Env, client *sessiond.Client, names []string) error {
	code := 0
	for _, n := range names {
		was, err := client.Stop(n)
		if err == nil && !was {
			err = &ExitError{Code: 1, Err: fmt.Errorf("no session %s", n), Hint: "`pi session ls` lists the sessions"}
		}
		if err != nil {
			code = max(code, env.report(err))
			continue
		}
		if _, err := fmt.Fprintf(env.Stdout, "stopped %s\n", n); err != nil {
			return err
		}
	}
	if code != 0 {
		return &ExitError{Code: code}
	}
	return nil
}
