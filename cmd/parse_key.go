package cmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"pi/internal/console/keyview"
	"pi/internal/keys"
)

// exitNoKey is the exit status if the bytes are not a key, or not the one asked for.
const exitNoKey = 1

// maxKeyBytes bounds the standard input for one key, and one line of a batch.
const maxKeyBytes = 1 << 20

type parseKeyOptions struct {
	hex, kitty, json, batch bool
	match                   string
	matching                bool // --match was given
}

func newParseKeyCmd(env *Env) *cobra.Command {
	var o parseKeyOptions
	c := &cobra.Command{
		Use:   "parse-key [BYTES]",
		Short: "Name the key of an escape sequence, or show keys as you type",
		Long: `Print the name of the key that BYTES stand for: ctrl+c, shift+tab, pageUp, f5 and so on. BYTES are text with C escapes
(\e \n \x1b \033 \u00e9), or hex digits with --hex. Without BYTES, read them from standard input; on a terminal, show keys
as you type them, until you press Ctrl-C twice.

With --batch, read JSON lines such as {"hex":"1b5b41","kitty":false,"id":"up"} from standard input, and reply to each
with a line {"hex","key","match","kittySequence"}. See pi help keys for key names.

Exit status: 0 a key (with --match: that key); 1 not a key, or another one; 125 usage.`,
		Example: "  pi parse-key '\\e[1;5A'\n  pi parse-key --hex 1b5b41 --match up\n  pi parse-key --kitty --json '\\e[97;5u'\n  pi parse-key",
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			o.matching = c.Flags().Changed("match")
			return parseKey(env, o, args)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.hex, "hex", false, "BYTES are hex digits")
	f.BoolVar(&o.kitty, "kitty", false, "the terminal uses the Kitty protocol, where ESC and a control byte are not a key")
	f.StringVar(&o.match, "match", "", "succeed only if it is the key `ID`")
	f.BoolVar(&o.json, "json", false, "print a JSON object")
	f.BoolVar(&o.batch, "batch", false, "reply to JSON lines on standard input")
	return c
}

func parseKey(env *Env, o parseKeyOptions, args []string) error {
	switch {
	case len(args) > 1:
		return &ExitError{Code: exitFailure, Err: fmt.Errorf("parse-key takes the bytes of one key, got %d arguments", len(args)),
			Hint: "quote them: pi parse-key '\\e[A'"}
	case o.batch && (len(args) > 0 || o.hex || o.json || o.matching):
		return failf("parse-key: --batch can only be combined with --kitty")
	case o.batch:
		return batchKeys(env, o.kitty)
	case len(args) == 1:
		return oneKey(env, o, args[0])
	case env.Stdin != nil && term.IsTerminal(int(env.Stdin.Fd())):
		return liveKeys(env, o)
	}
	return stdinKey(env, o)
}

// oneKey names the key that arg spells.
func oneKey(env *Env, o parseKeyOptions, arg string) error {
	read := keyview.Unescape
	if o.hex {
		read = keyview.ParseHex
	}
	data, err := read(arg)
	if err != nil {
		return failf("parse-key: %w", err)
	}
	return nameKey(env, o, data)
}

// stdinKey names the key on standard input, which is raw bytes or hex.
func stdinKey(env *Env, o parseKeyOptions) error {
	var data []byte
	if env.Stdin != nil {
		var err error
		if data, err = io.ReadAll(io.LimitReader(env.Stdin, maxKeyBytes)); err != nil {
			return failf("read standard input: %w", err)
		}
	}
	switch {
	case len(data) == 0:
		return &ExitError{Code: exitFailure, Err: errors.New("parse-key: no bytes given"), Hint: "pi parse-key '\\e[A'"}
	case o.hex:
		return oneKey(env, o, string(data))
	}
	return nameKey(env, o, data)
}

// nameKey prints the name of the key data.
func nameKey(env *Env, o parseKeyOptions, data []byte) error {
	var id *string
	if o.matching {
		id = &o.match
	}
	r := keyview.NewRecord(data, o.kitty, id)
	if o.json {
		if err := printJSON(env, r); err != nil {
			return err
		}
	} else if r.Key != nil {
		if _, err := fmt.Fprintln(env.Stdout, *r.Key); err != nil {
			return err
		}
	}
	return verdict(r, data, o)
}

// verdict returns the error for r, with its exit status.
func verdict(r keyview.Record, data []byte, o parseKeyOptions) error {
	const longest = 64
	shown := data[:min(len(data), longest)]
	switch {
	case r.Key == nil && r.Kitty != nil && r.Kitty.EventType != nil && *r.Kitty.EventType == keys.Release:
		return &ExitError{Code: exitNoKey, Err: fmt.Errorf("not a key: %s is a key release", keyview.Escape(shown))}
	case r.Key == nil:
		return &ExitError{Code: exitNoKey, Err: fmt.Errorf("not a key: %s (hex %x)", keyview.Escape(shown), shown)}
	case r.Match != nil && !*r.Match:
		return &ExitError{Code: exitNoKey, Err: fmt.Errorf("%s is not %s", *r.Key, strings.TrimSpace(o.match))}
	}
	return nil
}

// keyQuestion is a line of a batch.
type keyQuestion struct {
	Hex   *string `json:"hex"`
	Kitty *bool   `json:"kitty"`
	ID    *string `json:"id"`
}

// batchKeys replies line by line. It flushes its replies before it waits for input, so that a program can ask on a pipe.
func batchKeys(env *Env, kitty bool) error {
	if env.Stdin == nil {
		return nil
	}
	in := bufio.NewReaderSize(env.Stdin, maxKeyBytes)
	out := bufio.NewWriter(env.Stdout)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for line := 1; ; line++ {
		text, err := in.ReadSlice('\n')
		if err != nil && err != io.EOF {
			out.Flush()
			return failf("parse-key: line %d: %w", line, err)
		}
		if len(bytes.TrimSpace(text)) > 0 {
			r, err := answerKey(text, kitty)
			if err != nil {
				out.Flush()
				return failf("parse-key: line %d: %w", line, err)
			}
			if err := enc.Encode(r); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return out.Flush()
		}
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
}

func answerKey(line []byte, kitty bool) (r keyview.Record, err error) {
	var q keyQuestion
	if err := json.Unmarshal(line, &q); err != nil {
		return r, err
	}
	if q.Hex == nil {
		return r, errors.New(`"hex" is missing`)
	}
	data, err := keyview.ParseHex(*q.Hex)
	if err != nil {
		return r, err
	}
	if q.Kitty != nil {
		kitty = *q.Kitty
	}
	return keyview.NewRecord(data, kitty, q.ID), nil
}

// liveKeys shows keys as they are typed.
func liveKeys(env *Env, o parseKeyOptions) error {
	if o.matching || o.hex {
		return failf("parse-key: --match and --hex need bytes")
	}
	ctx, _, stop := interrupts()
	defer stop()
	err := keyview.Run(ctx, env.Stdin, env.Stdout, keyview.Options{
		Kitty: o.kitty, JSON: o.json, Escape: keys.EscapeDelay(env.Environ),
	})
	if err != nil && ctx.Err() != nil {
		return &ExitError{Code: cancelStatus(ctx)}
	}
	return err
}
