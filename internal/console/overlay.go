package console

import (
	"sync"
	"time"

	"pi/internal/console/tty"
	"pi/internal/keys"
	"pi/internal/vt"
)

// Program is the program in a pseudo-terminal, as the overlay drives it. Its methods do not block.
type Program interface {
	Write(p []byte) error
	Resize(cols, rows int) error
	Kill() error
}

// EscapeRule says who receives Esc while the program runs.
type EscapeRule string

// The rules: depending on the screen shown, always the overlay, always the program.
const (
	EscapeAuto    EscapeRule = "auto"
	EscapeKill    EscapeRule = "kill"
	EscapeForward EscapeRule = "forward"
)

// OverlayOptions configure an [Overlay]. All but Force and Guard are required.
type OverlayOptions struct {
	Profile  Profile
	Keyboard Keyboard
	Wake     func() // interrupts a wait of the keyboard
	Command  string
	Escape   EscapeRule
	Delay    time.Duration // see keys.Options.Escape
	Program  Program
	// Cols and Rows are the size of the program's terminal; 0 means the size inside the box.
	Cols, Rows int
	// Look calls f with the program's terminal locked. It does nothing before there is one.
	Look func(f func(*vt.Terminal))
	// Changed has an item when the program's terminal may have changed.
	Changed <-chan struct{}
	// Gone is called when the user's terminal has hung up.
	Gone func(error)
	// Force is called when the end is requested a second time.
	Force func()
	// Guard is deferred by the overlay's goroutines, so that a panic restores the terminal.
	Guard func()
}

// Overlay shows a program's terminal in a box on the user's, and passes on what is typed. Create one with [NewOverlay].
// Its methods may be called from several goroutines.
//
// Keys never wait for drawing: one goroutine reads keys, another draws, and the program's output passes through neither.
type Overlay struct {
	screen Screen
	opt    OverlayOptions
	began  time.Time
	dirty  chan struct{} // holds one item while something is new that is not the program's
	quit   chan struct{}
	wg     sync.WaitGroup
	once   sync.Once
	typist *typist
	input  translator
	paint  painter

	mu     sync.Mutex
	anew   bool // the screen no longer shows the last frame
	paused bool
	ends   int // how often the end was requested
	end    string
}

// OverlayMode is the terminal mode of an [Overlay]: alternate screen, bracketed paste, and no arrow keys
// from a mouse wheel. What else is undone was asked for on the program's behalf.
var OverlayMode = tty.Mode{
	Raw:   true,
	Flush: true,
	Ask:   "\x1b[?1049h\x1b[?1007s\x1b[?1007l\x1b[?2004h\x1b[H\x1b[2J",
	Undo:  "\x1b[<u" + undoModes + "\x1b[?1007r\x1b[?1049l",
}

// undoModes resets every mode that a program may have set on a terminal, except screens and stacks.
const undoModes = endFrame + "\x1b[?9;1000;1002;1003;1004;1005;1006;1015;2004l" + "\x1b[>4m" + "\x1b>" + "\x1b[0 q" + "\x1b[?25h" + "\x1b[m"

// NewOverlay creates an overlay on a terminal that is in [OverlayMode].
func NewOverlay(s Screen, o OverlayOptions) *Overlay {
	if o.Guard == nil {
		o.Guard = func() {}
	}
	v := &Overlay{screen: s, opt: o, began: time.Now(), dirty: make(chan struct{}, 1), quit: make(chan struct{}), anew: true}
	v.typist = newTypist(o.Keyboard, o.Delay)
	v.typist.reader = keys.NewReader(keys.Options{Escape: o.Delay, MaxPaste: maxPaste})
	v.paint.profile = o.Profile
	return v
}

// maxPaste is the largest paste passed on whole, in bytes.
const maxPaste = 4 << 20

// Start starts drawing and reading keys.
func (v *Overlay) Start() {
	v.resize()
	v.touch()
	v.wg.Go(v.drawing)
	v.wg.Go(v.typing)
}

// touch requests a new frame.
func (v *Overlay) touch() {
	select {
	case v.dirty <- struct{}{}:
	default:
	}
}

// Resized tells the overlay that the user's terminal may have been resized.
func (v *Overlay) Resized() { v.Resumed() }

// Pause keeps the overlay from drawing, until Resumed.
func (v *Overlay) Pause() {
	v.mu.Lock()
	v.paused = true
	v.mu.Unlock()
}

// Resumed requests a full redraw, on a terminal that is in [OverlayMode] again.
func (v *Overlay) Resumed() {
	v.mu.Lock()
	v.anew, v.paused = true, false
	v.mu.Unlock()
	v.touch()
}

// closeWait is how long a terminal that accepts no output may delay the end of an overlay.
const closeWait = time.Second

