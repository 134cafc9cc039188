package cmd

import (
	"errors"
	"fmt"
	"regexp"
	"syscall"

	"github.com/spf13/cobra"

	"pi/internal/artifact"
)

// catOptions are the flags of artifact cat as they were typed.
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
		Short: "Print an artifact or a part of it",
		Long: "Without flags all of it. Ranges are written A-B, A-, -B or A; lines and bytes are counted from 1 and both ends\n" +
			"belong to the range, as in cut(1). A range behind the end prints nothing.\n\n" +
			"--lines, --bytes, --head and --tail exclude each other. --grep (RE2 syntax, (?i) ignores case) prints the lines\n" +
			"that match; with --lines only those lines are searched, with --head so many matches are printed.\n\n" +
			"With --follow what is written later is printed, too, until the command or its last background job has ended; it\n" +
			"goes with --tail only.\n\n" +
			"Exit status: 0 done, 1 no such artifact or no line matched, 125 usage or pi's own failure.",
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
	f.BoolVarP(&o.follow, "follow", "f", false, "go on with what is written later")
	f.BoolVarP(&o.number, "line-number", "n", false, "with --grep: begin each line with its number")
	return c
}

// selection reads the flags that were given.
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
		return sel, failf("artifact cat: --follow goes with --tail only")
	}
	return sel, nil
}

// followArtifact prints until the artifact is closed. An interrupt is the usual way out and no failure.
func followArtifact(env *Env, store *artifact.Store, ref artifact.Ref, sel artifact.Selection) error {
	ctx, _, stop := interrupts()
	defer stop()
	err := store.Follow(ctx, env.Stdout, ref, sel.Tail)
	if errors.Is(err, syscall.EPIPE) { // the reader has seen enough
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
	case errors.Is(err, syscall.EPIPE): // the reader has seen enough
		return nil
	case err != nil:
		return missing(err)
	case sel.Lines != nil && done.PastEnd:
		fmt.Fprintf(env.Stderr, "pi: artifact %s has %d lines\n", ref, done.Lines)
	case sel.Bytes != nil && done.PastEnd:
		fmt.Fprintf(env.Stderr, "pi: artifact %s has %d bytes\n", ref, done.Size)
	}
	if sel.Grep != nil && done.Matches == 0 {
		return &ExitError{Code: 1}
	}
	return nil
}
