package console

import (
	"errors"
	"io"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"pi/internal/keys"
)

// What ends line editing, other than enter.
var (
	errInterrupt = errors.New("interrupted") // ctrl+c
	errExpand    = errors.New("expand")      // ctrl+o
	errWoken     = errors.New("woken")       // the wait for a key was interrupted
)

// editor reads one command at a time, of one or more lines.
type editor struct {
	screen Screen
	keys   *typist
	p      Profile
	hist   *History
	// incomplete reports whether a text needs more lines, such as the end of a quotation.
	incomplete func(string) bool

	prompt string // plain text, of one line
	paint  func(string) string
	buf    buffer
	at     int    // index into the history; its length: the new line
	draft  string // the new line, while a history entry is shown
	find   *find
	region region
}

// find is a history search in progress.
type find struct {
	text  string
	found int // index, -1: none
	from  string
}

func newEditor(s Screen, k *typist, p Profile, h *History, incomplete func(string) bool) *editor {
	return &editor{screen: s, keys: k, p: p, hist: h, incomplete: incomplete, region: region{out: s}}
}

// begin starts a new line after a prompt.
func (e *editor) begin(prompt string, paint func(string) string) {
	e.prompt, e.paint = prompt, paint
	e.buf.set("")
	e.at, e.draft, e.find = len(e.hist.entries), "", nil
	e.region.forget()
}

// read edits the line and returns it. It returns io.EOF for ctrl+d on an empty line and when the terminal is gone. After
// errExpand and errWoken the line is kept, and the next read continues with it.
func (e *editor) read() (string, error) {
	for {
		if len(e.keys.ahead) == 0 {
			e.draw()
		}
		ev, ok, err := e.keys.next()
		switch {
		case err != nil:
			e.finish()
			return "", err
		case !ok:
			return "", errWoken
		}
		done, err := e.event(ev)
		switch {
		case errors.Is(err, errExpand):
			cols, _ := e.screen.Size()
			e.region.clear(cols)
			return "", err
		case err != nil:
			e.finish()
			return "", err
		case done:
			e.finish()
			return e.buf.text, nil
		}
	}
}

// finish leaves the line on the screen, and the cursor below it.
func (e *editor) finish() {
	e.find = nil
	e.buf.pos = len(e.buf.text)
	e.draw()
	e.region.write("\r\n")
	e.region.forget()
}

func (e *editor) event(ev keys.Event) (done bool, err error) {
	switch ev.Kind {
	case keys.Text:
		e.text(typed(string(ev.Raw)))
	case keys.Paste:
		e.leaveFind()
		e.buf.insert(typed(string(ev.Text)))
	case keys.Key:
		if e.find != nil && e.findKey(ev.ID) {
			return false, nil
		}
		return e.key(ev.ID)
	}
	return false, nil
}

func (e *editor) text(s string) {
	if e.find != nil {
		e.find.text += s
		e.lookUp(len(e.hist.entries))
		return
	}
	e.buf.insert(s)
}

// key performs the action of a key, with the bindings of Emacs mode in shells.
func (e *editor) key(id string) (done bool, err error) {
	b := &e.buf
	switch id {
	case "enter", "ctrl+j", "ctrl+m":
		if e.incomplete != nil && e.incomplete(b.text) {
			b.pos = len(b.text)
			b.insert("\n")
			return false, nil
		}
		return true, nil
	case "alt+enter", "shift+enter":
		b.insert("\n")
	case "tab":
		b.insert("\t")
	case "ctrl+c":
		return false, errInterrupt
	case "ctrl+d":
		if b.text == "" {
			return false, io.EOF
		}
		b.remove(b.next())
	case "ctrl+o":
		return false, errExpand
	case "ctrl+l":
		e.region.write("\x1b[H\x1b[2J")
		e.region.forget()
	case "ctrl+r":
		e.find = &find{from: b.text, found: -1}
		e.lookUp(len(e.hist.entries))
	default:
		e.move(id)
	}
	return false, nil
}

