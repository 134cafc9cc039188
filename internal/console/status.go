package console

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"pi/internal/run"
)

// marks are the state icons, in the characters that the terminal can show.
func (p Profile) running() string { return p.cyan(p.glyph("●", "*")) }
func (p Profile) good() string    { return p.green(p.glyph("✓", "+")) }
func (p Profile) bad() string     { return p.red(p.glyph("✗", "x")) }
func (p Profile) caution() string { return p.yellow(p.glyph("⚠", "!")) }

// mark returns the icon for how a run ended.
func (p Profile) mark(s run.Status) string {
	if s == run.OK {
		return p.good()
	}
	return p.bad()
}

// ending returns the line that says how a run ended: its notices without truncation, and nothing for success.
func ending(r run.Result) string {
	for i := len(r.Notices) - 1; i >= 0; i-- {
		if n := r.Notices[i]; !strings.HasPrefix(n, "[") && n != noOutput {
			return n
		}
	}
	return ""
}

// noOutput is the notice of a run that printed nothing.
const noOutput = "(no output)"

// outcome returns how a run ended, in the words of a header: exit 0, exit 3, killed, timed out.
func outcome(d run.Details) string {
	switch {
	case d.TimedOut:
		return "timed out"
	case d.Cancelled:
		return "killed"
	case d.ExitCode == nil:
		return "failed"
	}
	return "exit " + strconv.Itoa(*d.ExitCode)
}

// elapsed formats a duration for people: 0.3s, 12s, 3m05s, 1h02m.
func elapsed(d time.Duration) string {
	switch s := int(d / time.Second); {
	case d < 10*time.Second:
		return strconv.FormatFloat(float64(d/(100*time.Millisecond))/10, 'f', 1, 64) + "s"
	case s < 60:
		return strconv.Itoa(s) + "s"
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	default:
		return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
	}
}

// ticking is elapsed for a view drawn once a second.
func ticking(d time.Duration) string {
	return strings.Replace(elapsed(max(d.Truncate(time.Second), 0)), ".0s", "s", 1)
}

// seconds formats a timeout: 300s, 1.5s.
func seconds(s float64) string { return strconv.FormatFloat(s, 'f', -1, 64) + "s" }

// count formats a number of things: 1 line, 2 lines, 1,234,567 lines.
func count(n int64, thing string) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if n != 1 {
		thing += "s"
	}
	return s + " " + thing
}

// flow places parts on as few lines as cols allows; parts on the same line are joined by dots.
func (p Profile) flow(parts []string, cols int) []string {
	var out []string
	for _, part := range parts {
		if n := len(out) - 1; n >= 0 && width(out[n])+width(p.dot())+width(part) <= cols {
			out[n] += p.dot() + part
			continue
		}
		out = append(out, part)
	}
	return out
}
