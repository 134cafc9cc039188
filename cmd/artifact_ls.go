package cmd

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"pi/internal/artifact"
	"pi/internal/config"
	"pi/internal/vt"
)

func newArtifactLsCmd(env *Env) *cobra.Command {
	var asJSON bool
	var limit int
	c := &cobra.Command{
		Use:   "ls",
		Short: "List artifacts, newest first",
		Long: "STATUS is how the command ended (ok, failed, timeout, cancelled …), running while the artifact is being written,\n" +
			"or lost if its writer was killed; a lost artifact can still be read.",
		Example: "  pi artifact ls\n  pi artifact ls -n 0 --json",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 0 {
				return failf("--limit must not be negative")
			}
			store, err := loadStore(c, env)
			if err != nil {
				return err
			}
			list, all, err := store.List(limit)
			if err != nil {
				return err
			}
			if err := printArtifacts(env, list, asJSON); err != nil {
				return err
			}
			if more := all - len(list); more > 0 {
				env.notef("%d older artifacts are not shown (-n 0 shows all)", more)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	c.Flags().IntVarP(&limit, "limit", "n", 30, "list the `N` newest artifacts; 0 lists all")
	return c
}

func printArtifacts(env *Env, list []artifact.Meta, asJSON bool) error {
	if asJSON {
		if list == nil {
			list = []artifact.Meta{}
		}
		return printJSON(env, list)
	}
	if len(list) == 0 {
		env.notef("no artifacts")
		return nil
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tAGE\tSIZE\tSTATUS\tEXIT\tCOMMAND")
	now := time.Now()
	for _, m := range list {
		status, exit := m.Status, "-"
		if m.Writing {
			status = artifact.StatusRunning
		}
		if m.ExitCode != nil {
			exit = strconv.Itoa(*m.ExitCode)
		} else if m.Signal != "" {
			exit = m.Signal
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", m.ID, age(now.Sub(m.StartedAt)), humanSize(m.StoredBytes),
			vt.ReplaceControls(status), vt.ReplaceControls(exit), vt.ReplaceControls(firstLine(m.Command)))
	}
	return w.Flush()
}

// age formats a duration in its largest unit.
func age(d time.Duration) string {
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}} {
		if d >= u.of {
			return strconv.Itoa(int(d/u.of)) + u.name
		}
	}
	return strconv.Itoa(max(int(d/time.Second), 0)) + "s"
}

// firstLine returns the first line of a command, cut to the width of a table column.
func firstLine(s string) string {
	const width = 72
	line, rest, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if r := []rune(line); len(r) > width {
		return string(r[:width-1]) + "…"
	}
	if rest != "" {
		line += " …"
	}
	return line
}

func newArtifactPruneCmd(env *Env) *cobra.Command {
	p := artifact.Policy{}
	var older, total string
	c := &cobra.Command{
		Use:   "prune",
		Short: "Remove old artifacts",
		Long: "Remove the artifacts that exceed any of the limits, oldest first, and the temporary files of killed writers.\n" +
			"Without limits, artifacts.maxTotalBytes applies. Artifacts that are being written are kept.\n" +
			"Sizes are bytes on disk, such as 500MB or 1GiB; ages are such as 90m, 12h, 7d or 2w.",
		Example: "  pi artifact prune --older-than 7d\n  pi artifact prune --keep 20 --max-total 1GiB --dry-run",
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			policy, err := prunePolicy(c, p, older, total)
			if err != nil {
				return err
			}
			store, err := loadStore(c, env)
			if err != nil {
				return err
			}
			if !c.Flags().Changed("keep") && older == "" && total == "" {
				policy.MaxTotal = store.MaxTotalBytes()
			}
			return prune(env, store, policy)
		},
	}
	f := c.Flags()
	f.IntVar(&p.Keep, "keep", -1, "keep the `N` newest")
	f.StringVar(&older, "older-than", "", "remove artifacts last written longer than `AGE` ago")
	f.StringVar(&total, "max-total", "", "remove the oldest until at most `SIZE` remains")
	f.BoolVar(&p.DryRun, "dry-run", false, "only print what would be removed")
	f.Lookup("keep").DefValue = ""
	return c
}

func prunePolicy(c *cobra.Command, p artifact.Policy, older, total string) (artifact.Policy, error) {
	if c.Flags().Changed("keep") && p.Keep < 0 {
		return p, failf("--keep must not be negative")
	}
	var err error
	if c.Flags().Changed("older-than") {
		if p.OlderThan, err = parseAge(older); err != nil {
			return p, failf("--older-than %q %w", older, err)
		}
	}
	p.MaxTotal = -1
	if c.Flags().Changed("max-total") {
		if p.MaxTotal, err = config.ParseSize(total); err != nil {
			return p, failf("--max-total %q %w (such as 500MB or 1GiB)", total, err)
		}
	}
	return p, nil
}

// parseAge parses a Go duration, or days and weeks: 90m, 12h, 7d, 2w.
func parseAge(s string) (time.Duration, error) {
	for suffix, unit := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		if digits, ok := strings.CutSuffix(s, suffix); ok {
			n, err := strconv.ParseUint(digits, 10, 16)
			if err != nil || n == 0 {
				return 0, fmt.Errorf("is not an age (such as 90m, 12h, 7d or 2w)")
			}
			return time.Duration(n) * unit, nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("is not an age (such as 90m, 12h, 7d or 2w)")
	}
	return d, nil
}

func prune(env *Env, store *artifact.Store, p artifact.Policy) error {
	done, err := store.Prune(p)
	verb := "removed"
	if p.DryRun {
		verb = "would remove"
	}
	if e := printPruned(env, verb, done); err == nil {
		err = e
	}
	if done.Busy > 0 {
		env.notef("kept %d that are being written; name one to remove it anyway", done.Busy)
	}
	return err
}