// move performs the keys that move and delete.
func (e *editor) move(id string) {
	b := &e.buf
	switch id {
	case "left", "ctrl+b":
		b.pos = b.prev()
	case "right", "ctrl+f":
		b.pos = b.next()
	case "ctrl+left", "alt+left", "alt+b":
		b.pos = b.wordStart()
	case "ctrl+right", "alt+right", "alt+f":
		b.pos = b.wordEnd()
	case "home", "ctrl+a":
		b.pos = b.lineStart()
	case "end", "ctrl+e":
		b.pos = b.lineEnd()
	case "up":
		if !b.vertical(-1) {
			e.recall(e.at - 1)
		}
	case "down":
		if !b.vertical(1) {
			e.recall(e.at + 1)
		}
	case "ctrl+p":
		e.recall(e.at - 1)
	case "ctrl+n":
		e.recall(e.at + 1)
	case "alt+<", "pageUp":
		e.recall(0)
	case "alt+>", "pageDown":
		e.recall(len(e.hist.entries))
	case "backspace", "ctrl+h", "shift+backspace":
		b.remove(b.prev())
	case "delete":
		b.remove(b.next())
	case "ctrl+k":
		b.cut(b.lineEnd())
	case "ctrl+u":
		b.cut(b.lineStart())
	case "ctrl+w":
		b.cut(b.blankStart())
	case "alt+backspace", "ctrl+backspace", "ctrl+alt+h":
		b.cut(b.wordStart())
	case "alt+d", "ctrl+delete":
		b.cut(b.wordEnd())
	case "ctrl+y":
		b.insert(b.kill)
	case "ctrl+t":
		b.transpose()
	}
}

// recall shows a history entry, or the new line.
func (e *editor) recall(i int) {
	n := len(e.hist.entries)
	if i < 0 || i > n || i == e.at {
		return
	}
	if e.at == n {
		e.draft = e.buf.text
	}
	e.at = i
	if i == n {
		e.buf.set(e.draft)
		return
	}
	e.buf.set(e.hist.entries[i])
}

// findKey performs the keys of a search. It reports false if the search is over and the key has its usual meaning.
func (e *editor) findKey(id string) bool {
	switch id {
	case "ctrl+r":
		from := len(e.hist.entries)
		if e.find.found >= 0 {
			from = e.find.found
		}
		e.lookUp(from)
	case "backspace", "ctrl+h":
		t := buffer{text: e.find.text, pos: len(e.find.text)}
		t.remove(t.prev())
		e.find.text = t.text
		e.lookUp(len(e.hist.entries))
	case "ctrl+g", "escape":
		e.buf.set(e.find.from)
		e.find = nil
	default:
		e.leaveFind()
		return false
	}
	return true
}

// lookUp shows the newest match before an index, and keeps the current one if there is no other.
func (e *editor) lookUp(before int) {
	if e.find.text == "" {
		return
	}
	if i := e.hist.search(e.find.text, before); i >= 0 {
		e.find.found = i
		e.buf.set(e.hist.entries[i])
	} else if before == len(e.hist.entries) {
		e.find.found = -1
	}
}

func (e *editor) leaveFind() {
	if e.find != nil && e.find.found >= 0 {
		e.at = e.find.found
	}
	e.find = nil
}

// more is the prompt of the second and further lines of a command.
const more = "> "

// draw shows the line and the cursor in it.
func (e *editor) draw() {
	cols, height := e.screen.Size()
	prompt, paint := e.prompt, e.paint
	if e.find != nil {
		word := "history"
		if e.find.found < 0 && e.find.text != "" {
			word = "no match"
		}
		prompt, paint = "("+word+" "+oneLine(visible(e.find.text))+") ", e.p.dim
	}
	prompt = fit(prompt, max(0, cols-4), "")
	rows, at := e.layout(prompt, paint, cols)
	if over := len(rows) - height; over > 0 { // show the part around the cursor
		top := min(max(0, at.row-height/2), over)
		rows, at.row = rows[top:top+height], at.row-top
	}
	e.region.drawAt(rows, cols, at)
}

// layout places prompt and text on rows and returns the cursor's position.
func (e *editor) layout(prompt string, paint func(string) string, cols int) (rows []row, at spot) {
	begin := 0
	for i, line := range strings.Split(e.buf.text, "\n") {
		lead, ink := more, e.p.dim
		if i == 0 {
			lead, ink = prompt, paint
		}
		here := -1
		if off := e.buf.pos - begin; off >= 0 && off <= len(line) {
			here = off
		}
		wrapped := wrap(lead+line, cols)
		if here >= 0 {
			before := wrap(lead+line[:here], cols)
			at = spot{len(rows) + len(before) - 1, width(before[len(before)-1])}
			if at.col+under(line[here:]) > cols { // it stands where the next character is, or a row of its own
				at.row, at.col = at.row+1, 0
				if len(before) == len(wrapped) {
					wrapped = append(wrapped, "")
				}
			}
		}
		for j, s := range wrapped {
			r := plainRow(s)
			if j == 0 && strings.HasPrefix(s, lead) {
				r.text = ink(lead) + s[len(lead):]
			}
			rows = append(rows, r)
		}
		begin += len(line) + 1
	}
	return rows, at
}

// under returns the width of the character under the cursor.
func under(s string) int {
	g := displaywidth.StringGraphemes(s)
	if !g.Next() {
		return 1
	}
	return max(1, g.Width())
}
