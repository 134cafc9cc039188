package vt

import "fmt"

// Unknown returns the number of sequences that were not recognised.
func (t *Terminal) Unknown() int { return t.unknown }

// Held returns the bytes that the scrollback, the replies and the parser hold, and the number of clusters.
func (t *Terminal) Held() (bytes, clusters int) {
	return t.ring.bytes + cap(t.replies.bytes) + cap(t.parser.str) + cap(t.line), len(t.clusters.texts)
}

// Check returns the first thing that is wrong with the state, "" when nothing is.
func (t *Terminal) Check() string {
	switch {
	case t.x < 0 || t.x >= t.cols || t.y < 0 || t.y >= t.rows:
		return fmt.Sprintf("cursor %d,%d of %d,%d", t.x, t.y, t.cols, t.rows)
	case t.top < 0 || t.top >= t.bottom && t.rows > 1 || t.bottom >= t.rows:
		return fmt.Sprintf("region %d-%d of %d", t.top, t.bottom, t.rows)
	case t.left < 0 || t.left >= t.right && t.cols > 1 || t.right >= t.cols:
		return fmt.Sprintf("margins %d-%d of %d", t.left, t.right, t.cols)
	case !t.fullWidth() && t.modes&modeMargins == 0:
		return "margins without their mode"
	case len(t.tabs) < t.cols:
		return "too few tab stops"
	case len(t.scr.kitty.stack) > maxKitty || len(t.titles) > maxTitles:
		return "a stack is too high"
	}
	versions := map[uint64]bool{}
	for _, s := range []*screen{&t.main, &t.alt} {
		if len(s.rows) != t.rows {
			return fmt.Sprintf("%d rows, not %d", len(s.rows), t.rows)
		}
		for y, r := range s.rows {
			if versions[r.version] {
				return "two rows of one version"
			}
			versions[r.version] = true
			if bad := r.check(t); bad != "" {
				return fmt.Sprintf("row %d: %s", y, bad)
			}
		}
	}
	return ""
}

func (r *row) check(t *Terminal) string {
	if r.used > len(r.cells) || len(r.cells) < t.cols {
		return fmt.Sprintf("%d of %d cells used, %d columns", r.used, len(r.cells), t.cols)
	}
	if r.simple {
		n := 0
		for _, run := range r.runs {
			n += int(run.n)
		}
		if len(r.text) != r.used || n != r.used {
			return fmt.Sprintf("%d bytes and runs of %d in a simple row of %d", len(r.text), n, r.used)
		}
		r.expand()
	}
	for x, c := range r.cells[:r.used] {
		switch {
		case r.ascii && (c.Rune < 0x20 || c.Rune > 0x7e || c.Width != 1):
			return fmt.Sprintf("cell %d is %+v in an ASCII row", x, c)
		case c.Width > 2 || c.Rune < 0 && int(-c.Rune) > len(t.clusters.texts) || c.Rune > 0x10ffff:
			return fmt.Sprintf("cell %d is %+v", x, c)
		case c.Width == 2 && (x+1 >= r.used || r.cells[x+1].Width != 0):
			return fmt.Sprintf("cell %d is wide and the next is not its half", x)
		case c.Width == 0 && (x == 0 || r.cells[x-1].Width != 2):
			return fmt.Sprintf("cell %d is half of nothing", x)
		}
	}
	return ""
}
