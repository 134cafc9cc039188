package keyview

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"pi/internal/console/tty"
	"pi/internal/keys"
)

// What the live view enables on the terminal, and how it disables it. The Kitty flags are pushed on a stack, so that
// the previous program's flags come back afterwards.
const (
	askFor   = "\x1b[>31u\x1b[?u\x1b[?2004h" // every key, event, alternate and text; which flags are on; pastes in brackets
	takeBack = "\x1b[?2004l\x1b[<u"
)

const longestRaw = 24 // bytes of one event that are shown

// Options configure a live view.
type Options struct {
	Kitty  bool          // assume Kitty mode even if the terminal does not report it
	JSON   bool          // print one Record per line instead of columns
	Escape time.Duration // see [keys.Options]
}

// Run shows the keys typed on the terminal in, one per line, until ctrl+c is pressed twice in a row, input ends, or ctx
// is done, whose cause it then returns. The terminal is raw in the meantime and is restored afterwards, also on a panic and
// while the process is stopped by job control.
func Run(ctx context.Context, in *os.File, out io.Writer, o Options) error {
	v := &view{out: out, opt: o, kitty: o.Kitty, reader: keys.NewReader(keys.Options{Kitty: o.Kitty, Escape: o.Escape})}
	mode, to := tty.Mode{Raw: true, Cook: true}, in
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) { // it takes orders
		mode.Ask, mode.Undo, mode.Flush, to = askFor, takeBack, true, file
	}
	v.tty = tty.New(in, to)
	defer v.tty.Close()
	defer v.tty.Watch(tty.Events{})()
	if err := v.tty.Enter(mode); err != nil {
		return fmt.Errorf("set the terminal raw: %w", err)
	}
	defer v.tty.Restore()
	defer context.AfterFunc(ctx, v.tty.Wake)()
	if !o.JSON {
		v.line("Press keys to see what they send. Ctrl-C twice ends.")
		v.row("bytes", "escaped", "key", "kitty fields")
	}
	return v.loop(ctx)
}

type view struct {
	tty    *tty.TTY
	out    io.Writer
	opt    Options
	reader *keys.Reader
	kitty  bool  // the terminal is in Kitty mode
	ends   int   // consecutive ctrl+c
	err    error // of the first failed write
}

func (v *view) loop(ctx context.Context) error {
	var buf [4096]byte
	quiet := time.Now()
	for v.err == nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		wait := time.Duration(-1)
		if d, pending := v.reader.Wait(); pending {
			wait = max(0, time.Until(quiet.Add(d)))
		}
		n, err := v.tty.Read(buf[:], wait)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("read the terminal: %w", err)
		case n > 0:
			v.reader.Feed(buf[:n])
			quiet = time.Now()
		default:
			if d, pending := v.reader.Wait(); !pending || time.Since(quiet) < d {
				continue
			}
			v.reader.Expire()
		}
		if v.events() {
			return nil
		}
	}
	return v.err
}

// events shows the reader's events and reports whether the view is to end.
func (v *view) events() (done bool) {
	for {
		e, ok := v.reader.Next()
		if !ok {
			return false
		}
		v.event(e)
		if v.ends == 2 {
			return true
		}
	}
}

func (v *view) event(e keys.Event) {
	switch {
	case e.Kind == keys.Text:
		v.ends = 0
		v.text(e.Raw)
		return
	case e.Kind == keys.Reply && isFlags(e.Raw):
		v.flags(e.Raw)
		return
	case e.Kind == keys.Key && e.ID == "ctrl+c":
		v.ends++
	case !isRelease(e.Raw):
		v.ends = 0
	}
	v.show(e.Raw, e.Kind)
}

// flags handles the terminal's reply, which only a terminal that supports the Kitty protocol sends.
func (v *view) flags(raw []byte) {
	v.kitty = v.opt.Kitty || string(raw) != "\x1b[?0u"
	v.reader.SetKitty(v.kitty)
	if v.kitty && !v.opt.JSON {
		v.line("The terminal speaks the Kitty protocol.")
	}
}

// text shows typed characters one by one.
func (v *view) text(raw []byte) {
	for len(raw) > 0 {
		_, n := utf8.DecodeRune(raw)
		v.show(raw[:n], keys.Text)
		raw = raw[n:]
	}
}

func (v *view) show(raw []byte, kind keys.Kind) {
	r := NewRecord(raw, v.kitty, nil)
	if v.opt.JSON {
		b, err := json.Marshal(r)
		if err != nil {
			v.err = err
			return
		}
		v.line(string(b))
		return
	}
	name, fields := "("+kind.String()+")", ""
	switch {
	case r.Key != nil:
		name = *r.Key
	case kind == keys.Paste:
		name = fmt.Sprintf("(paste, %d bytes)", len(raw)-len("\x1b[200~\x1b[201~"))
	case isRelease(raw):
		name = "(release)"
	}
	if r.Kitty != nil {
		fields = r.Kitty.String()
	}
	shown, more := raw, ""
	if len(raw) > longestRaw {
		shown, more = raw[:longestRaw], "…"
	}
	v.row(fmt.Sprintf("%x", shown)+more, Escape(shown)+more, name, fields)
}

func isRelease(raw []byte) bool {
	k, ok := keys.ParseKitty(raw)
	return ok && k.Event == keys.Release
}

// isFlags reports whether data is the reply to the query for the Kitty flags.
func isFlags(raw []byte) bool {
	s := string(raw)
	return strings.HasPrefix(s, "\x1b[?") && strings.HasSuffix(s, "u")
}

// row writes columns for an 80-column terminal. A column that is too wide shifts the next ones.
func (v *view) row(bytes, escaped, key, kitty string) {
	s := pad(bytes, 22) + " " + pad(escaped, 18) + " " + pad(key, 18) + " " + kitty
	v.line(strings.TrimRight(s, " "))
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

func (v *view) line(s string) {
	if _, err := io.WriteString(v.out, s+"\n"); err != nil && v.err == nil {
		v.err = err
	}
}
