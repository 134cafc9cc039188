package present

import (
	"errors"
	"fmt"
)

// Output formats of a result.
const (
	FormatText   = "text"
	FormatJSON   = "json"
	FormatEvents = "stream-json"
)

// Options are what flags, settings and environment ask for.
type Options struct {
	Format  string // one of the formats above
	Stream  bool   // print the text as it comes
	Limited bool   // by a number of lines, head or tail

	PTY       bool // a pseudo-terminal was asked for in this call
	NoPTY     bool // … or refused
	PreferPTY bool // the settings ask for one where a person watches
	BanPTY    bool // the environment forbids one
	Headless  bool // the pseudo-terminal is not to be shown
	Session   bool // run in a persistent session
	Stdin     bool // the command reads pi's standard input
}

// Streams says which standard streams are terminals.
type Streams struct {
	In, Out, Err bool
	Dumb         bool // the terminal of standard output has no cursor movement
}

// View is a way to show a run.
type View int

// The views.
const (
	Text     View = iota // the bounded text, after the command has ended
	JSON                 // one JSON object
	Events               // JSON lines: start, update…, result
	Stream               // the text as it comes
	ToolView             // the last lines, drawn in place on a terminal
	Overlay              // the screen of a pseudo-terminal, in a box on the user's
	Lines                // a pseudo-terminal on a terminal without cursor movement
)

// Plan is how a run is executed and shown.
type Plan struct {
	View          View
	PTY           bool   // in a pseudo-terminal
	FeedInput     bool   // standard input is typed into the pseudo-terminal
	InPlace       bool   // a stream redraws the current line
	RepeatNotices bool   // standard error gets the notices even if the view shows them
	Warning       string // why there is no pseudo-terminal although one was asked for; empty: no such reason
}

// NewPlan decides how a run is executed and shown. An error means that options contradict each other.
func NewPlan(o Options, s Streams) (Plan, error) {
	if err := o.check(); err != nil {
		return Plan{}, err
	}
	p := Plan{RepeatNotices: !s.Err}
	attended := false
	p.PTY, attended, p.Warning = choosePTY(o, s)
	p.FeedInput = p.PTY && !attended && o.Stdin
	switch {
	case o.Format == FormatJSON:
		p.View = JSON
	case o.Format == FormatEvents:
		p.View = Events
	case attended && s.Dumb:
		p.View = Lines
	case attended:
		p.View = Overlay
	case p.PTY && !o.Stream:
		p.View = Text
	default:
		p.View = textView(o, s)
		p.InPlace = p.View == Stream && s.Out && !s.Dumb
	}
	return p, nil
}

func (o Options) check() error {
	switch {
	case o.Format != FormatText && o.Format != FormatJSON && o.Format != FormatEvents:
		return fmt.Errorf("--output %q: must be %s, %s or %s", o.Format, FormatText, FormatJSON, FormatEvents)
	case o.PTY && o.NoPTY:
		return errors.New("--pty and --no-pty cannot be used together")
	case o.PTY && o.Session:
		return errors.New("--pty cannot be used with --session: a session has no terminal")
	case o.Stream && o.Format != FormatText:
		return fmt.Errorf("--stream prints text; for events use --output %s without --stream", FormatEvents)
	case o.Stream && o.Limited:
		return errors.New("--stream cannot be used with --head or --tail")
	}
	return nil
}

// choosePTY decides on a pseudo-terminal. It takes somebody who asks for it, once for this call or in the settings, and
// a terminal to show it on, unless it is headless. The settings alone never give one to a caller that reads the result.
func choosePTY(o Options, s Streams) (pty, attended bool, warning string) {
	shown := o.Format == FormatText && !o.Stream
	switch {
	case o.NoPTY || o.Session:
		return false, false, ""
	case !o.PTY && (!o.PreferPTY || !shown || o.Stdin):
		return false, false, ""
	}
	switch {
	case o.BanPTY:
		warning = "PI_NO_PTY is 1; the command ran without a pseudo-terminal"
	case o.Headless:
		return true, false, ""
	case !s.In:
		warning = "standard input is not a terminal; the command ran without a pseudo-terminal (use pi pty --headless to get one)"
	case !s.Out:
		warning = "standard output is not a terminal; the command ran without a pseudo-terminal (use pi pty --headless to get one)"
	default:
		return true, shown, ""
	}
	if !o.PTY {
		warning = ""
	}
	return false, false, warning
}

// textView is the view of text without an attended pseudo-terminal. A command that shares pi's terminal as its input
// needs the screen for itself.
func textView(o Options, s Streams) View {
	shared := s.Out && o.Stdin && s.In
	plain := s.Out && s.Dumb || shared
	switch {
	case o.Stream, plain && !o.Limited:
		return Stream
	case s.Out && !plain:
		return ToolView
	}
	return Text
}
