package session

import (
	"pi/internal/ps"
	"pi/internal/shell"
	"pi/internal/shelltext"
)

// A language writes the texts of a session for one family of shells.
type language interface {
	// driver returns the text that the shell is started with. The paths are words of the language; the shell looks for requests
	// under each in turn.
	driver(requests []string, report string) string
	// request returns what the driver reads for one run.
	request(r request) string
	// setup returns the texts that a new shell must run before the first command: the snapshot, what restores the exported
	// variables as reported, and the working directory, which both may have changed. The first two may be empty.
	setup(script, exports, dir string) []string
	// quote returns one word.
	quote(text string) string
}

func languageOf(d *shell.Dialect) language {
	if d.Language == shell.Fish {
		return fish{}
	}
	return posix{&d.Session}
}

// posix is the language of sh and its descendants.
type posix struct{ dialect *shell.SessionDialect }

func (l posix) driver(requests []string, report string) string {
	return driver(l.dialect, requests, report)
}

func (l posix) request(r request) string { return r.script(l.dialect) }

func (l posix) quote(text string) string { return shelltext.QuoteAlways(text) }

func (l posix) setup(script, exports, dir string) (texts []string) {
	do := quotedBuiltin(l.dialect)
	if script != "" {
		texts = append(texts, do+". "+l.quote(script))
	}
	if exports != "" {
		// The marker of the process tree is new, and must not be restored.
		texts = append(texts, "_pi_m=$"+ps.MarkerName+"\n"+restorable(exports)+"\n"+ps.MarkerName+"=$_pi_m\n"+do+"unset _pi_m")
	}
	if texts != nil {
		texts = append(texts, do+"cd -- "+l.quote(dir))
	}
	return texts
}
