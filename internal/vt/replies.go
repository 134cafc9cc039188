package vt

import "fmt"

const maxReplies = 16 << 10 // bytes

// replies is the queue of bytes to send to the program. When it is full, whole replies are dropped, oldest first.
type replies struct {
	bytes   []byte
	lengths []int
}

// Replies removes and returns the queued replies to the program's queries; the caller must send them to the program.
// They are valid until the next Write. The queue holds at most 16 KiB; the oldest replies are dropped first.
func (t *Terminal) Replies() []byte {
	b := t.replies.bytes
	t.replies.bytes, t.replies.lengths = nil, t.replies.lengths[:0]
	return b
}

func (t *Terminal) reply(s string) {
	r := &t.replies
	drop, n := 0, 0
	if len(r.bytes)+len(s) > maxReplies {
		for ; drop < maxReplies/4 && n < len(r.lengths); n++ { // more than needed, so that it is not done each time
			drop += r.lengths[n]
		}
		r.bytes = append(r.bytes[:0], r.bytes[drop:]...)
		r.lengths = append(r.lengths[:0], r.lengths[n:]...)
	}
	r.bytes = append(r.bytes, s...)
	r.lengths = append(r.lengths, len(s))
}

func (t *Terminal) replyf(format string, args ...any) { t.reply(fmt.Sprintf(format, args...)) }

// replyDA1 identifies as a VT220 with ANSI colours.
func (t *Terminal) replyDA1() { t.reply("\x1b[?62;22c") }

// replyStatus is DSR.
func (t *Terminal) replyStatus(n int) {
	switch n {
	case 5:
		t.reply("\x1b[0n")
	case 6:
		t.replyf("\x1b[%d;%dR", t.rowInOrigin()+1, t.columnInOrigin()+1)
	default:
		t.unknown++
	}
}

// replyPrivateStatus is DSR of the DEC private kind.
func (t *Terminal) replyPrivateStatus(n int) {
	switch n {
	case 6:
		t.replyf("\x1b[?%d;%d;1R", t.rowInOrigin()+1, t.columnInOrigin()+1)
	case 15:
		t.reply("\x1b[?13n") // no printer
	case 25:
		t.reply("\x1b[?21n") // user-defined keys are locked
	case 26:
		t.reply("\x1b[?27;1;0;0n") // North American keyboard
	case 996:
		if _, bg := t.defaultColors(); luminance(bg) >= 128 {
			t.reply("\x1b[?997;2n")
		} else {
			t.reply("\x1b[?997;1n")
		}
	default:
		t.unknown++
	}
}

// replyMode is DECRQM: 1 on, 2 off, 3 always on, 4 always off, 0 unknown.
func (t *Terminal) replyMode(n int, private bool) {
	value := 0
	onOff := func(on bool) int {
		if on {
			return 1
		}
		return 2
	}
	switch {
	case !private && n == 4:
		value = onOff(t.modes&modeInsert != 0)
	case !private && n == 20:
		value = onOff(t.modes&modeNewLine != 0)
	case !private:
	case n == 47 || n == 1047 || n == 1049:
		value = onOff(t.scr == &t.alt)
	case n == 1048:
		value = onOff(t.scr.saved.set)
	case n == 69 && !t.marginsAllowed():
		value = 4
	case n == 2027:
		value = 3
	case n == 3 || n == 4 || n == 40:
		value = 4
	case privateMode(n) != 0:
		value = onOff(t.modes&privateMode(n) != 0)
	}
	if private {
		t.replyf("\x1b[?%d;%d$y", n, value)
	} else {
		t.replyf("\x1b[%d;%d$y", n, value)
	}
}

func (t *Terminal) replyKitty() { t.replyf("\x1b[?%du", t.scr.kitty.flags) }

// setModifyKeys is XTMODKEYS, of which modifyOtherKeys is kept.
func (t *Terminal) setModifyKeys(p *params) {
	if p.n == 0 || p.get(0, 0) == 4 {
		t.modifyOtherKeys = min(p.get(1, 0), 2)
	}
}

func (t *Terminal) replyModifyKeys(p *params) {
	if p.get(0, 0) == 4 {
		t.replyf("\x1b[>4;%dm", t.modifyOtherKeys)
	}
}
