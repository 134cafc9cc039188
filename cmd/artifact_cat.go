package cmd

import (
	"errors"
	"regexp"
	"syscall"

	"github.com/spf13/cobra"

	"pi/internal/artifact"
)

// catOptions are the flags of artifact cat.
type catOptions struct {
	lines, bytes, grep string
	head, tail         int64
	number             bool
	follow             bool
}

func newArtifactCatCmd(env *Env) *cobra.Command {
	var o catOptions
	c := &cobra.Command{
		Use:   "cat REF",
		Short: "Print an artifact or part of it",
		Long: "Print the whole artifact, or the part that the flags select. Ranges are A-B, A-, -B or A; they count from 1 and\n" +
			"include both ends, as in cut(1). A range past the end prints nothing.\n\n" +
			"Only one of --lines, --bytes, --head and --tail can be used. --grep prints the matching lines (RE2 syntax; (?i)\n" +
			"ignores case); combine it with --lines to search only those, or with --head to limit the number of matches.\n\n" +
			"With --follow, keep printing what is written until the command and its background jobs have exited. Of the other\n" +
			"flags, only --tail can be combined with it.\n\n" +
			"Exit status: 0 success; 1 no such artifact, or no line matched; 125 usage, or pi failed.",
		Example: "  pi artifact cat last --tail 50\n  pi artifact cat 7 --lines 1200-1260\n  pi artifact cat artifact://7 -n --grep '(?i)error'\n" +
			"  pi artifact cat 7 --bytes 1-4096 | xxd\n" +
			"  pi artifact cat last --tail 10 --follow",
		RunE: func(c *cobra.Command, args []string) error {
			ref, err := oneRef(c, args)
			if err != nil {
				return err
			}
			sel, err := o.selection(c)
			if err != nil {
				return err
			}
			store, err := loadStore(c, env)
			if err != nil {
				return err
			}
			if o.follow {
				return followArtifact(env, store, ref, sel)
			}
			return catArtifact(env, store, ref, sel)
		},
	}
	f := c.Flags()
	f.StringVar(&o.lines, "lines", "", "print lines `A-B`")
	f.StringVar(&o.bytes, "bytes", "", "print bytes `A-B`")
	f.Int64Var(&o.head, "head", 0, "print the first `N` lines")
	f.Int64Var(&o.tail, "tail", 0, "print the last `N` lines")
	f.StringVar(&o.grep, "grep", "", "print the lines that match `RE`")
	f.BoolVarP(&o.follow, "follow", "f", false, "keep printing what is written later")
	f.BoolVarP(&o.number, "line-number", "n", false, "with --grep: prefix each line with its number")
	return c
}

// selection parses the flags.
func (o *catOptions) selection(c *cobra.Command) (sel artifact.Selection, err error) {
	sel.Number = o.number
	span := func(name, text string) *artifact.Span {
		if !c.Flags().Changed(name) || err != nil {
			return nil
		}
		var s artifact.Span
		if s, err = artifact.ParseSpan(text); err != nil {
			err = failf("--%s: %w", name, err)
		}
		return &s
	}
	sel.Lines, sel.Bytes = span("lines", o.lines), span("bytes", o.bytes)
	if err != nil {
		return sel, err
	}
	if c.Flags().Changed("head") {
		sel.Head = &o.head
	}
	if c.Flags().Changed("tail") {
		sel.Tail = &o.tail
	}
	if c.Flags().Changed("grep") {
		if sel.Grep, err = regexp.Compile(o.grep); err != nil {
			return sel, failf("--grep: %w", err)
		}
	}
	if err := sel.Validate(); err != nil {
		return sel, failf("artifact cat: %w", err)
	}
	if o.follow && (sel.Lines != nil || sel.Bytes != nil || sel.Head != nil || sel.Grep != nil) {
		return sel, failf("artifact cat: --follow can only be combined with --tail")
	}
	return sel, nil
}

// followArtifact prints until the artifact is closed. An interrupt is the usual way to stop it, and no error.
func followArtifact(env *Env, store *artifact.Store, ref artifact.Ref, sel artifact.Selection) error {
	ctx, _, stop := interrupts()
	defer stop()
	err := store.Follow(ctx, env.Stdout, ref, sel.Tail)
	if errors.Is(err, syscall.EPIPE) { // the reader has closed the pipe
		return nil
	}
	if errors.Is(err, artifact.ErrRemoved) {
		return &ExitError{Code: 1, Err: err}
	}
	return missing(err)
}

func catArtifact(env *Env, store *artifact.Store, ref artifact.Ref, sel artifact.Selection) error {
	done, err := store.Copy(env.Stdout, ref, sel)
	switch {
	case errors.Is(err, syscall.EPIPE): // the reader has closed the pipe
		return nil
	case err != nil:
		return missing(err)
	case sel.Lines != nil && done.PastEnd:
		env.notef("artifact %s has %d lines", ref, done.Lines)
	case sel.Bytes != nil && done.PastEnd:
		env.notef("artifact %s has %d bytes", ref, done.Size)
	}
	if sel.Grep != nil && done.Matches == 0 {
		return &ExitError{Code: 1}
	}
	return nil
}
