package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"pi/internal/artifact"
)

func newArtifactCmd(env *Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "artifact",
		Short: "Read and manage saved output",
		Long: "When pi shows only part of a command's output, it saves all of it as a numbered artifact.\n" +
			"REF is that number (7), artifact://7, or last for the newest. See pi help artifacts.\n\n" +
			"Artifacts are stored in --artifacts-dir, else PI_ARTIFACTS_DIR, else artifacts.dir of the configuration, else\n" +
			"${XDG_STATE_HOME:-~/.local/state}/pi/artifacts.\n\n" +
			"Exit status: 0 success; 1 no such artifact; 125 usage, or pi failed.",
		Args: cobra.ArbitraryArgs,
		RunE: needSubcommand,
	}
	c.AddCommand(newArtifactCatCmd(env), newArtifactLsCmd(env), newArtifactPathCmd(env), newArtifactRmCmd(env), newArtifactPruneCmd(env))
	return c
}

// loadStore opens the store of the settings. It accesses no artifact.
func loadStore(c *cobra.Command, env *Env) (*artifact.Store, error) {
	loaded, err := loadConfig(c, env)
	if err != nil {
		return nil, err
	}
	return openStore(env, loaded.Config.Artifacts), nil
}

// oneRef parses the only argument of a command.
func oneRef(c *cobra.Command, args []string) (artifact.Ref, error) {
	if len(args) != 1 {
		return artifact.Ref{}, failf("artifact %s takes one artifact (7, artifact://7 or last), got %d arguments", c.Name(), len(args))
	}
	return artifact.ParseRef(args[0])
}

// missing adds exit status and hint to "no such artifact". Other errors are returned as they are.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &ExitError{Code: 1, Err: err, Hint: "`pi artifact ls` lists the artifacts"}
	}
	return err
}

func newArtifactPathCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:     "path REF",
		Short:   "Print the path of an artifact's file",
		Example: "  less \"$(pi artifact path last)\"",
		RunE: func(c *cobra.Command, args []string) error {
			ref, err := oneRef(c, args)
			if err != nil {
				return err
			}
			store, err := loadStore(c, env)
			if err != nil {
				return err
			}
			path, err := store.Path(ref)
			if err != nil {
				return missing(err)
			}
			_, err = fmt.Fprintln(env.Stdout, path)
			return err
		},
	}
}

func newArtifactRmCmd(env *Env) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "rm REF… | --all",
		Short: "Remove artifacts",
		Long: "A named artifact is removed even while it is being written; the background job's reader then exits.\n" +
			"--all keeps those that are being written.",
		Example: "  pi artifact rm 7 8\n  pi artifact rm last\n  pi artifact rm --all",
		RunE: func(c *cobra.Command, args []string) error {
			if all == (len(args) > 0) {
				return failf("artifact rm takes artifacts (7, artifact://7 or last) or --all")
			}
			refs, err := parseRefs(args)
			if err != nil {
				return err
			}
			store, err := loadStore(c, env)
			if err != nil {
				return err
			}
			if all {
				return prune(env, store, artifact.Policy{Keep: 0, MaxTotal: -1})
			}
			return removeAll(env, store, refs)
		},
	}
	c.Flags().BoolVar(&all, "all", false, "remove every artifact")
	return c
}

func parseRefs(args []string) (refs []artifact.Ref, err error) {
	for _, arg := range args {
		ref, err := artifact.ParseRef(arg)
		if err != nil {
			return nil, err
		}
		refs = append(refs, ref)
	}
	return refs, nil
}

// removeAll removes the artifacts, and reports each that cannot be removed.
func removeAll(env *Env, store *artifact.Store, refs []artifact.Ref) error {
	var done artifact.Pruned
	code := 0
	for _, ref := range refs {
		one, err := store.Remove(ref)
		if err != nil {
			code = max(code, env.report(missing(err)))
			continue
		}
		done.IDs = append(done.IDs, one.IDs...)
		done.Bytes += one.Bytes
	}
	if len(done.IDs) > 0 {
		if err := printPruned(env, "removed", done); err != nil {
			return err
		}
	}
	if code != 0 {
		return &ExitError{Code: code}
	}
	return nil
}

// printPruned prints one line about the removed artifacts.
func printPruned(env *Env, verb string, p artifact.Pruned) error {
	if len(p.IDs) == 0 {
		_, err := fmt.Fprintln(env.Stdout, "nothing to remove")
		return err
	}
	plural := "s"
	if len(p.IDs) == 1 {
		plural = ""
	}
	_, err := fmt.Fprintf(env.Stdout, "%s %d artifact%s (%s), %d bytes on disk (%s)\n",
		verb, len(p.IDs), plural, idRanges(p.IDs), p.Bytes, humanSize(p.Bytes))
	return err
}

// idRanges formats ids as 1-3, 7, so that a thousand of them stay readable.
func idRanges(ids []int64) string {
	var parts []string
	for i := 0; i < len(ids); {
		j := i
		for j+1 < len(ids) && ids[j+1] == ids[j]+1 {
			j++
		}
		switch {
		case i == j:
			parts = append(parts, fmt.Sprint(ids[i]))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", ids[i], ids[j]))
		}
		i = j + 1
	}
	const most = 20
	if more := len(parts) - most; more > 0 {
		parts = append(parts[:most], fmt.Sprintf("and %d more ranges", more))
	}
	return strings.Join(parts, ", ")
}

// humanSize formats a size in bytes for people: 512 B, 1.5 KiB, 10 GiB.
func humanSize(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	f, units := float64(n), "KMGTPE"
	for f >= 1024 && units != "" {
		f /= 1024
		if f < 1024 || len(units) == 1 {
			break
		}
		units = units[1:]
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0") + " " + units[:1] + "iB"
}