// Close draws the last frame, with state in place of the running time, and ends drawing and typing. The terminal is
// still in [OverlayMode] then.
func (v *Overlay) Close(state string) {
	v.once.Do(func() {
		v.mu.Lock()
		v.end = state
		v.mu.Unlock()
		close(v.quit)
		v.opt.Wake()
	})
	done := make(chan struct{})
	go func() {
		v.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(closeWait):
	}
}

// resize tells the program its size.
func (v *Overlay) resize() {
	cols, rows := v.screen.Size()
	cols, rows = max(1, cols-2), max(1, rows-2)
	if v.opt.Cols > 0 {
		cols = v.opt.Cols
	}
	if v.opt.Rows > 0 {
		rows = v.opt.Rows
	}
	_ = v.opt.Program.Resize(cols, rows) // fails if the program has just ended
}

// syncWait is how long a frame may wait for a program in the middle of a synchronized update (mode 2026).
const syncWait = 150 * time.Millisecond

func (v *Overlay) drawing() {
	defer v.opt.Guard()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	pause := time.NewTimer(0)
	defer pause.Stop()
	var late time.Time // when a postponed frame is due
	for {
		select {
		case <-v.opt.Changed:
		case <-v.dirty:
		case <-tick.C:
		case <-v.quit:
			v.draw(true)
			return
		}
		if late.IsZero() {
			late = time.Now().Add(syncWait)
		}
		if v.draw(time.Now().After(late)) {
			late = time.Time{}
		} else {
			v.touch()
		}
		pause.Reset(frameTime)
		select {
		case <-pause.C:
		case <-v.quit:
			v.draw(true)
			return
		}
	}
}

// draw draws a frame. During a synchronized update of the program it postpones the frame and returns false.
func (v *Overlay) draw(now bool) bool {
	v.mu.Lock()
	anew, paused, end, ends := v.anew, v.paused, v.end, v.ends
	v.anew = false
	v.mu.Unlock()
	if paused {
		return true
	}
	if !v.screen.Foreground() {
		v.mu.Lock()
		v.anew = true
		v.mu.Unlock()
		return true
	}
	if anew {
		v.resize()
	}
	f := frame{command: v.opt.Command, state: "running " + ticking(time.Since(v.began)), ending: ends > 0, anew: anew}
	if end != "" {
		f.state, f.over = end, true
	}
	f.cols, f.rows = v.screen.Size()
	var out []byte
	drawn := true
	v.opt.Look(func(t *vt.Terminal) {
		m := t.Modes()
		if m.Sync && !now && !anew {
			drawn = false
			return
		}
		f.escape = escapeIsOurs(v.opt.Escape, m)
		out = v.paint.frame(t, f)
	})
	if len(out) == 0 {
		return drawn
	}
	if _, err := v.screen.Write(out); err != nil {
		v.opt.Gone(err)
	}
	return drawn
}

// escapeIsOurs reports whether Esc ends the program.
func escapeIsOurs(rule EscapeRule, m vt.Modes) bool {
	switch rule {
	case EscapeKill:
		return true
	case EscapeForward:
		return false
	}
	return !m.AltScreen
}

func (v *Overlay) typing() {
	defer v.opt.Guard()
	for {
		e, ok, err := v.typist.next()
		select {
		case <-v.quit:
			return
		default:
		}
		switch {
		case err != nil:
			v.opt.Gone(err)
			return
		case ok:
			v.event(e)
		}
	}
}

// event handles an event according to the program's current state.
func (v *Overlay) event(e keys.Event) {
	var m vt.Modes
	var size, origin spot
	v.opt.Look(func(t *vt.Terminal) {
		m = t.Modes()
		size.col, size.row = t.Size()
		origin = v.paint.origin()
	})
	v.typist.reader.SetKitty(m.KittyFlags != 0)
	if e.Kind == keys.Key {
		ours := escapeIsOurs(v.opt.Escape, m)
		if ours && e.ID == "escape" || !ours && e.ID == "ctrl+]" {
			v.stop()
			return
		}
	}
	v.input.origin, v.input.size = origin, size
	if p := v.input.translate(e, m); len(p) > 0 {
		if err := v.opt.Program.Write(p); err != nil && e.Kind == keys.Paste {
			_, _ = v.screen.Write([]byte{'\a'})
		}
	}
}

// stop ends the program; the second call skips the grace period.
func (v *Overlay) stop() {
	v.mu.Lock()
	v.ends++
	ends := v.ends
	v.mu.Unlock()
	switch {
	case ends == 1:
		_ = v.opt.Program.Kill() // fails if it has just ended
	case v.opt.Force != nil:
		v.opt.Force()
	}
	v.touch()
}
